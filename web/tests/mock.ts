import type { Choice, DisplayCard, PlayerState, RulesetInfo, TableState } from "../src/lib/protocol";

export function choice(action: string, more: Partial<Choice> = {}): Choice {
  const [verb = "", card = null] = action.split(" ");
  return { action, label: action, verb, card, row: null, onto: null, to: null, price: null, steps: [], confirm: false, ...more };
}

export function displayCard(card: string, choices: number[] = [], more: Partial<DisplayCard> = {}): DisplayCard {
  return { card, cost: 5, price: 5, buy: choices.length > 0, take: false, why_not: [], choices, ...more };
}

export function player(seat: number, more: Partial<PlayerState> = {}): PlayerState {
  return {
    seat,
    name: `Player ${seat + 1}`,
    bot: null,
    connected: true,
    away: false,
    rubles: 25,
    points: 0,
    hand: [],
    hand_limit: 3,
    area: [],
    income: [],
    different_nobles: 0,
    noble_points: 0,
    next_noble_points: 1,
    projected: null,
    goods: null,
    assistants: [],
    event_used: null,
    passed_obstacles: [],
    stuck_at: null,
    clock_seconds: null, reserve_seconds: null, missed: 0, resigned: false, wants_end: false, reserved: null, vacation: null,
    ...more,
  };
}

const ruleset: RulesetInfo = {
  edition: "second",
  players: 2,
  market: false,
  modules: [],
  options: { youngest: null, open_rubles: false, open_hands: false, good_company: null, real_obstacles: null },
};

export function state(more: Partial<TableState> = {}): TableState {
  return {
    type: "state",
    serial: 1,
    table: "t",
    version: 1,
    status: "playing",
    you: 0,
    owner: 0,
    public: false,
    show_seen_cards: true,
    rated: false,
    conceded: false,
    ruleset,
    round: 1,
    phase: "building",
    phases: ["worker", "building", "noble", "exchange"],
    due: "turn",
    question: "Your turn.",
    to_move: 0,
    last_round: false,
    tokens: { worker: 0 },
    piles: { worker: 10 },
    row1: [],
    row2: [],
    drawn: null,
    drawn_price: null,
    drawn_why_not: [],
    drawn_choices: [],
    discard: [],
    out: [],
    remaining: {},
    players: [player(0), player(1)],
    choices: [],
    may_pass: true,
    can_undo: false,
    auto_pass: "off",
    clock: null,
    paused: false,
    modules: { value_tile: null, tile_supply: [], events_left: [], obstacles: [], assignments: [] },
    log: [],
    chat: [],
    final: null,
    winners: null,
    rematch: null,
    daily: null,
    tournament: null,
    ...more,
  };
}
