// Made by tools/protocol_types.py from src/nevsky/server/protocol. Do not edit.

export type JsonValue = unknown;
export const PROTOCOL_VERSION = 2;

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
  | "busy"
  | "replaced"
  | "broken"
  | "shutting_down"
  | "moved"
  | "outdated"
  | "storage";

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

export type GuideName = "first" | "market" | "banquet" | "good_company" | "assistants" | "events" | "assignments" | "obstacles";

export type GuidePoint = "phases" | "row1" | "row2" | "question" | "hand" | "area" | "players" | "track" | "market" | "modules" | "end";

export type Tie = "follow" | "block";

export type Welcome = "all" | "friends" | "nobody";

export type NoticeKind = "turn" | "start" | "over" | "invite";

export type RatingFamily = "first" | "second" | "market" | "modules";

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
  /** Where the card will lie with the player; null if it does not come to them, or not at once. */
  to: "area" | "hand" | null;
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

/** How much time there is at a table with a clock. */
export interface PaceInfo {
  pace: "live" | "relaxed";
  /** The free part of each decision. */
  decision_seconds: number;
  /** What every player has beyond that for the whole game. */
  reserve_seconds: number;
}

/** Who sits on a seat. */
export interface PlayerInfo {
  seat: number;
  /** Empty for a free seat. */
  name: string;
  /** The level of a bot, null for people. */
  bot: string | null;
  connected: boolean;
  /** A bot plays for this person. */
  away: boolean;
  /** The player to move: what is left of the free part of the decision. */
  clock_seconds: number | null;
  /** What is left of the player's reserve, which is used when the free part is; null without a clock. */
  reserve_seconds: number | null;
  /** How many decisions in a row a bot has made because the player's time ran out. */
  missed: number;
  /** A bot plays to the end for this person, who comes last. */
  resigned: boolean;
  /** This person would end the game without a result. */
  wants_end: boolean;
  /** For whom a free seat is kept; null where it is for everybody. */
  reserved: string | null;
  /** Until when this person is away: a clock that counts days stands still for them. null if they are not. */
  vacation: string | null;
}

/** What lies in front of a player: nothing until the cards are dealt. */
export interface PlayerCards extends PlayerModules {
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
}

/** A seat: who sits there and what lies there. */
export interface PlayerState extends PlayerInfo, PlayerCards {
}

/** What a seat got beyond what its action says, at a scoring or from cards, events and tiles. */
export interface GainLine {
  seat: number;
  rubles: number;
  points: number;
}

export interface LogLine {
  number: number;
  round: number;
  phase: string;
  seat: number | null;
  text: string;
  /** The move was to pass. */
  passed: boolean;
  auto: boolean;
  /** A bot decided, since the player's time had run out. */
  late: boolean;
  /** What the line tells of, where it tells what players got. */
  gains?: GainLine[];
}

