import type {
  ApiError,
  CardList,
  Guide,
  LogLine,
  Me,
  Meta,
  NewTable,
  Race,
  ReplayStep,
  RuleBook,
  TableCreated,
  TableList,
  TableSummary,
} from "./protocol";
import { settings } from "./settings.svelte";

/** A refusal of the server, in its own words. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
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
  throw new Refusal(error?.code ?? "bad_message", error?.message ?? `${answer.status} ${answer.statusText}`);
}

const id = encodeURIComponent;

export const api = {
  me: () => request<Me>("GET", "/api/me"),
  rename: (name: string) => request<Me>("PUT", "/api/me", { name }),
  meta: (language: string) => request<Meta>("GET", `/api/meta?language=${language}`),
  cards: (language: string) => request<CardList>("GET", `/api/cards?language=${language}`),
  guide: (language: string) => request<Guide>("GET", `/api/guide?language=${language}`),
  openTables: () => request<TableList>("GET", "/api/tables"),
  myTables: () => request<TableList>("GET", "/api/tables/mine"),
  finishedTables: () => request<TableList>("GET", "/api/tables/finished"),
  table: (table: string) => request<TableSummary>("GET", `/api/tables/${id(table)}`),
  create: (table: NewTable) => request<TableCreated>("POST", "/api/tables", table),
  join: (table: string) => request<TableCreated>("POST", `/api/tables/${id(table)}/join`),
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
  race: (table: string) => request<Race>("GET", `/api/tables/${id(table)}/race`),
  recordUrl: (table: string) => `/api/tables/${id(table)}/record`,
};
