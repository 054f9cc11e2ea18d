// Made by tools/protocol_types.py from protocol.py and answers.py in src/nevsky/server. Do not edit.

export const PROTOCOL_VERSION = 1;

export type Language = "en" | "de" | "fr" | "it";

export type Status = "open" | "playing" | "over";

export type ErrorCode = "bad_message" | "not_found" | "not_allowed" | "not_your_turn" | "stale" | "illegal" | "refused" | "too_fast" | "shutting_down";

export interface RulesetRequest {
  edition?: "first" | "second";
  players?: number;
  market?: boolean;
  modules?: number[];
  good_company?: string[] | null;
  real_obstacles?: number | null;
  youngest?: number | null;
  open_rubles?: boolean;
  open_hands?: boolean;
}

export interface SeatRequest {
  kind?: "me" | "open" | "bot";
  level?: string | null;
}

/** POST /api/tables. A table whose seats are all taken starts at once; `quick` games are you against bots. */
export interface NewTable {
  ruleset?: RulesetRequest;
  seats: SeatRequest[];
  public?: boolean;
  pace?: "live" | "relaxed" | "none";
  show_seen_cards?: boolean;
}

export interface NameRequest {
  name: string;
}

export interface Me {
  name: string;
  version: string;
  protocol: number;
}

export interface TableCreated {
  table: string;
  seat: number | null;
  seat_token: string | null;
}

export interface TableSummary {
  table: string;
  status: "open" | "playing" | "over";
  ruleset: Record<string, unknown>;
  names: (string | null)[];
  bots: (string | null)[];
  round: number | null;
  to_move: number | null;
  you: number | null;
  your_turn: boolean;
  public: boolean;
  updated: string;
  winners: number[] | null;
  seat_token: string | null;
  rematch: string | null;
}

export interface TableList {
  tables: TableSummary[];
}

/** A card of the box, for pictures and explanations; loaded once with GET /api/cards?language=de. */
export interface CardInfo {
  card: string;
  name: string;
  name_first: string;
  pile: string;
  colour: string;
  exchange: boolean;
  orange: boolean;
  module: number;
  cost_first: number;
  cost_second: number;
  rubles: number;
  points: number;
  crafts: string[];
  good: string;
  goods: number;
  explanation: string;
}

export interface CardList {
  cards: CardInfo[];
}

export interface LevelInfo {
  level: string;
  name: string;
  description: string;
}

/** GET /api/meta?language=de: what a new table can be made of, with reasons for what is impossible. */
export interface Meta {
  levels: LevelInfo[];
  modules: (Record<string, unknown>)[];
}

/** Body of every answer that is not a success. */
export interface ApiError {
  code: "bad_message" | "not_found" | "not_allowed" | "not_your_turn" | "stale" | "illegal" | "refused" | "too_fast" | "shutting_down";
  message: string;
}

export interface Act {
  type: "act";
  version: number;
  action: string;
}

export interface Undo {
  type: "undo";
  version: number;
}

/** Pass without being asked: until another card could be had, until the phase ends, or no longer. */
export interface AutoPass {
  type: "auto_pass";
  until: "change" | "phase" | "off";
}

export interface Chat {
  type: "chat";
  text: string;
}

export interface HintRequest {
  type: "hint";
  version: number;
}

/** Let a bot play for me, or take the seat back. */
export interface Away {
  type: "away";
  away: boolean;
  seat?: number | null;
}

export interface LanguageChange {
  type: "language";
  language: "en" | "de" | "fr" | "it";
}

export interface Ping {
  type: "ping";
}

export interface PriceStep {
  text: string;
  rubles: number;
}

/** One legal action, ready to be shown. */
export interface Choice {
  action: string;
  label: string;
  verb: string;
  card: string | null;
  row: number | null;
  onto: string | null;
  price: number | null;
  steps: PriceStep[];
  confirm: boolean;
}

export interface DisplayCard {
  card: string;
  cost: number;
  price: number | null;
  buy: boolean;
  take: boolean;
  why_not: string[];
  choices: number[];
}

export interface HandView {
  pile: string;
  card: string | null;
  price: number | null;
  choices: number[];
}

export interface AreaCard {
  card: string;
  count: number;
  face_down: number;
  covered: boolean;
  attached: string[];
  tile: string | null;
}

export interface Income {
  phase: string;
  rubles: number;
  points: number;
}

