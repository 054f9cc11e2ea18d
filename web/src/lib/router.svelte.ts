import { isDeal } from "./deals";
import { layers } from "./layers";
import type { GuideName, RatingFamily } from "./protocol";

export type Route =
  | { page: "home" }
  | { page: "new" }
  | { page: "games" }
  | { page: "people" }
  | { page: "stop"; token: string | null }
  | { page: "table"; table: string; seat: string | null; invitation: string | null }
  | { page: "replay"; table: string; step: number | null; review: boolean }
  | { page: "rules"; find: string }
  | { page: "cards" }
  | { page: "about" }
  | { page: "guide"; which: GuideName }
  | { page: "guides" }
  | { page: "profile" }
  | { page: "player"; player: string }
  | { page: "signin"; token: string }
  | { page: "ratings"; family: RatingFamily; players: number; part: number }
  | { page: "daily"; deal: string | null }
  | { page: "puzzles"; puzzle: string | null }
  | { page: "tournaments" }
  | { page: "tournament"; tournament: string }
  | { page: "missing" };

const GUIDES: readonly GuideName[] = [
  "first", "market", "banquet", "good_company", "assistants", "events", "assignments", "obstacles",
];

const FAMILIES: readonly RatingFamily[] = ["second", "first", "market", "modules"];

/** What stands in an address; null where it is malformed, such as `%E0%A4%A`. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The page of an address. */
export function parse(url: URL): Route {
  const [first = "", second, ...more] = url.pathname.split("/").filter(Boolean).map(decoded);
  if (first === null || second === null || more.length) return { page: "missing" };
  if (!first) return { page: "home" };
  if (first === "new" && !second) return { page: "new" };
  if (first === "games" && !second) return { page: "games" };
  if (first === "people" && !second) return { page: "people" };
  if (first === "stop" && !second) return { page: "stop", token: url.searchParams.get("token") };
  if (first === "table" && second) {
    const { searchParams } = url;
    return { page: "table", table: second, seat: searchParams.get("seat"), invitation: searchParams.get("invitation") };
  }
  if (first === "replay" && second) {
    const step = Number.parseInt(url.searchParams.get("step") ?? "", 10);
    return { page: "replay", table: second, step: Number.isNaN(step) ? null : step, review: url.searchParams.has("review") };
  }
  if (first === "rules" && !second) return { page: "rules", find: decoded(url.hash.slice(1)) ?? "" };
  if (first === "rules" && second === "cards") return { page: "cards" };
  if (first === "about" && !second) return { page: "about" };
  if (first === "guide") {
    const which = GUIDES.find((each) => each === (second ?? "first"));
    return which && second !== "first" ? { page: "guide", which } : { page: "missing" };
  }
  if (first === "daily" && (!second || isDeal(second))) return { page: "daily", deal: second ?? null };
  if (first === "puzzles") return { page: "puzzles", puzzle: second ?? null };
  if (first === "ratings" && !second) {
    const asked = (name: string) => Number.parseInt(url.searchParams.get(name) ?? "", 10) || 0;
    const family = FAMILIES.find((each) => each === url.searchParams.get("family")) ?? "second";
    const players = Math.min(Math.max(asked("players"), 2), family === "first" || family === "second" ? 4 : 5);
    return { page: "ratings", family, players, part: Math.max(asked("page"), 0) };
  }
  if (first === "tournaments" && !second) return { page: "tournaments" };
  if (first === "tournament" && second) return { page: "tournament", tournament: second };
  if (first === "guides" && !second) return { page: "guides" };
  if (first === "profile" && !second) return { page: "profile" };
  if (first === "player" && second) return { page: "player", player: second };
  if (first === "sign-in" && !second) return { page: "signin", token: decoded(url.hash.slice(1)) ?? "" };
  return { page: "missing" };
}

let shown = location.href;

class Router {
  route = $state.raw<Route>(parse(new URL(shown)));

  go(path: string, replace = false): void {
    layers.leave((over) => {
      if (replace) history.replaceState(history.state, "", path);
      else if (over) history.replaceState(null, "", path);
      else history.pushState(null, "", path);
      shown = location.href;
      this.route = parse(new URL(shown));
      if (!replace) scrollTo(0, 0);
    });
  }

  /** For one handler on the whole page: follow links to ourselves without loading anew. */
  click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
addEventListener("popstate", () => {
  // a dialog that was closed does not change the address
  if (location.href !== shown) router.route = parse(new URL(location.href));
  shown = location.href;
});
