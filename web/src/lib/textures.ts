import type { RaceSource } from "./protocol";

/** Sources of points differ by texture, too: lines on a tile of 6 by 6, drawn over their colour. */
export const TEXTURES: Record<RaceSource, string> = {
  worker: "M-1 7L7-1M-1 1L1-1M5 7L7 5",
  market: "M0 3h6",
  building: "M3 0v6",
  noble: "M3 2.2v1.6M2.2 3h1.6",
  exchange: "M0 0L6 6M0 6L6 0",
  pub: "M-1-1L7 7M-1 5L1 7M5-1L7 1",
  obstacles: "M0 4.5L3 1.5L6 4.5",
  other: "",
  final_nobles: "M1 1.5h1M4 4.5h1",
  assignment: "M0 1.5h6M0 4.5h6",
  rubles: "M0 .5h6M0 3.5h6M1.5.5v3M4.5 3.5v3",
  hand: "M0 3h6M3 0v6",
  final_obstacles: "M0 3L3 0L6 3M0 6L3 3L6 6",
};

/** Shapes of 12 by 12 for the seats, around zero: each player's mark in a chart has its own. */
export const SEAT_SHAPES = [
  "M0-5.4A5.4 5.4 0 1 1 0 5.4A5.4 5.4 0 1 1 0-5.4Z",
  "M-4.8-4.8H4.8V4.8H-4.8Z",
  "M0-6.4L6.4 0L0 6.4L-6.4 0Z",
  "M0-6L6 5H-6Z",
  "M0 6L6-5H-6Z",
] as const;
