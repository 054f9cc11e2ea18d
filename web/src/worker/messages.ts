/** What the service worker makes of what comes to it; apart from it, so that it can be tried without one. */

export interface Message {
  title: string;
  body: string;
  /** The page that a click opens, always one of ours. */
  url: string;
  /** A newer message with the same tag takes the place of the older one. */
  tag: string;
  language: string;
  /** What the button says that stops messages. */
  stop: string;
}

const NOTHING: Message = { title: "Nevsky", body: "", url: "/games", tag: "nevsky", language: "", stop: "" };

/** A message as the server sends it; what is missing or odd is left out. */
export function wanted(data: { json(): unknown } | null): Message {
  let found: unknown = null;
  try {
    found = data?.json();
  } catch {
    // not ours
  }
  const message = { ...NOTHING };
  if (typeof found !== "object" || found === null) return message;
  for (const key of Object.keys(NOTHING) as (keyof Message)[]) {
    const value = (found as Record<string, unknown>)[key];
    if (typeof value === "string") message[key] = value;
  }
  if (!/^\/(?![/\\])/.test(message.url)) message.url = NOTHING.url;
  return message;
}

/** A page as it is kept: it knows that it is not fresh. */
export async function kept(page: Response): Promise<Response> {
  const text = (await page.text()).replace("<html ", '<html data-kept="yes" ');
  const headers = new Headers(page.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Response(text, { status: 200, headers });
}
