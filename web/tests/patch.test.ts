import { describe, expect, it } from "vitest";
import { patched } from "../src/lib/patch";
import type { PatchOperation } from "../src/lib/protocol";

type Value = null | number | string | boolean | Value[] | { [key: string]: Value };

const add = (path: string, value: unknown): PatchOperation => ({ op: "add", path, value });
const replace = (path: string, value: unknown): PatchOperation => ({ op: "replace", path, value });
const remove = (path: string): PatchOperation => ({ op: "remove", path });

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** A generator with a seed (mulberry32), so that a failure can be repeated. */
function randomly(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const KEYS = ["a", "b", "c", "x/y", "~", "~1", "0", "", "__proto__x"];

function anything(random: (below: number) => number, depth: number): Value {
  const kind = random(depth > 0 ? 6 : 4);
  if (kind < 4) return [null, random(9), `text ${random(9)}`, random(2) === 0][kind] as Value;
  const children = Array.from({ length: random(5) }, () => anything(random, depth - 1));
  if (kind === 4) return children;
  return Object.fromEntries(children.map((child) => [KEYS[random(KEYS.length)]!, child]));
}

/** Another value made of this one by changes here and there. */
function changed(value: Value, random: (below: number) => number): Value {
  if (random(6) === 0 || typeof value !== "object" || value === null) return anything(random, 2);
  if (Array.isArray(value)) {
    const list = value.map((each) => (random(3) ? each : changed(each, random)));
    if (random(3) === 0) list.splice(random(list.length + 1), random(3), anything(random, 1));
    return list;
  }
  const entries = Object.entries(value).filter(() => random(8));
  return Object.fromEntries(entries.map(([key, each]) => [key, random(3) ? each : changed(each, random)]));
}

/** A patch from one value to another, and the paths that it leaves alone. */
function difference(from: Value, to: Value, path: string, same: string[]): PatchOperation[] {
  if (from === to || JSON.stringify(from) === JSON.stringify(to)) {
    same.push(path);
    return [];
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const shared = Math.min(from.length, to.length);
    const inner = from.slice(0, shared).flatMap((each, place) => difference(each, to[place]!, `${path}/${place}`, same));
    const gone = from.slice(shared).map((_, place) => remove(`${path}/${from.length - 1 - place}`));
    const more = to.slice(shared).map((each, place) => add(`${path}/${place % 2 ? "-" : shared + place}`, each));
    return [...inner, ...gone, ...more];
  }
  if (typeof from !== "object" || typeof to !== "object" || !from || !to || Array.isArray(from) || Array.isArray(to)) {
    return [replace(path, to)];
  }
  const under = (key: string) => `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key)).map((key) => remove(under(key)));
  const rest = Object.entries(to).flatMap(([key, value]) =>
    Object.hasOwn(from, key) ? difference(from[key]!, value, under(key), same) : [add(under(key), value)],
  );
  return [...gone, ...rest];
}

function at(value: Value, path: string): Value {
  return path.split("/").slice(1).reduce<Value>((inner, key) => {
    return (inner as Record<string, Value>)[key.replaceAll("~1", "/").replaceAll("~0", "~")]!;
  }, value);
}

describe("a patch", () => {
  it("does what RFC 6902 says", () => {
    expect(patched({ foo: "bar" }, [add("/baz", "qux")])).toEqual({ foo: "bar", baz: "qux" });
    expect(patched({ foo: ["bar", "baz"] }, [add("/foo/1", "qux")])).toEqual({ foo: ["bar", "qux", "baz"] });
    expect(patched({ foo: ["bar"] }, [add("/foo/-", ["abc"])])).toEqual({ foo: ["bar", ["abc"]] });
    expect(patched({ foo: 1, baz: 2 }, [remove("/baz")])).toEqual({ foo: 1 });
    expect(patched({ foo: ["bar", "qux", "baz"] }, [remove("/foo/1")])).toEqual({ foo: ["bar", "baz"] });
    expect(patched({ "/": 9, "~1": 10 }, [replace("/~01", 11)])).toEqual({ "/": 9, "~1": 11 });
    expect(patched({ foo: null }, [replace("/foo", "there")])).toEqual({ foo: "there" });
    expect(patched({ foo: 1 }, [replace("", [2])])).toEqual([2]);
  });
  it("that does not fit is refused", () => {
    const document = frozen({ a: { b: 1 }, list: [1, 2] });
    for (const wrong of [
      replace("/c", 1), remove("/c"), add("/c/d", 1), add("/a/b/c", 1), add("/list/3", 1), replace("/list/2", 1),
      remove("/list/-"), remove("/list/01"), add("/list/x", 1), replace("/toString", 1), add("/constructor/x", 1),
    ]) {
      expect(() => patched(document, [add("/a/new", 1), wrong]), wrong.path).toThrow();
    }
  });
  it("leads from any document to any other, changes neither and shares what stays", () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const random = randomly(seed);
      const from = frozen(anything(random, 4));
      const to = changed(from, random);
      const same: string[] = [];
      const patch = frozen(difference(from, to, "", same));
      const found = patched(from, patch);
      expect(found, `seed ${seed}`).toEqual(to);
      for (const path of same) expect(at(found, path), `seed ${seed} ${path}`).toBe(at(from, path));
    }
  });
});
