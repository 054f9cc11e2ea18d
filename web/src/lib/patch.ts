import type { PatchOperation } from "./protocol";

type Container = Record<string, unknown> | unknown[];

/**
 * The document with a JSON Patch (RFC 6902: add, replace, remove) applied. It is never changed itself: what lies on the way to a
 * change is copied once, everything else is shared. Throws where the patch does not fit.
 */
export function patched<T>(document: T, patch: readonly PatchOperation[]): T {
  const copies = new Set<unknown>();
  const own = (value: unknown, path: string): Container => {
    if (typeof value !== "object" || value === null) throw new Error(`Nothing at ${path}`);
    if (copies.has(value)) return value as Container;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    copies.add(copy);
    return copy;
  };
  let root: unknown = document;
  for (const operation of patch) {
    const keys = operation.path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop();
    if (last === undefined) {
      root = operation.value;
      continue;
    }
    let place = own(root, operation.path);
    root = place;
    for (const key of keys) {
      const inner = own(read(place, key), operation.path);
      write(place, key, inner);
      place = inner;
    }
    change(place, last, operation);
  }
  return root as T;
}

function read(place: Container, key: string): unknown {
  if (Array.isArray(place)) return place[index(key, place.length - 1)];
  return Object.hasOwn(place, key) ? place[key] : undefined;
}

function write(place: Container, key: string, value: unknown): void {
  if (Array.isArray(place)) place[index(key, place.length - 1)] = value;
  else place[key] = value;
}

function change(place: Container, key: string, { op, path, value }: PatchOperation): void {
  if (Array.isArray(place)) {
    if (op === "add") place.splice(key === "-" ? place.length : index(key, place.length), 0, value);
    else if (op === "remove") place.splice(index(key, place.length - 1), 1);
    else place[index(key, place.length - 1)] = value;
    return;
  }
  if (op !== "add" && !Object.hasOwn(place, key)) throw new Error(`Nothing at ${path}`);
  if (op === "remove") delete place[key];
  else place[key] = value;
}

function index(key: string, most: number): number {
  const found = Number(key);
  if (!/^(0|[1-9]\d*)$/.test(key) || found > most) throw new Error(`No element ${key}`);
  return found;
}
