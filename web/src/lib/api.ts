import type {
  ApiError,
  CardList,
  Evaluation,
  Explanations,
  Guide,
  GuideName,
  JoinRequest,
  LogLine,
  Me,
  Meta,
  NewTable,
  Race,
  ReplayStep,
  RuleBook,
  SeatChange,
  TableChange,
  TableCreated,
  TableList,
  TableSummary,
} from "./protocol";
import { t } from "./i18n.svelte";
import { settings } from "./settings.svelte";

/** A refusal of the server, in its own words. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/** What to say about something that failed. */
export function said(failure: unknown): string {
  return failure instanceof Refusal ? failure.message : t("error.network");
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", "Accept-Language": settings.language };
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(path, init);
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const error = (await answer.json().catch(() => null)) as ApiError | null;
  throw new Refusal(error?.code ?? "bad_message", error?.message ?? t("error.network"));
}

const id = encodeURIComponent;

export const api = {
  me: () => request<Me>("GET", "/api/me"),
  rename: (name: string) => request<Me>("PUT", "/api/me", { name }),
  meta: (language: string) => request<Meta>("GET", `/api/meta?language=${language}`),
  cards: (language: string) => request<CardList>("GET", `/api/cards?language=${language}`),
  explanations: (language: string) => request<Explanations>("GET", `/api/explanations?language=${language}`),
  guide: (language: string, which: GuideName) => request<Guide>("GET", `/api/guide?language=${language}&which=${which}`),
  openTables: () => request<TableList>("GET", "/api/tables"),
  myTables: () => request<TableList>("GET", "/api/tables/mine"),
  playedTables: (after: string | null) =>
    request<TableList>("GET", `/api/tables/played?limit=12${after ? `&after=${id(after)}` : ""}`),
  remove: (table: string, token: string | null) =>
    request<undefined>("DELETE", `/api/tables/${id(table)}${token ? `?seat=${id(token)}` : ""}`),
  finishedTables: () => request<TableList>("GET", "/api/tables/finished"),
  table: (table: string, token: string | null) =>
    request<TableSummary>("GET", `/api/tables/${id(table)}${token ? `?seat=${id(token)}` : ""}`),
  create: (table: NewTable) => request<TableCreated>("POST", "/api/tables", table),
  join: (table: string, wanted: JoinRequest) => request<TableCreated>("POST", `/api/tables/${id(table)}/join`, wanted),
  changeSeat: (table: string, seat: number, wanted: SeatChange, token: string | null) =>
    request<TableSummary>("PUT", `/api/tables/${id(table)}/seats/${seat}${token ? `?seat=${id(token)}` : ""}`, wanted),
  changeTable: (table: string, wanted: TableChange, token: string | null) =>
    request<TableSummary>("PATCH", `/api/tables/${id(table)}${token ? `?seat=${id(token)}` : ""}`, wanted),
  start: (table: string, level: string, token: string | null) =>
    request<TableSummary>("POST", `/api/tables/${id(table)}/start${token ? `?seat=${id(token)}` : ""}`, { level }),
  useSeat: (table: string, token: string) => request<TableCreated>("POST", `/api/tables/${id(table)}/devices?seat=${id(token)}`),
  renewLink: (table: string, token: string | null) =>
    request<TableCreated>("POST", `/api/tables/${id(table)}/link${token ? `?seat=${id(token)}` : ""}`),
  leave: (table: string, token: string | null) =>
    request<undefined>("POST", `/api/tables/${id(table)}/leave${token ? `?seat=${id(token)}` : ""}`),
  rematch: (table: string, token: string | null) =>
    request<TableCreated>("POST", `/api/tables/${id(table)}/rematch${token ? `?seat=${id(token)}` : ""}`),
  rules: (language: string) => request<RuleBook>("GET", `/api/rules?language=${language}`),
  replay: (table: string, step: number, seat: number | null, language: string) =>
    request<ReplayStep>(
      "GET",
      `/api/tables/${id(table)}/replay?step=${step}&language=${language}${seat === null ? "" : `&seat=${seat}`}`,
    ),
  log: (table: string, language: string, token: string | null) =>
    request<LogLine[]>("GET", `/api/tables/${id(table)}/log?language=${language}${token ? `&seat=${id(token)}` : ""}`),
  evaluation: (table: string) => request<Evaluation>("GET", `/api/tables/${id(table)}/evaluation`),
  race: (table: string) => request<Race>("GET", `/api/tables/${id(table)}/race`),
  recordUrl: (table: string) => `/api/tables/${id(table)}/record`,
};
