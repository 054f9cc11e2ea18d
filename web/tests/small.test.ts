import { describe, expect, it } from "vitest";
import { rounded } from "../scripts/icons";
import { backoff, soon } from "../src/lib/backoff";
import { base, picture, tint } from "../src/lib/cards.svelte";
import { linePath, niceStep } from "../src/lib/chart";
import { duration, paceParts, timeLeft } from "../src/lib/clock";
import { changed, marketReason, moduleReason, playersReason, request, type Draft } from "../src/lib/newtable";
import { scores, spread } from "../src/lib/race";
import { parse } from "../src/lib/router.svelte";
import { linked, linkedRules } from "../src/lib/rulelinks";
import { findRules, pieces } from "../src/lib/rulestext";
import { preferredLanguage } from "../src/lib/settings.svelte";
import { player, state } from "./mock";

describe("addresses", () => {
  const at = (path: string) => parse(new URL(path, "http://localhost"));
  it("lead to their pages", () => {
    expect(at("/")).toEqual({ page: "home" });
    expect(at("/table/abc?seat=xyz")).toEqual({ page: "table", table: "abc", seat: "xyz", invitation: null });
    expect(at("/table/abc?invitation=xyz")).toEqual({ page: "table", table: "abc", seat: null, invitation: "xyz" });
    expect(at("/replay/abc?step=12")).toEqual({ page: "replay", table: "abc", step: 12, review: false });
    expect(at("/replay/abc")).toEqual({ page: "replay", table: "abc", step: null, review: false });
    expect(at("/rules#9.3")).toEqual({ page: "rules", find: "9.3" });
    expect(at("/nowhere")).toEqual({ page: "missing" });
  });
});

describe("the language", () => {
  it("is the one kept, then the browser's, then English", () => {
    expect(preferredLanguage("fr", ["de"])).toBe("fr");
    expect(preferredLanguage(null, ["pt-BR", "de-AT", "en"])).toBe("de");
    expect(preferredLanguage("xx", [])).toBe("en");
  });
});

describe("connecting again", () => {
  it("waits longer and longer, but never more than half a minute", () => {
    const waits = [0, 1, 2, 3, 20].map((attempt) => backoff(attempt, () => 0.5));
    expect(waits).toEqual([0.5, 1, 2, 4, 20]);
    expect(backoff(50, () => 1)).toBeLessThan(30);
  });
  it("finds a server that is back within a second while somebody waits, and not all at once", () => {
    expect([0, 0.5, 1].map((random) => soon(20, () => random))).toEqual([0.4, 0.7, 1]);
    expect(soon(3600, () => 1)).toBe(5);
  });
});

describe("cards", () => {
  it("with market symbols or two backs look like their base card", () => {
    expect(base("ship_builder:?")).toBe("ship_builder");
    expect(base("away_with_it@noble")).toBe("away_with_it");
    expect(picture("potemkin_village_1_4")).toBe("potemkin_village");
  });
  it("have a colour of their own", () => {
    expect(tint({ colour: "yellow", orange: true })).toBe("orange");
    expect(tint({ colour: "red", orange: false })).toBe("noble");
    expect(tint(undefined)).toBe("exchange");
  });
});

describe("time", () => {
  it("is taken from the free part first, then from the reserve", () => {
    expect(timeLeft(120, 300, 30)).toEqual({ free: 90, reserve: 300 });
    expect(timeLeft(120, 300, 150)).toEqual({ free: 0, reserve: 270 });
    expect(timeLeft(120, 300, 1000)).toEqual({ free: 0, reserve: 0 });
    expect(timeLeft(0, 300, 10)).toEqual({ free: 0, reserve: 290 });
  });
  it("is told in whole units", () => {
    expect([120, 172800, 90, 1, 86400 + 3600, 0].map(duration)).toEqual([
      "2 minutes", "2 days", "1 minute 30 seconds", "1 second", "1 day 1 hour", "0 seconds",
    ]);
    expect(paceParts({ pace: "live", decision_seconds: 120, reserve_seconds: 300 })).toEqual([
      "live", "2 minutes per decision", "5 minutes in reserve",
    ]);
    expect(paceParts({ pace: "live", decision_seconds: 60, reserve_seconds: 0 })).toHaveLength(2);
  });
});