export interface ChatLine {
  seat: number | null;
  name: string;
  text: string;
  at: string;
  /** The same for all lines of one guest at this table, whatever their name; it says nothing else about them. */
  speaker: string;
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

export interface DailyMark {
  /** Its name: 2026-11-18, 2026-W47. */
  deal: string;
  /** Whether it is the try that counts: without hints, and nothing is taken back. */
  counts: boolean;
}

/** What all viewers see alike of a table: what it is, and what was said at it. */
export interface TableInfo {
  type: "state";
  table: string;
  status: Status;
  /** The seat of whoever may change the table before the start. */
  owner: number | null;
  public: boolean;
  show_seen_cards: boolean;
  ruleset: RulesetInfo;
  phases: string[];
  /** null without a clock. */
  clock: PaceInfo | null;
  /** No player is there: clocks stand still, and bots wait. */
  paused: boolean;
  /** Everybody but one has resigned: the game is over, without a final scoring. */
  conceded: boolean;
  chat: ChatLine[];
  /** Table of the rematch once there is one. */
  rematch: string | null;
  /** Where the deal of a day or a week is played. */
  daily: DailyMark | null;
  /** Whether the game changes the ratings of its players. */
  rated: boolean;
  /** Of which the game is a part. */
  tournament: string | null;
}

/** What lies openly on the table: nothing until the cards are dealt. */
export interface TableCards {
  round: number;
  phase: string;
  /** The kind of decision that is due. */
  due: string | null;
  to_move: number | null;
  last_round: boolean;
  /** By phase: the seat that begins. */
  tokens: Record<string, number>;
  /** By pile: how many cards are left. */
  piles: Record<string, number>;
  discard: string[];
  /** Cards out of the game. */
  out: string[];
  final: FinalLine[] | null;
  winners: number[] | null;
}

/** What all viewers see alike. */
export interface SharedState extends TableInfo, TableCards {
}

/** What each viewer sees in their own way: what they can do, what it costs them, and what they alone may know. */
export interface OwnCards {
  /** Your seat, null for spectators. */
  you: number | null;
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
  /** By pile: the cards whose place the viewer does not know, with their number. */
  remaining: Record<string, Record<string, number>>;
  choices: Choice[];
  /** Whether you may pass now or, while others decide, at your next turn of this phase. */
  may_pass: boolean;
  modules: ModuleState;
}

/** All that is different for each viewer, but for the log and how they see themselves. */
export interface OwnState extends OwnCards {
  /** Grows with every change that the viewer sees; patches say to which state they belong. */
  serial: number;
  version: number;
  /** What is asked of you, or whom the table waits for. */
  question: string;
  can_undo: boolean;
  auto_pass: "change" | "phase" | "off";
}

/** The whole table as the viewer may see it. */
export interface TableState extends SharedState, OwnState {
  /** The newest lines; earlier ones with GET /api/tables/ID/log. */
  log: LogLine[];
  players: PlayerState[];
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
  /** The free part of each decision; null: as usual at this pace. */
  decision_seconds?: number | null;
  /** What every player has beyond that for the whole game. */
  reserve_seconds?: number | null;
  /** Whether the screen shows cards that others took openly (12.2). */
  show_seen_cards?: boolean;
  /** Whether the game changes ratings: for people with a profile, without bots and with a clock. */
  rated?: boolean;
}

export interface NameRequest {
  name: string;
}

export interface Me {
  name: string;
  /** Whether you have chosen it. */
  named: boolean;
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
  /** For whom a free seat is kept; null where it is for everybody. */
  reserved: (string | null)[];
  /** The seat of whoever may change the table before the start. */
  owner: number | null;
  /** null without a clock. */
  clock: PaceInfo | null;
  /** Level of a bot, null for people. */
  bots: (string | null)[];
  round: number | null;
  to_move: number | null;
  you: number | null;
  your_turn: boolean;
  public: boolean;
  updated: string;
  /** When whoever is to move runs out of time, at relaxed tables whose clock runs. */
  deadline: string | null;
  winners: number[] | null;
  /** The final score of every seat, once the game is over. */
  scores: number[] | null;
  resigned: boolean[];
  /** You are the only person who sits there, so you may delete it. */
  deletable: boolean;
  /** Your own, only from GET /api/tables/ID: for the link to your seat. */
  seat_token: string | null;
  rematch: string | null;
  rated: boolean;
  /** By seat, in lists of games: for /player/ID, where somebody has such a page. */
  players: (string | null)[] | null;
  /**
   * By seat, only for the owner, from GET /api/tables/ID and what changes a table: what the link /table/ID?invitation=TOKEN of a seat
   * needs that is kept for somebody.
   */
  invitations: (string | null)[] | null;
}

export interface TableList {
  tables: TableSummary[];
  /** For ``?after=``: there are more tables than these. */
  next: string | null;
}

/** GET /api/notices: what you are told while you are not there. */
export interface NoticeInfo {
  /** The server's key, with which browsers subscribe; null where nothing is pushed. */
  key: string | null;
  kinds: NoticeKind[];
  /** From when until when nothing is sent, in minutes after midnight. */
  quiet: number[] | null;
  /** How many browsers get messages. */
  devices: number;
  /** Whether mail is sent as well; null where you have no address, or the server sends no mail. */
  mail: boolean | null;
}

/** PUT /api/notices. */
export interface NoticeRequest {
  kinds: NoticeKind[];
  quiet?: number[] | null;
  language: Language;
  /** Like Europe/Berlin. */
  zone: string;
  mail?: boolean;
}

export interface DeviceKeys {
  p256dh: string;
  auth: string;
}

/** POST /api/notices/devices: a subscription as browsers write it. */
export interface NewDevice {
  endpoint: string;
  keys: DeviceKeys;
  expirationTime?: number | null;
}

/** DELETE /api/notices/devices. */
export interface DeviceGone {
  endpoint: string;
}

/** GET /api/turns: where you are waited for. */
export interface Turns {
  number: number;
  /** The most urgent ones first; at most fifty. */
  tables: string[];
  /** Invitations that wait for you. */
  invited: number;
}

/** A card of the box, for pictures and explanations; loaded once with GET /api/cards?language=de. */
export interface CardInfo {
  card: string;
  name: string;
  /** Its name in the first edition. */
  name_first: string;
  /** The name with soft hyphens where its long words may be divided. */
  hyphens: string;
  hyphens_first: string;
  /** The name as what one buys, with its article: a Lumberjack, einen Holzfäller. */
  bought: string;
  bought_first: string;
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
  explanation_first: string;
  /** What its market symbols mean, which count only with the Market; empty where it has none. */
  symbols: string;
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
  id: string;
  /** Its guided round, if there is one. */
  guide: GuideName | null;
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
  /** What is usual at each pace with a clock. */
  paces: PaceInfo[];
  /** Whether tables can be rated. */
  ratings: boolean;
}

/** GET /api/explanations?language=de: what lies on a table beside the cards, in words. */
export interface Explanations {
  /** By topic: assistant, good, value, tiles, event, assignment, bonus, obstacle. */
  topics: Record<string, string>;
  /** What each assistant does. */
  assistants: Record<string, string>;
}

/** Body of every answer that is not a success. */
export interface ApiError {
  code: ErrorCode;
  message: string;
}

/** POST /api/tables/ID/join; without a seat any free one. */
export interface JoinRequest {
  seat?: number | null;
  /** Your name from now on, also at this table; one that somebody else has there is refused. */
  name?: string | null;
  /** Of the link /table/ID?invitation=TOKEN: the seat that is kept for you. */
  invitation?: string | null;
}

/** PUT /api/tables/ID/seats/N by the owner, before the start. Whoever sits there leaves the seat. */
export interface SeatChange {
  kind: "open" | "bot" | "reserved";
  /** Of a bot; null: a middle one. */
  level?: string | null;
  /** For whom a seat is kept. */
  name?: string | null;
}

/** PATCH /api/tables/ID by the owner, before the start; null leaves something as it is. */
export interface TableChange {
  /** With another number of players the last seats come or go; those that go must not be taken by people. */
  ruleset?: RulesetRequest | null;
  public?: boolean | null;
  /** With another pace the times are as usual there, unless they are set. */
  pace?: "live" | "relaxed" | "none" | null;
  decision_seconds?: number | null;
  reserve_seconds?: number | null;
  show_seen_cards?: boolean | null;
  /** Only as long as nobody else sits there can a table become rated. */
  rated?: boolean | null;
}

/** POST /api/tables/ID/start by the owner: bots take the free seats. */
export interface StartRequest {
  level?: string | null;
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
  /** Why it is not ready. */
  reason: "closing" | "gone" | "replaced" | "truncated" | "damaged" | "full" | "locked" | "readonly" | "io_error" | "unreachable" | null;
}

/** GET /api/tables/ID/replay?step=N&seat=S&language=de: a finished game after so many steps. */
export interface ReplayStep {
  steps: number;
  step: number;
  state: TableState;
}

/**
 * GET /api/tables/ID/evaluation: what a search expects of a finished game, for the deal and after each step.      As far as it has been
 * computed, which takes a while the first time: ask again until there is one entry more     than there are steps.
 */
export interface Evaluation {
  steps: number;
  /** The final score of every seat. */
  scores: number[][];
  /** The chance to win of every seat, from 0 to 1. */
  chances: number[][];
}

/** One decision beside the best one that was found, by what the seat could know at the time. */
export interface JudgedDecision {
  /** The step of the replay at which it was due. */
  step: number;
  round: number;
  phase: string;
  mark: "best" | "good" | "inaccuracy" | "mistake" | "blunder";
  played: string;
  played_label: string;
  /** The action it was compared with: the best one, or the second best if the best one was played. */
  better: string;
  better_label: string;
  /** Points lost; below 0 what the other action would have lost. */
  behind: number;
  /** By how much this may be wrong (95 %). */
  doubt: number;
  /** The part of the win that was lost, from 0 to 1, and by how much this may be wrong. */
  lost: number;
  lost_doubt: number;
  /** The chance to win after it. */
  chance: number;
  /** Whether the difference is more than noise. */
  sure: boolean;
  playouts: number;
  /** What speaks for the other action, and for or against the one that was played. */
  why: string;
  why_not: string;
}

/** How good the deal of a finished game was for a seat: quick bots on all seats played it, and other deals. */
export interface DealLuck {
  /** What they make of this deal on this seat. */
  points: number;
  /** What they make of others. */
  average: number;
  /** The difference of the two. */
  luck: number;
  /** By how much it may be wrong (95 %). */
  doubt: number;
  /** To win with this deal, from 0 to 1. */
  chance: number;
  chance_luck: number;
  chance_doubt: number;
  /** The share of other deals that give the seat fewer points, from 0 to 1. */
  better: number;
  /** Whether the difference is more than noise. */
  sure: boolean;
  /** The points that the seat made in this game; null if it was not played to its end. */
  made: number | null;
  games: number;
  deals: number;
}

/** GET /api/tables/ID/players: who on the seats has a page. */
export interface TablePlayers {
  /** For /player/ID; null for everybody else. */
  players: (string | null)[];
}

/**
 * GET /api/tables/ID/review?seat=N: how well a seat of a finished game played, as far as it is known.      POST asks for it. Then ask
 * again, with the number of decisions in `known`, until there are `total`, and the luck.
 */
export interface SeatReviewed {
  seat: number;
  asked: boolean;
  failed: boolean;
  /** Decisions with a choice. */
  total: number;
  decisions: JudgedDecision[];
  /** From 0 to 100. */
  accuracy: number | null;
  phases: Record<string, number>;
  marks: Record<string, number>;
  /** The steps of the decisions on which most depended, once all are known. */
  moments: number[];
  /** null until it is known. */
  luck: DealLuck | null;
  /** How much of what it takes to know it is done, from 0 to 1. */
  luck_done: number;
}

/** POST /api/tables/ID/play-on: a new private table that begins where a finished game stood. */
export interface PlayOn {
  step: number;
  /** Yours. What it could not know at that step is dealt anew. */
  seat: number;
  /** Of the bots, by seat (yours is not looked at), or one for all of them; null is a middle one. */
  levels: (string | null)[];
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

/** GET /api/guide?language=de&which=market: a guided round, seen from the learner's seat. */
export interface Guide {
  steps: GuideStep[];
}

export interface DailyBot {
  level: string;
  name: string;
}

export interface DailyTry {
  table: string;
  /** `late`: not finished in time. `gone`: ended without a result, or deleted. */
  status: "playing" | "over" | "late" | "gone";
  score: number | null;
  /** At the table, among the bots. */
  place: number | null;
}

export interface DailyDeal {
  /** Its name, and that of a day or a week in UTC: 2026-11-18, 2026-W47. */
  deal: string;
  kind: "day" | "week";
  /** `closing`: nobody can begin any more, and whoever has begun may finish. */
  stage: "open" | "closing" | "published";
  /** Until when a try that counts can begin. */
  ends: string;
  /** Until when it has to be finished; then the seed is published, and everybody may see all tries. */
  closes: string;
  ruleset: RulesetInfo;
  seat: number;
  /** By seat; null is where you sit. */
  bots: (DailyBot | null)[];
  /** How many have begun. */
  players: number;
  /** SHA-256 of the seed. */
  commitment: string;
  /** Once it is published. `Game(ruleset, seed)` deals the game. */
  seed: string | null;
  /** Your try that counts. */
  own: DailyTry | null;
}

/** GET /api/daily: the deals of today and of this week; none where they are switched off. */
export interface DailyHome {
  deals: DailyDeal[];
  /** Days in a row whose deal you have played to the end, up to today or yesterday. */
  streak: number;
}

export interface DailyScore {
  rank: number;
  name: string;
  /** For /player/ID, if they have such a page. */
  player: string | null;
  score: number;
  place: number;
  you: boolean;
}

/** GET /api/daily/DEAL. Until you have finished your own try, scores are kept from you while the deal is played. */
export interface DailyStandings {
  deal: DailyDeal;
  /** Whether you may see the scores. */
  shown: boolean;
  finished: number;
  median: number | null;
  /** What the master made of the same seat, as soon as that is known. */
  master: number | null;
  /** Your own place among all. */
  rank: number | null;
  /** The best of all, and your own. */
  scores: DailyScore[];
}

/** GET /api/daily/archive: what was played before, newest first. */
export interface DailyArchive {
  deals: DailyDeal[];
  /** For ``?before=``. */
  next: string | null;
}

/** How you have done so far. */
export interface PuzzleSolver {
  rating: number;
  tries: number;
  solved: number;
}

/** GET /api/puzzles/next: one that you have not tried, about as hard as you are good. */
export interface PuzzleNext {
  /** null: you have tried all of them. */
  puzzle: string | null;
  left: number;
  all: number;
  solver: PuzzleSolver;
}

/** What a legal action is worth beside the best one. */
export interface PuzzleValue {
  action: string;
  label: string;
  mark: "best" | "good" | "inaccuracy" | "mistake" | "blunder";
  /** Points at the end of the game that it loses against the best one, and by how much this may be wrong (95 %). */
  behind: number;
  doubt: number;
  /** To win, from 0 to 1. */
  chance: number;
  why: string;
}

/** What is best and why: for whoever has answered. */
export interface PuzzleSolution {
  /** Your answer. */
  action: string;
  best: string;
  solved: boolean;
  /** By how much the best action is ahead of the next one, and by how much this may be wrong (95 %). */
  points: number;
  doubt: number;
  /** The same as a part of the win, from 0 to 1. */
  chance: number;
  chance_doubt: number;
  playouts: number;
  /** Of all legal actions, the best first. */
  values: PuzzleValue[];
}

/** GET /api/puzzles/ID: a position from the seat whose turn it is. Nothing in it follows from what is best. */
export interface PuzzleAsked {
  puzzle: string;
  rating: number;
  tries: number;
  solved: number;
  state: TableState;
  /** Only if you have tried it. */
  solution: PuzzleSolution | null;
  solver: PuzzleSolver;
}

/** POST /api/puzzles/ID: an action of `choices`. */
export interface PuzzleAnswer {
  action: string;
}

export interface PuzzleAnswered {
  solution: PuzzleSolution;
  /** Of your rating; null where it was not your first try. */
  change: number | null;
  solver: PuzzleSolver;
}

/** POST /api/puzzles/ID/play-on: a private table that begins there; what the seat cannot know is dealt anew. */
export interface PuzzlePlayOn {
  /** Of the bots, by seat (yours is not looked at), or one for all of them; null is a middle one. */
  levels: (string | null)[];
}

export interface PasskeyInfo {
  id: string;
  name: string;
  created: string;
  last_used: string;
}

export interface DeviceInfo {
  id: string;
  /** Browser and system; empty where nothing is known. */
  name: string;
  created: string;
  last_used: string;
  /** This is the one that asks. */
  here: boolean;
}

/** GET /api/profile. A guest without a profile has nothing to sign in with, and may stay so. */
export interface OwnProfile {
  /** For /player/ID; null without a profile. It is what others know one by, and good for nothing else. */
  id: string | null;
  name: string;
  created: string | null;
  /** Whether others may see the page of the profile. */
  public: boolean;
  offers_passkeys: boolean;
  offers_mail: boolean;
  passkeys: PasskeyInfo[];
  mail: string[];
  devices: DeviceInfo[];
}

/** PUT /api/profile. */
export interface ProfileChange {
  public: boolean;
}

/** What navigator.credentials needs. */
export interface PasskeyOptions {
  /** JSON, for PublicKeyCredential.parseCreationOptionsFromJSON and parseRequestOptionsFromJSON. */
  options: string;
}

/** What navigator.credentials has answered. */
export interface PasskeyAnswer {
  /** JSON, as the toJSON of the credential gives it. */
  credential: string;
}

/** POST /api/profile/mail: a link goes there, whether we know the address or not. */
export interface MailRequest {
  address: string;
}

export interface LinkRequest {
  token: string;
}

/** What the link of a mail would do. */
export interface LinkInfo {
  address: string;
  /** Of the profile that it signs in to, or that gets the address. */
  name: string;
  /** The address belongs to a profile: this browser is signed in to it. Else it is given to whoever asked for it. */
  signs_in: boolean;
  /** This browser has asked for it. */
  here: boolean;
}

export interface SignedIn {
  /** Seats at tables where the profile has another: they stay apart, and their links let you in. */
  twice: TableCreated[];
}

export interface Results {
  games: number;
  won: number;
  average: number;
  best: number;
}

export interface RulesetResults {
  games: number;
  won: number;
  average: number;
  best: number;
  ruleset: RulesetInfo;
}

export interface OpponentResults {
  games: number;
  won: number;
  average: number;
  best: number;
  /** Of the bots; null where people played as well, and ``mixed`` for bots of several levels. */
  level: string | null;
}

export interface CardCount {
  card: string;
  number: number;
}

/** GET /api/players/ID: the finished games of a profile. */
export interface PlayerProfile {
  id: string;
  name: string;
  since: string;
  you: boolean;
  /** null before the first finished game. */
  all: Results | null;
  rulesets: RulesetResults[];
  opponents: OpponentResults[];
  /** Those that were laid most often in the newest games. */
  cards: CardCount[];
  /** Finished games that everybody may see; your own also if they are private. */
  recent: TableSummary[];
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

/** Let a bot play to the end for me, and come last. */
export interface Resign {
  type: "resign";
}

/** End the game without a result: at once if I am alone with bots, else when all agree who are not away. */
export interface EndGame {
  type: "end_game";
  agree?: boolean;
}

export interface LanguageChange {
  type: "language";
  language: Language;
}

/** How quickly I would like bots to move here; the slowest wish of the players counts. */
export interface BotSpeedChange {
  type: "bot_speed";
  speed: "slow" | "normal" | "quick" | "instant";
}

/** Send me the whole state: a patch came that does not fit the one I have. */
export interface Refresh {
  type: "refresh";
}

export interface Ping {
  type: "ping";
}

/** One operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  op: "add" | "replace" | "remove";
  /** Such as ``/players/1/rubles``; ``/log/-`` is the end of a list. */
  path: string;
  /** With ``add`` and ``replace``. */
  value?: JsonValue;
}

/** What has changed since the state with the serial `base`; the result has the serial `serial`. */
export interface StatePatch {
  type: "patch";
  base: number;
  serial: number;
  patch: PatchOperation[];
}

export interface SuggestionLine {
  action: string;
  label: string;
  /** The final score. */
  expected: number | null;
  /** Points that it costs against the best action, which costs 0. */
  behind: number | null;
  /** Whether it may be as good as the best action: the difference is within the uncertainty. */
  close: boolean;
  /** The chance to win of every seat, from 0 to 1; empty if there is no choice. */
  chances: number[];
  reason: string;
}

export interface HintReply {
  type: "hint";
  version: number;
  /** The best first; the same for the same position whenever it is asked for, if they are thorough. */
  suggestions: SuggestionLine[];
  /** How often each action was played out. */
  playouts: number | null;
  /** False if time ran out before that was as often as planned. */
  thorough: boolean;
}

export interface ErrorReply {
  type: "error";
  code: ErrorCode;
  message: string;
  /** The type of the message that was refused, where it was one. */
  about: string | null;
}

export interface Pong {
  type: "pong";
}

/** Something concerns you that is not at this table, such as an invitation: GET /api/turns tells. */
export interface Nudge {
  type: "nudge";
}

/** Somebody else. Names are not unique and change; `person` is always the same. */
export interface PersonInfo {
  person: string;
  name: string;
  online: boolean;
  /** Whether you follow or block them. */
  tie: Tie | null;
  /** Whether they would hear of an invitation of yours. */
  invitable: boolean;
  /** Whether there is a page /player/PERSON about them. */
  page: boolean;
}

export interface PeopleSettings {
  /** Who may invite you: all whom you met or who see you in the lobby, only those whom you follow, or nobody. */
  invitations: Welcome;
  /** Whether others see that you are online. */
  shown: boolean;
}

/** PATCH /api/people; null leaves something as it is. */
export interface PeopleChange {
  invitations?: Welcome | null;
  shown?: boolean | null;
}

/** GET /api/people: everybody whom you may want to play with. */
export interface People {
  own: PeopleSettings;
  /** Whom you follow, those who are online first. */
  friends: PersonInfo[];
  /** With whom you have played, the last ones first. */
  recent: PersonInfo[];
  /** Others who are online and let themselves be seen. */
  here: PersonInfo[];
  blocked: PersonInfo[];
}

/** PUT /api/people/PERSON: follow somebody, block them, or neither. */
export interface TieRequest {
  tie: Tie | null;
}

/** PUT /api/tables/ID/speakers: block whoever wrote in the chat, or no longer. */
export interface SpeakerRequest {
  speaker: string;
  blocked: boolean;
}

/** GET /api/tables/ID/speakers: the marks that those whom you block have in this chat. */
export interface SpeakerList {
  speakers: string[];
}

/** POST /api/tables/ID/invitations: ask somebody to come to the table where you sit. */
export interface InvitationRequest {
  person: string;
}

/** You are invited to a table. */
export interface InvitationInfo {
  invitation: string;
  person: string;
  name: string;
  table: string;
  ruleset: RulesetInfo;
  /** Until it expires. */
  seconds: number;
}

/** POST /api/invitations/ID/accept: sit down at this table. */
export interface InvitationAccepted {
  table: string;
}

/** The whole lobby. */
export interface LobbyState {
  type: "lobby";
  /** Names this edition: with ``?since=`` it is not sent again as long as nothing has changed. */
  stamp: string;
  /** Guests with a connection, at tables or in the lobby, at all servers. */
  online: number;
  /** How many of them wait to be matched. */
  waiting: number;
  /** Whether one may wait here. */
  matching: boolean;
  /** Public ones with free seats, the newest first, as far as they fit on the first page. */
  tables: TableSummary[];
}

/** What has changed since the edition `base`. */
export interface LobbyUpdate {
  type: "lobby_update";
  base: string;
  stamp: string;
  online: number;
  waiting: number;
  matching: boolean;
  /** New ones, and those that look different now. */
  put: TableSummary[];
  gone: string[];
}

/** Match me with others who wait, now. It replaces what I wished for before, and ends with the connection. */
export interface Wish {
  type: "wish";
  /** Those that I would play. */
  editions: Edition[];
  /** With the Market or without; null: either. */
  market?: boolean | null;
  /** How many may play; five only with the Market. */
  seats: number[];
  /** Seconds after which bots may take the places of those who are missing; null: never. */
  bots_after?: number | null;
  /** Of what I say about wishes through this connection; `own` tells up to which one it knows. */
  number?: number;
}

/** I do not wait any longer. */
export interface Unwish {
  type: "unwish";
  /** As of `wish`. */
  number?: number;
}

/** What concerns only you. */
export interface LobbyOwn {
  type: "own";
  /** What you wait for; null if you do not wait. */
  wish: Wish | null;
  /** For how long you have waited. */
  seconds: number;
  /** The table that was just made for you and others: go there. */
  table: string | null;
  /** Of people who would like to play with you, the newest first. */
  invitations: InvitationInfo[];
  /** Of the last wish, or the last word that you do not wait any longer, which this takes into account. */
  number: number;
}

export interface RatingInfo {
  rating: number;
  /** Two standard deviations. */
  uncertainty: number;
  games: number;
}

export interface RatingLine {
  rating: number;
  /** Two standard deviations. */
  uncertainty: number;
  games: number;
  /** Among people; null for bots. */
  rank: number | null;
  /** null for bots. */
  name: string | null;
  /** For /player/ID; null for bots. */
  player: string | null;
  /** Of a bot. */
  level: string | null;
  you: boolean;
}

/** GET /api/ratings?family=second&players=2&page=0: who is strongest. */
export interface RatingBoard {
  family: RatingFamily;
  players: number;
  page: number;
  pages: number;
  /** Whoever has played fewer rated games is not in it. */
  least: number;
  people: number;
  lines: RatingLine[];
}

export interface RatingPoint {
  table: string;
  at: string;
  rating: number;
  uncertainty: number;
  place: number;
}

export interface PlayerRating {
  rating: number;
  /** Two standard deviations. */
  uncertainty: number;
  games: number;
  family: RatingFamily;
  players: number;
  /** After each of the newest games, the oldest first. */
  points: RatingPoint[];
}

/** GET /api/players/ID/ratings: by what was played, that with most games first. */
export interface PlayerRatings {
  ratings: PlayerRating[];
}

export interface SeatRating {
  rating: number;
  /** Two standard deviations. */
  uncertainty: number;
  games: number;
  seat: number;
  /** By what this game has changed the rating; null while it is not over, and where it did not count. */
  change: number | null;
}

/** GET /api/tables/ID/rating: the ratings of those who sit at a rated table, as far as they have one. */
export interface TableRating {
  /** `void`: it did not count, since the same people have played too many rated games today, or everybody left. */
  status: "due" | "done" | "void";
  family: RatingFamily;
  seats: SeatRating[];
}

/** GET /api/vacation: whether the clocks of your games over days stand still. */
export interface VacationInfo {
  /** Until when you are away; null if you are not. */
  until: string | null;
  /** For how many days you could go away now. */
  days: number;
  /** How many days in a row there may be; 0 where nobody can go away. */
  longest: number;
  /** How many days within a year. */
  year: number;
}

/** PUT /api/vacation: from now on. */
export interface VacationRequest {
  until: string;
}

/** POST /api/tournaments. As many play at a table as the ruleset says, or fewer where numbers do not divide. */
export interface NewTournament {
  name: string;
  ruleset?: RulesetRequest;
  rounds?: number;
  pace?: "live" | "relaxed";
  /** The free part of each decision; null: as usual at this pace. */
  decision_seconds?: number | null;
  reserve_seconds?: number | null;
  public?: boolean;
  /** Whether each round begins as soon as the one before is over; else its maker begins it. */
  automatic?: boolean;
}

export interface TournamentMade {
  tournament: string;
}

/** POST /api/tournaments/ID/join. */
export interface TournamentJoin {
  /** Your name from now on. */
  name: string | null;
}

export interface TournamentInfo {
  tournament: string;
  name: string;
  /** `ended`: by its maker, before the last round was over. */
  status: "open" | "playing" | "over" | "ended";
  public: boolean;
  ruleset: RulesetInfo;
  clock: PaceInfo;
  rounds: number;
  /** The present one; 0 before the start. */
  round: number;
  automatic: boolean;
  players: number;
  /** Whether you have made it. */
  maker: boolean;
  updated: string;
}

/** GET /api/tournaments. */
export interface TournamentList {
  /** That you have made or take part in. */
  mine: TournamentInfo[];
  /** Others that are public and not over. */
  public: TournamentInfo[];
}

export interface TournamentPlayer {
  player: number;
  name: string;
  /** They play in no further round. */
  dropped: boolean;
}

export interface TournamentSeat {
  /** null for a bot. */
  player: number | null;
  name: string | null;
  /** null while the game goes on, and for whoever gets nothing. */
  place: number | null;
  score: number | null;
  points: number | null;
}

export interface TournamentGame {
  round: number;
  table: string;
  /** `ended`: stopped by the maker. `given_up`: by its players. `gone`: the table was deleted. */
  status: "playing" | "over" | "ended" | "given_up" | "gone";
  seats: TournamentSeat[];
}

export interface TournamentLine {
  /** Equals share one. */
  place: number;
  player: number;
  points: number;
  wins: number;
  /** The own part of the scores at one's tables, summed up over the games. */
  share: number;
  games: number;
}

/** GET /api/tournaments/ID. */
export interface TournamentState {
  info: TournamentInfo;
  /** Which player you are. */
  you: number | null;
  most_players: number;
  players: TournamentPlayer[];
  games: TournamentGame[];
  standings: TournamentLine[];
}

export type ClientMessage =
  | Act
  | Undo
  | AutoPass
  | Chat
  | HintRequest
  | Away
  | Resign
  | EndGame
  | LanguageChange
  | BotSpeedChange
  | Refresh
  | Ping;

export type ServerMessage = TableState | StatePatch | HintReply | ErrorReply | Pong | Nudge;

export type LobbyClientMessage = Wish | Unwish | Ping;

export type LobbyServerMessage = LobbyState | LobbyUpdate | LobbyOwn | ErrorReply | Pong;
