import { describe, expect, it } from "vitest";
import { rounded } from "../scripts/icons";
import { backoff } from "../src/lib/backoff";
import { base, picture, tint } from "../src/lib/cards.svelte";
import { linePath, niceStep } from "../src/lib/chart";
import { marketReason, moduleReason, playersReason, request, type Draft } from "../src/lib/newtable";
import { scores, spread } from "../src/lib/race";
import { parse } from "../src/lib/router.svelte";
import { findRules, pieces } from "../src/lib/rulestext";
import { preferredLanguage } from "../src/lib/settings.svelte";
import { player, state } from "./mock";

describe("addresses", () => {
  const at = (path: string) => parse(new URL(path, "http://localhost"));
  it("lead to their pages", () => {
    expect(at("/")).toEqual({ page: "home" });
    expect(at("/table/abc?seat=xyz")).toEqual({ page: "table", table: "abc", seat: "xyz" });
    expect(at("/replay/abc?step=12")).toEqual({ page: "replay", table: "abc", step: 12 });
    expect(at("/replay/abc")).toEqual({ page: "replay", table: "abc", step: null });
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

describe("a new table", () => {
  const draft: Draft = {
    edition: "second", market: false, modules: [1, 3], openRubles: false, openHands: false, public: true, pace: "none", showSeen: true,
    realObstacles: null, leftOut: [], seats: [{ kind: "me" }, { kind: "open" }],
  };
  const modules = [1, 2, 3].map((number) => ({
    number,
    name: "",
    description: "",
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
  it("asks only for what is possible together", () => {
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
    expect(scores({ steps: 1, step: 0, state: shown, evaluation: [] })).toEqual([8, 4]);
  });
  it("has a pleasant grid", () => {
    expect([0.7, 3, 12, 99].map(niceStep)).toEqual([1, 5, 20, 100]);
    expect(linePath([0, 1], (i) => i * 10, (value) => 5 - value)).toBe("M0.0 5.0L10.0 4.0");
  });
});

describe("pictograms", () => {
  it("are rounded, arcs left alone", () => {
    expect(rounded("M1.234 5.678l-.04 0a1.25 1.25 0 01.5.5z")).toBe("M1.2 5.7l0 0a1.25 1.25 0 01.5.5z");
  });
});
