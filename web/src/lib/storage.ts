/** localStorage that never throws: private windows and full disks only forget. */
export function load(key: string): string | null {
  try {
    return localStorage.getItem(`nevsky.${key}`);
  } catch {
    return null;
  }
}

export function save(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`nevsky.${key}`);
    else localStorage.setItem(`nevsky.${key}`, value);
  } catch {
    // nothing to do: the setting holds until the page is closed
  }
}
