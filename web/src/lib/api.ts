import { PROTOCOL_VERSION } from "./protocol";
import type {
  ApiError,
  CardList,
  DailyArchive,
  DailyHome,
  DailyStandings,
  Evaluation,
  Explanations,
  Guide,
  GuideName,
  InvitationAccepted,
  JoinRequest,
  LinkInfo,
  LogLine,
  Me,
  Meta,
  NewDevice,
  NewTable,
  People,
  PeopleChange,
  PeopleSettings,
  PlayOn,
  NoticeInfo,
  NoticeRequest,
  OwnProfile,
  PasskeyOptions,
  PlayerProfile,
  PuzzleAnswered,
  PuzzleAsked,
  PuzzleNext,
  PlayerRatings,
  Race,
  RatingBoard,
  RatingFamily,
  ReplayStep,
  RuleBook,
  SeatChange,
  SeatReviewed,
  SpeakerList,
  SignedIn,
  TableChange,
  TableCreated,
  TableList,
  TablePlayers,
  TableRating,
  TableSummary,
  Tie,
  Turns,
  NewTournament,
  TournamentList,
  TournamentMade,
  TournamentState,
  VacationInfo,
} from "./protocol";
import { t } from "./i18n.svelte";
import { renew } from "./renewal";
import { settings } from "./settings.svelte";

