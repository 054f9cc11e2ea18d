import { api } from "./api";
import { WEEK } from "./deals";
import { many, t } from "./i18n.svelte";
import type { DailyDeal, DailyStandings, Language } from "./protocol";
import { enter } from "./seats";

/** The title of a deal: of the day or of the week. */
export function kindOf(deal: string): string {
  return t(WEEK.test(deal) ? "daily.week" : "daily");
}

/** Its date, or the number of its week. */
export function dateOf(deal: string, language: Language): string {
  const week = WEEK.exec(deal);
  if (week) return t("daily.week.name", { week: Number(week[2]), year: week[1]! });
  const date = new Date(`${deal}T12:00:00Z`);
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** A time of the server in the words and the zone of the visitor. */
export function when(time: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

/** Go to the try that counts, a new one or the one that waits. */
export async function play(deal: string): Promise<void> {
  enter(await api.dailyTry(deal));
}

/** Play it without counting. */
export async function practise(deal: string): Promise<void> {
  enter(await api.dailyPractice(deal));
}

/** Whether the deal may be practised: it is over, or one's own try is. */
export function mayPractise(deal: DailyDeal): boolean {
  return deal.stage === "published" || (deal.own !== null && deal.own.status !== "playing");
}

/** What one tells others about one's try: how it went, and nothing of the cards. */
export function resultText(standings: DailyStandings, language: Language, origin: string): string {
  const { deal } = standings;
  const own = deal.own;
  const score = own?.score ?? 0;
  const facts = [
    many("daily.score", score),
    own?.place ? t("daily.at_table.place", { place: own.place, n: deal.bots.length }) : "",
    standings.rank ? t("daily.rank", { rank: standings.rank, n: standings.finished }) : "",
  ];
  const others = [
    standings.median === null ? "" : t("labelled", { label: t("daily.median"), value: standings.median }),
    standings.master === null ? "" : t("labelled", { label: t("daily.master"), value: standings.master }),
  ];
  return [
    `Nevsky · ${kindOf(deal.deal)} · ${dateOf(deal.deal, language)}`,
    `${own?.place === 1 ? "★ " : ""}${facts.filter(Boolean).join(" · ")}`,
    others.filter(Boolean).join(" · "),
    `${origin}/daily/${deal.deal}`,
  ]
    .filter(Boolean)
    .join("\n");
}