describe("a new table", () => {
  const draft: Draft = {
    edition: "second", market: false, modules: [1, 3], openRubles: false, openHands: false, public: true, pace: "none",
    decision: null, reserve: null, showSeen: true, rated: false,
    realObstacles: null, leftOut: [], seats: [{ kind: "me" }, { kind: "open" }],
  };
  const modules = [1, 2, 3].map((number) => ({
    number,
    name: "",
    description: "",
    id: String(number),
    guide: null,
    needs_market: number > 2,
    cards: number === 2 ? ["mayor", "university"] : [],
  }));
  it("gives the reason for what is impossible", () => {
    expect(moduleReason(draft, { needs_market: true })).toBe("reason.needs_market");
    expect(moduleReason({ ...draft, edition: "first" }, { needs_market: false })).toBe("reason.second_only");
    expect(marketReason({ ...draft, edition: "first" })).toBe("reason.second_only");
    expect(playersReason(draft, 5)).toBe("reason.five_market");
    expect(playersReason({ ...draft, market: true }, 5)).toBeNull();
  });
  it("rates games of people with a clock", () => {
    const rated = changed({ ...draft, seats: [{ kind: "me" }, { kind: "bot", level: "easy" }] }, { rated: true });
    expect(rated).toMatchObject({ rated: true, pace: "live", seats: [{ kind: "me" }, { kind: "open" }] });
    expect(changed(rated, { pace: "none" }).rated).toBe(false);
    expect(changed(rated, { pace: "relaxed" }).rated).toBe(true);
  });
  it("asks only for what is possible together", () => {
    expect(request({ ...draft, decision: 60 }, modules)).toMatchObject({ pace: "none", decision_seconds: null });
    expect(request({ ...draft, pace: "live", decision: 60 }, modules)).toMatchObject({ decision_seconds: 60, reserve_seconds: null });
    expect(request(draft, modules).ruleset).toMatchObject({ players: 2, modules: [1], good_company: null });
    expect(request({ ...draft, market: true }, modules).ruleset?.modules).toEqual([1, 3]);
    expect(request({ ...draft, modules: [2], leftOut: ["mayor"] }, modules).ruleset?.good_company).toEqual(["university"]);
  });
});

describe("the rules", () => {
  const sections = [
    {
      number: "9",
      title: "Special cards",
      level: 2,
      rules: [{ number: "9.1", text: "Czar" }, { number: "9.3", text: "The *observatory* looks." }],
    },
    { number: "10", title: "Market", level: 2, rules: [{ number: "10.1", text: "Goods" }] },
  ];
  it("are found by number and by word", () => {
    expect(findRules(sections, "9.3")[0]?.rules).toHaveLength(1);
    expect(findRules(sections, "9")[0]?.rules).toHaveLength(2);
    expect(findRules(sections, "goods")[0]?.title).toBe("Market");
    expect(findRules(sections, "")).toHaveLength(2);
    expect(findRules(sections, "nothing like it")).toEqual([]);
  });
  it("are cut at their marks", () => {
    expect(pieces("a *b* **c** `d`").map((piece) => piece.kind)).toEqual(["text", "em", "text", "strong", "text", "code"]);
  });
});

describe("the race", () => {
  it("takes steps from first to last", () => {
    expect(spread(10, 3)).toEqual([0, 5, 10]);
    expect(spread(2, 24)).toEqual([0, 1, 2]);
    expect(spread(0, 24)).toEqual([0]);
  });
  it("counts what would be scored", () => {
    const shown = state({ players: [player(0, { points: 3, projected: 8 }), player(1, { points: 4 })] });
    expect(scores({ steps: 1, step: 0, state: shown })).toEqual([8, 4]);
  });
  it("has a pleasant grid", () => {
    expect([0.7, 3, 12, 99].map(niceStep)).toEqual([1, 5, 20, 100]);
    expect(linePath([0, 1], (i) => i * 10, (value) => 5 - value)).toBe("M0.0 5.0L10.0 4.0");
  });
});

describe("pictograms", () => {
  it("are rounded where they lie, so that errors do not add up", () => {
    expect(rounded("M1.234 5.678l-.04 0a1.25 1.25 0 01.5.5z")).toBe("M1 6l0 0a1.3 1.3 0 0 1 1 0z");
    expect(rounded(`M0 0${"l.4.4".repeat(10)}h.4v-.4`)).toBe(`M0 0${"l0 0l1 1l0 0l1 1l0 0".repeat(2)}h0v0`);
    expect(rounded("m10.4 10.4c1.3 0 2.3 1 2.3 2.3zm1 1")).toBe("m10 10c2 0 3 1 3 3zm1 1");
  });
});

describe("numbers of rules", () => {
  const links = (text: string) => linked(text).filter((part) => part.rule).map((part) => part.text);
  it("are links in brackets and after the word for a rule", () => {
    expect(links("What happens to it (9.3)?")).toEqual(["9.3"]);
    expect(links("needs upkeep (10.3, 10.5), as rule 11.3 a says (Regel 1.2)")).toEqual(["10.3", "10.5", "11.3 a", "1.2"]);
    expect(links("comme le veut la règle 2.3. Come vuole la regola 11.6.")).toEqual(["2.3", "11.6"]);
    expect(links("3.5 playouts, CC BY 3.0, −0.3, 4/2")).toEqual([]);
    expect(linked("a (9.3) b").map((part) => part.text).join("")).toBe("a (9.3) b");
  });
  it("are links everywhere in the rules, if there is such a rule", () => {
    const known = new Set(["4.1", "4.5", "11.3 a", "D30"]);
    const all = linkedRules("da 4.1 a 4.5, 11.3 a, D30, 1.5 metri", known);
    expect(all.filter((part) => part.rule).map((part) => part.text)).toEqual(["4.1", "4.5", "11.3 a", "D30"]);
    expect(all.map((part) => part.text).join("")).toBe("da 4.1 a 4.5, 11.3 a, D30, 1.5 metri");
  });
});