/** Milliseconds until the table is where it moved to, and how often to look. */
const MOVING = 700;
const TRIES = 6;

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
  for (let left = TRIES; ; left--) {
    try {
      return await ask<T>(method, path, body);
    } catch (failure) {
      // nothing has changed then, so that it may be asked again, whatever it was
      if (!(failure instanceof Refusal) || failure.code !== "moved" || left <= 1) throw failure;
      await new Promise((resolve) => setTimeout(resolve, MOVING * (0.5 + Math.random())));
    }
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "Accept-Language": settings.language,
    "X-Nevsky-Protocol": String(PROTOCOL_VERSION),
  };
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(path, init);
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const error = (await answer.json().catch(() => null)) as ApiError | null;
  if (error?.code === "outdated") renew();
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
  myTables: (after: string | null = null) =>
    request<TableList>("GET", `/api/tables/mine${after ? `?after=${id(after)}` : ""}`),
  notices: () => request<NoticeInfo>("GET", "/api/notices"),
  changeNotices: (wanted: NoticeRequest) => request<NoticeInfo>("PUT", "/api/notices", wanted),
  addDevice: (device: NewDevice) => request<undefined>("POST", "/api/notices/devices", device),
  dropDevice: (endpoint: string) => request<undefined>("DELETE", "/api/notices/devices", { endpoint }),
  stopNotices: (token: string | null) =>
    request<undefined>("POST", `/api/notices/stop${token ? `?token=${id(token)}` : ""}`),
  tournaments: () => request<TournamentList>("GET", "/api/tournaments"),
  tournament: (tournament: string) => request<TournamentState>("GET", `/api/tournaments/${id(tournament)}`),
  makeTournament: (wanted: NewTournament) => request<TournamentMade>("POST", "/api/tournaments", wanted),
  joinTournament: (tournament: string, name: string | null) =>
    request<TournamentState>("POST", `/api/tournaments/${id(tournament)}/join`, { name }),
  leaveTournament: (tournament: string) => request<TournamentState>("POST", `/api/tournaments/${id(tournament)}/leave`),
  removeFromTournament: (tournament: string, player: number) =>
    request<TournamentState>("DELETE", `/api/tournaments/${id(tournament)}/players/${player}`),
  nextRound: (tournament: string) => request<TournamentState>("POST", `/api/tournaments/${id(tournament)}/round`),
  stopTournamentTable: (tournament: string, table: string) =>
    request<TournamentState>("DELETE", `/api/tournaments/${id(tournament)}/tables/${id(table)}`),
  endTournament: (tournament: string) => request<undefined>("DELETE", `/api/tournaments/${id(tournament)}`),
  vacation: () => request<VacationInfo>("GET", "/api/vacation"),
  beginVacation: (until: string) => request<VacationInfo>("PUT", "/api/vacation", { until }),
  endVacation: () => request<VacationInfo>("DELETE", "/api/vacation"),
  turns: () => request<Turns>("GET", "/api/turns"),
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
  review: (table: string, seat: number, known: number, language: string) =>
    request<SeatReviewed>("GET", `/api/tables/${id(table)}/review?seat=${seat}&known=${known}&language=${language}`),
  askReview: (table: string, seat: number, language: string) =>
    request<SeatReviewed>("POST", `/api/tables/${id(table)}/review?seat=${seat}&language=${language}`),
  playOn: (table: string, wanted: PlayOn) => request<TableCreated>("POST", `/api/tables/${id(table)}/play-on`, wanted),
  evaluation: (table: string) => request<Evaluation>("GET", `/api/tables/${id(table)}/evaluation`),
  race: (table: string) => request<Race>("GET", `/api/tables/${id(table)}/race`),
  people: () => request<People>("GET", "/api/people"),
  allow: (change: PeopleChange) => request<PeopleSettings>("PATCH", "/api/people", change),
  tie: (person: string, tie: Tie | null) => request<undefined>("PUT", `/api/people/${id(person)}`, { tie }),
  speakers: (table: string) => request<SpeakerList>("GET", `/api/tables/${id(table)}/speakers`),
  blockSpeaker: (table: string, speaker: string, blocked: boolean) =>
    request<undefined>("PUT", `/api/tables/${id(table)}/speakers`, { speaker, blocked }),
  invite: (table: string, person: string) => request<undefined>("POST", `/api/tables/${id(table)}/invitations`, { person }),
  accept: (invitation: string) => request<InvitationAccepted>("POST", `/api/invitations/${id(invitation)}/accept`),
  decline: (invitation: string) => request<undefined>("POST", `/api/invitations/${id(invitation)}/decline`),
  profile: () => request<OwnProfile>("GET", "/api/profile"),
  showProfile: (shown: boolean) => request<void>("PUT", "/api/profile", { public: shown }),
  deleteProfile: () => request<void>("DELETE", "/api/profile"),
  players: (table: string) => request<TablePlayers>("GET", `/api/tables/${id(table)}/players`),
  ratings: (family: RatingFamily, players: number, page: number) =>
    request<RatingBoard>("GET", `/api/ratings?family=${family}&players=${players}&page=${page}`),
  playerRatings: (player: string) => request<PlayerRatings>("GET", `/api/players/${id(player)}/ratings`),
  tableRating: (table: string) => request<TableRating>("GET", `/api/tables/${id(table)}/rating`),
  player: (player: string) => request<PlayerProfile>("GET", `/api/players/${id(player)}`),
  passkeyOptions: () => request<PasskeyOptions>("POST", "/api/profile/passkeys/options"),
  addPasskey: (credential: string) => request<void>("POST", "/api/profile/passkeys", { credential }),
  removePasskey: (key: string) => request<void>("DELETE", `/api/profile/passkeys/${id(key)}`),
  signInOptions: () => request<PasskeyOptions>("POST", "/api/profile/sign-in/options"),
  signIn: (credential: string) => request<SignedIn>("POST", "/api/profile/sign-in", { credential }),
  sendLink: (address: string) => request<void>("POST", "/api/profile/mail", { address }),
  removeMail: (address: string) => request<void>("DELETE", `/api/profile/mail/${id(address)}`),
  lookAtLink: (token: string) => request<LinkInfo>("POST", "/api/profile/link/look", { token }),
  useLink: (token: string) => request<SignedIn>("POST", "/api/profile/link", { token }),
  signOut: () => request<void>("POST", "/api/profile/sign-out"),
  signOutEverywhere: () => request<void>("POST", "/api/profile/sign-out-everywhere"),
  signOutDevice: (device: string) => request<void>("DELETE", `/api/profile/devices/${id(device)}`),
  exportUrl: () => "/api/profile/export",
  daily: () => request<DailyHome>("GET", "/api/daily"),
  dailyDeal: (deal: string) => request<DailyStandings>("GET", `/api/daily/${id(deal)}`),
  dailyTry: (deal: string) => request<TableCreated>("POST", `/api/daily/${id(deal)}/try`),
  dailyPractice: (deal: string) => request<TableCreated>("POST", `/api/daily/${id(deal)}/practice`),
  dailyArchive: (kind: "day" | "week", before: string | null) =>
    request<DailyArchive>("GET", `/api/daily/archive?kind=${kind}${before ? `&before=${id(before)}` : ""}`),
  nextPuzzle: (plain: boolean, skipped: string | null) =>
    request<PuzzleNext>("GET", `/api/puzzles/next?plain=${plain}${skipped ? `&not=${id(skipped)}` : ""}`),
  puzzle: (puzzle: string, language: string) => request<PuzzleAsked>("GET", `/api/puzzles/${id(puzzle)}?language=${language}`),
  answerPuzzle: (puzzle: string, action: string) =>
    request<PuzzleAnswered>("POST", `/api/puzzles/${id(puzzle)}?language=${settings.language}`, { action }),
  playPuzzleOn: (puzzle: string, levels: (string | null)[]) =>
    request<TableCreated>("POST", `/api/puzzles/${id(puzzle)}/play-on`, { levels }),
  recordUrl: (table: string) => `/api/tables/${id(table)}/record?language=${settings.language}`,
};