export interface PlayerState {
  seat: number;
  name: string;
  bot: string | null;
  connected: boolean;
  away: boolean;
  rubles: number | null;
  points: number;
  hand: HandView[];
  hand_limit: number;
  area: AreaCard[];
  income: Income[];
  different_nobles: number;
  noble_points: number;
  next_noble_points: number;
  projected: number | null;
  goods: Record<string, number> | null;
  assistants: string[];
  event_used: boolean | null;
  passed_obstacles: number[];
  stuck_at: number | null;
  clock_seconds: number | null;
}

export interface LogLine {
  number: number;
  round: number;
  phase: string;
  seat: number | null;
  text: string;
  auto: boolean;
}

export interface ChatLine {
  seat: number | null;
  name: string;
  text: string;
  at: string;
}

export interface ModuleState {
  value_tile: number[] | null;
  tile_supply: string[];
  events_left: (Record<string, string>)[];
  obstacles: (Record<string, unknown>)[];
  assignments: (Record<string, unknown>)[];
}

export interface FinalLine {
  seat: number;
  track: number;
  nobles: number;
  assignment: number | null;
  rubles: number;
  hand: number;
  obstacles: number | null;
  total: number;
  tie: number;
  place: number;
}

/** The whole table as the viewer may see it; sent after every change. */
export interface State {
  type: "state";
  table: string;
  version: number;
  status: "open" | "playing" | "over";
  you: number | null;
  ruleset: Record<string, unknown>;
  round: number;
  phase: string;
  phases: string[];
  due: string | null;
  question: string;
  to_move: number | null;
  last_round: boolean;
  tokens: Record<string, number>;
  piles: Record<string, number>;
  row1: DisplayCard[];
  row2: DisplayCard[];
  drawn: string | null;
  drawn_choices: number[];
  discard: string[];
  out: string[];
  remaining: Record<string, Record<string, number>>;
  players: PlayerState[];
  choices: Choice[];
  can_undo: boolean;
  auto_pass: "change" | "phase" | "off";
  modules: ModuleState;
  log: LogLine[];
  chat: ChatLine[];
  final: FinalLine[] | null;
  winners: number[] | null;
  rematch: string | null;
}

export interface SuggestionLine {
  action: string;
  label: string;
  expected: number | null;
  win: number | null;
  reason: string;
}

export interface HintReply {
  type: "hint";
  version: number;
  suggestions: SuggestionLine[];
}

export interface ErrorReply {
  type: "error";
  code: "bad_message" | "not_found" | "not_allowed" | "not_your_turn" | "stale" | "illegal" | "refused" | "too_fast" | "shutting_down";
  message: string;
}

export interface Pong {
  type: "pong";
}

export interface ReplayStep {
  steps: number;
  step: number;
  state: State;
  evaluation: number[][];
}

export interface GuideStep {
  title: string;
  text: string;
  state: State;
  expected: string | null;
  otherwise: string | null;
  point: "phases" | "row1" | "row2" | "question" | "area" | "players" | "track";
}

/** The worked example of the rules, seen from the seat that the learner has. */
export interface Guide {
  steps: GuideStep[];
}

/** POST /api/tables/ID/join; without a seat any free one. */
export interface JoinRequest {
  seat?: number | null;
}

/** One paragraph of the rules. */
export interface RuleText {
  number: string | null;
  text: string;
}

/** A part of the rules under one heading. */
export interface RuleSection {
  number: string | null;
  title: string;
  level: number;
  rules: RuleText[];
}

/** GET /api/rules?language=de: the rules as we play them, whole and in pieces. */
export interface RuleBook {
  language: "en" | "de" | "fr" | "it";
  title: string;
  markdown: string;
  sections: RuleSection[];
}

/** Points of one source in one round. */
export interface RacePart {
  round: number | null;
  source: "worker" | "market" | "building" | "noble" | "exchange" | "pub" | "obstacles" | "other" | "final_nobles" | "assignment" | "rubles" | "hand" | "final_obstacles";
  points: number[];
  step: number;
}

/** GET /api/tables/ID/race: where all points of a finished game came from. They add up to the final scores. */
export interface Race {
  rounds: number;
  parts: RacePart[];
}

/** How the server is. */
export interface Health {
  status: "ok" | "not_ready";
  version: string;
}

export type ClientMessage = Act | Undo | AutoPass | Chat | HintRequest | Away | LanguageChange | Ping;

export type ServerMessage = State | HintReply | ErrorReply | Pong;
