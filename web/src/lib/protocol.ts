// Made by tools/protocol_types.py from src/nevsky/server/protocol. Do not edit.

export const PROTOCOL_VERSION = 1;

export type Language = "en" | "de" | "fr" | "it";

export type Status = "open" | "playing" | "over";

export type ErrorCode =
  | "bad_message"
  | "not_found"
  | "not_allowed"
  | "not_your_turn"
  | "stale"
  | "illegal"
  | "refused"
  | "too_fast"
  | "shutting_down";

export type Edition = "first" | "second";

export type ReasonKey = "turn" | "question" | "price" | "replace" | "purple" | "effect" | "must_buy" | "hand" | "now";

export type RaceSource =
  | "worker"
  | "market"
  | "building"
  | "noble"
  | "exchange"
  | "pub"
  | "obstacles"
  | "other"
  | "final_nobles"
  | "assignment"
  | "rubles"
  | "hand"
  | "final_obstacles";

export type GuidePoint = "phases" | "row1" | "row2" | "question" | "area" | "players" | "track";

export interface RulesetRequest {
  edition?: Edition;
  players?: number;
  market?: boolean;
  /** Their numbers; the rules know which there are. */
  modules?: number[];
  good_company?: string[] | null;
  real_obstacles?: number | null;
  youngest?: number | null;
  open_rubles?: boolean;
  open_hands?: boolean;
}

export interface RulesetOptions {
  /** Seat of the youngest player; null: a random seat. */
  youngest: number | null;
  open_rubles: boolean;
  open_hands: boolean;
  /** With module 2: the cards of it that take part; null: all. */
  good_company: string[] | null;
  /** With module 6: the number of real obstacles; null: the standard set-up. */
  real_obstacles: number | null;
}

/** The game that is played at a table. */
export interface RulesetInfo {
  edition: Edition;
  players: number;
  market: boolean;
  /** Numbers of the modules in play. */
  modules: number[];
  options: RulesetOptions;
}

export interface EventInfo {
  event: string;
  name: string;
  description: string;
}

export interface ObstacleInfo {
  /** Where on the score track it lies. */
  space: number;
  tile: string;
  /** Condition and bonus in one line. */
  description: string;
  /** What a player must have to pass; null for a bonus tile. */
  needs: string | null;
  bonus: string;
}

export interface AssignmentInfo {
  number: number;
  description: string;
  /** Its points if the game ended now; null where that depends on rubles that the viewer does not see. */
  worth: number | null;
  chosen: boolean;
}

/** What lies on the table beside the cards. */
export interface ModuleState {
  /** Market: the points for the most and the second most goods in this round. */
  value_tile: number[] | null;
  /** Market: the goods tiles that nobody has. */
  tile_supply: string[];
  events_left: EventInfo[];
  obstacles: ObstacleInfo[];
  /** The viewer's own ones. */
  assignments: AssignmentInfo[];
}

/** What lies in front of a player beside the cards. */
export interface PlayerModules {
  /** Market: goods by name; null without the Market. */
  goods: Record<string, number> | null;
  assistants: string[];
  /** null without the Events. */
  event_used: boolean | null;
  /** Spaces of the tiles that were passed. */
  passed_obstacles: number[];
  /** The space of the obstacle that holds the player back. */
  stuck_at: number | null;
}

export interface PriceStep {
  /** In words, such as 'same name: 2 Fur Trappers'. */
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
  /** How the price comes about, beginning with the printed cost. */
  steps: PriceStep[];
  /** A slip here is costly: ask again. */
  confirm: boolean;
}

/** Why something cannot be done with a card now. */
export interface Reason {
  key: ReasonKey;
  /** The whole sentence. */
  text: string;
  /** With the key `price`: how many rubles are missing. */
  missing: number | null;
}

export interface DisplayCard {
  card: string;
  cost: number;
  /** Your cheapest price now, null for spectators and for cards that cannot be bought. */
  price: number | null;
  buy: boolean;
  take: boolean;
  /** What stands against buying it, and against taking it. */
  why_not: Reason[];
  /** Places in `choices` of the state. */
  choices: number[];
}

