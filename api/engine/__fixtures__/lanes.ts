import type { CommitResult } from "../commit-store.ts";
import { type LaneEvent, type LaneState, laneAtStart, type UnitEnd } from "../lane-state.ts";

/** A run with 200 units and four lanes. */
export const size = { units: 200, lanes: 4, concurrency: 20 };
export const hold = {
  lane: 3,
  attempt: 1,
  slots: 2,
  units: [0, 1, 2],
  spanMs: 1_000,
  spanMaxMs: 15_000,
  most: { queries: 780, requests: 8_000 },
  endsAt: 300_000,
  patientUntil: 900_000,
  isCareful: false,
  doubt: null,
};
export const start = laneAtStart(size, hold, 60_000, false, 0);
export const lane = (changes: Partial<LaneState>): LaneState => ({ ...start, ...changes });

export const result: CommitResult = {
  claimed: [],
  remaining: 100,
  done: 20,
  answered: 20,
  total: 200,
  status: "running",
  isBounded: false,
  slots: 2,
  notBefore: 0,
  isAlone: false,
};
export const finished = (...units: number[]) => units.map((unit) => ({ unit, chars: 10 }));
export const ended = (unit: number, end: UnitEnd): LaneEvent => ({
  kind: "unit-ended",
  unit,
  tookMs: 300,
  end,
  requests: 1,
  now: 500,
});
export const committed = (changes: Partial<CommitResult>, isLast = false): LaneEvent => ({
  kind: "committed",
  result: { ...result, ...changes },
  isLast,
  now: 700,
  until: 5_700,
});
