export type Route =
  | { page: "home" }
  | { page: "new" }
  | { page: "table"; table: string; seat: string | null }
  | { page: "replay"; table: string; step: number | null }
  | { page: "rules"; find: string }
  | { page: "about" }
  | { page: "guide" }
  | { page: "missing" };

/** The page of an address. */
export function parse(url: URL): Route {
  const [first = "", second] = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  if (!first) return { page: "home" };
  if (first === "new" && !second) return { page: "new" };
  if (first === "table" && second) return { page: "table", table: second, seat: url.searchParams.get("seat") };
  if (first === "replay" && second) {
    const step = Number.parseInt(url.searchParams.get("step") ?? "", 10);
    return { page: "replay", table: second, step: Number.isNaN(step) ? null : step };
  }
  if (first === "rules") return { page: "rules", find: url.hash ? decodeURIComponent(url.hash.slice(1)) : "" };
  if (first === "about") return { page: "about" };
  if (first === "guide" && !second) return { page: "guide" };
  return { page: "missing" };
}

class Router {
  route = $state.raw<Route>(parse(new URL(location.href)));

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.route = parse(new URL(location.href));
    if (!replace) scrollTo(0, 0);
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
addEventListener("popstate", () => (router.route = parse(new URL(location.href))));