export interface HandView {
  pile: string;
  /** null where only the back is known. */
  card: string | null;
  /** Your cheapest price now; null on the hands of others and for cards that cannot be played for rubles. */
  price: number | null;
  /** Why one of your own cards cannot be played now. */
  why_not: Reason[];
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

/** A seat and what lies there; what has a default has it until the cards are dealt. */
export interface PlayerState {
  /** Market: goods by name; null without the Market. */
  goods: Record<string, number> | null;
  assistants: string[];
  /** null without the Events. */
  event_used: boolean | null;
  /** Spaces of the tiles that were passed. */
  passed_obstacles: number[];
  /** The space of the obstacle that holds the player back. */
  stuck_at: number | null;
  seat: number;
  /** Empty for a free seat. */
  name: string;
  /** The level of a bot, null for people. */
  bot: string | null;
  connected: boolean;
  /** A bot plays for this person. */
  away: boolean;
  /** null where the viewer may not know them. */
  rubles: number | null;
  points: number;
  hand: HandView[];
  hand_limit: number;
  area: AreaCard[];
  /** What the next scoring of each phase would bring. */
  income: Income[];
  different_nobles: number;
  noble_points: number;
  /** What one more different noble would add. */
  next_noble_points: number;
  /** Score if the game ended now, where the viewer may know it. */
  projected: number | null;
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

/** The whole table as the viewer may see it; sent after every change.      What has a default has it until the cards are dealt. */
export interface TableState {
  type: "state";
  table: string;
  version: number;
  status: Status;
  /** Your seat, null for spectators. */
  you: number | null;
  ruleset: RulesetInfo;
  round: number;
  phase: string;
  phases: string[];
  /** The kind of decision that is due. */
  due: string | null;
  /** What is asked of you, or whom the table waits for. */
  question: string;
  to_move: number | null;
  last_round: boolean;
  /** By phase: the seat that begins. */
  tokens: Record<string, number>;
  /** By pile: how many cards are left. */
  piles: Record<string, number>;
  row1: DisplayCard[];
  row2: DisplayCard[];
  /** The card being looked at, if you may see it. */
  drawn: string | null;
  /** Your cheapest price for the drawn card. */
  drawn_price: number | null;
  /** What you cannot do with the drawn card, and why. */
  drawn_why_not: Reason[];
  /** Places in `choices` that are about the drawn card. */
  drawn_choices: number[];
  discard: string[];
  /** Cards out of the game. */
  out: string[];
  /** By pile: the cards whose place the viewer does not know, with their number. */
  remaining: Record<string, Record<string, number>>;
  players: PlayerState[];
  choices: Choice[];
  can_undo: boolean;
  auto_pass: "change" | "phase" | "off";
  modules: ModuleState;
  /** The newest lines; earlier ones with GET /api/tables/ID/log. */
  log: LogLine[];
  chat: ChatLine[];
  final: FinalLine[] | null;
  winners: number[] | null;
  /** Table of the rematch once there is one. */
  rematch: string | null;
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
  /** Whether the screen shows cards that others took openly (12.2). */
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
  /** Belongs to the seat: the seat's own link is /table/ID?seat=TOKEN and works on any device. */
  seat_token: string | null;
}

export interface TableSummary {
  table: string;
  status: Status;
  ruleset: RulesetInfo;
  /** null for a free seat. */
  names: (string | null)[];
  /** Level of a bot, null for people. */
  bots: (string | null)[];
  round: number | null;
  to_move: number | null;
  you: number | null;
  your_turn: boolean;
  public: boolean;
  updated: string;
  winners: number[] | null;
  /** Your own, only from GET /api/tables/ID: for the link to your seat. */
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
  /** Its name in the first edition. */
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

export interface ModuleInfo {
  number: number;
  name: string;
  description: string;
  needs_market: boolean;
  /** The cards of it that can be left out one by one; only Good Company has some. */
  cards: string[];
}

/** GET /api/meta?language=de: what a new table can be made of. */
export interface Meta {
  levels: LevelInfo[];
  modules: ModuleInfo[];
}

/** Body of every answer that is not a success. */
export interface ApiError {
  code: ErrorCode;
  message: string;
}

/** POST /api/tables/ID/join; without a seat any free one. */
export interface JoinRequest {
  seat?: number | null;
}

/** One paragraph of the rules. */
export interface RuleText {
  /** Such as 5.1; null for a paragraph without a number. */
  number: string | null;
  /** Markdown. */
  text: string;
}

/** A part of the rules under one heading. */
export interface RuleSection {
  number: string | null;
  title: string;
  /** 2 for sections, 3 for parts of them. */
  level: number;
  rules: RuleText[];
}

/** GET /api/rules?language=de: the rules as we play them, whole and in pieces. */
export interface RuleBook {
  language: Language;
  title: string;
  markdown: string;
  sections: RuleSection[];
}

/** Points of one source in one round. */
export interface RacePart {
  /** null for the final scoring. */
  round: number | null;
  /** Cards of a colour, exchange cards of all colours, bought points (pub, Trading House), tiles of the track … */
  source: RaceSource;
  /** One number for every seat. */
  points: number[];
  /** The step of the replay that brought the last of them. */
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

/** GET /api/tables/ID/replay?step=N&seat=S&language=de: a finished game after so many steps. */
export interface ReplayStep {
  steps: number;
  step: number;
  state: TableState;
  /** Per step the expected final score of every seat, as far as it has been computed. */
  evaluation: number[][];
}

export interface GuideStep {
  title: string;
  text: string;
  state: TableState;
  /** The action that the learner is asked for, one of `choices`; null where there is only something to read. */
  expected: string | null;
  /** What to say to another legal action. */
  otherwise: string | null;
  /** The part of the table that the text is about. */
  point: GuidePoint;
}

/** GET /api/guide?language=de: the worked example of the rules, seen from the learner's seat. */
export interface Guide {
  steps: GuideStep[];
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
  /** Another player's seat: somebody who has been gone for a while may be replaced. */
  seat?: number | null;
}

export interface LanguageChange {
  type: "language";
  language: Language;
}

export interface Ping {
  type: "ping";
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
  code: ErrorCode;
  message: string;
}

export interface Pong {
  type: "pong";
}

export type ClientMessage = Act | Undo | AutoPass | Chat | HintRequest | Away | LanguageChange | Ping;

export type ServerMessage = TableState | HintReply | ErrorReply | Pong;
