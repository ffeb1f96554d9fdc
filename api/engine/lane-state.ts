import type { CommitResult } from "./commit-store.ts";

/**
 * The state of a lane, without I/O: `stateAfter` returns the state after an event. `lane-decisions.ts` derives what to do
 * next, `lane.ts` does it. Times are Unix ms, durations ms.
 */

/** How long a finished sample may wait to be saved, so that several share one object. */
export const SAVE_AFTER_MS = 5_000;
/** D1 queries of a commit with answers, and of a check whether others wait, which also assigns free seats. */
const COMMIT_QUERIES = 8;
const CHECK_QUERIES = 4;

/** The size of a run, on which its lanes' decisions depend. */
export interface RunSize {
  units: number;
  /** On average; 1 if not given. */
  samplesPerUnit?: number;
  lanes: number;
  /** Maximum requests in flight over all lanes. */
  concurrency: number;
}

/** A lane as its holder took it. */
export interface LaneHold {
  lane: number;
  attempt: number;
  slots: number;
  units: number[];
  /** When the lane first checks whether others wait, and the longest time between two checks. */
  spanMs: number;
  spanMaxMs: number;
  /**
   * D1 queries and requests to endpoints after which it releases the lane, because an invocation has limits for both.
   */
  most: { queries: number; requests: number };
  /** When it releases the lane at the latest. */
  endsAt: number;
  /** How long it keeps unsaved answers while storage is unavailable. */
  patientUntil: number;
  /** True after earlier holders died: units run one at a time and in order, which identifies the one that crashes. */
  isCareful: boolean;
  doubt: Doubt | null;
}

/**
 * The state while no sample of the run has an answer: how many failed, and what the endpoint said if it can answer none
 * at all. Null once a sample is answered, or fails in a way that says nothing about others.
 */
export interface Doubt {
  failed: number;
  reason: string | null;
}

/**
 * `open`: starts units. `closing`: the span is over and others wait. `cut-off`: storage was unavailable. Both finish
 * the units in flight and release the lane. `lost`: another holder has the lease. A lane never returns to an earlier
 * phase.
 */
type LanePhase = "open" | "closing" | "cut-off" | "lost";

/** A finished unit that is not saved; `chars` of long answers include their scores. */
interface FinishedUnit {
  unit: number;
  chars: number;
}

export interface LaneState {
  readonly size: RunSize;
  readonly hold: LaneHold;
  readonly leaseMs: number;
  readonly startedAt: number;
  readonly phase: LanePhase;
  /** Claimed units: waiting, in flight, finished, and finished in the current commit. */
  readonly queue: readonly number[];
  readonly active: readonly number[];
  readonly finished: readonly FinishedUnit[];
  readonly saving: readonly FinishedUnit[];
  /** D1 queries and requests to endpoints so far. */
  readonly queries: number;
  readonly requests: number;
  /** Samples that got an answer since the last commit, or replies to some of their requests. */
  readonly answered: number;
  readonly doubt: Doubt | null;
  readonly commits: number;
  /** The run as of the last commit; null before the first. */
  readonly run: CommitResult | null;
  readonly slots: number;
  /** With a cost limit, a slot stays in use until the answer is committed and its cost counted. */
  readonly isBounded: boolean;
  /** Number of executed units, and their mean duration. */
  readonly carried: number;
  readonly unitMs: number;
  /** The endpoint accepts no call before this time. */
  readonly notBefore: number;
  /** When it checks whether others wait. */
  readonly closesAt: number;
  readonly committedAt: number;
  /** When the first unsaved sample finished, or the last save failed. */
  readonly waitingSince: number;
  /** How long slow units wait to be saved. Shorter for the first save of new lanes, which start together. */
  readonly saveAfterMs: number;
  readonly heldUntil: number;
  /** How long the lane pauses after its last commit. */
  readonly restMs: number;
}

/** How a unit ended: with answers, or to be executed again. `hopeless`: why no other unit can be answered either. */
export type UnitEnd =
  | { kind: "finished"; answered: number; chars: number; hopeless: string | null }
  | { kind: "postponed"; until: number; answered: number }
  | { kind: "storage-away" };

export type LaneEvent =
  | { kind: "unit-begun" }
  | {
      kind: "unit-ended";
      unit: number;
      tookMs: number;
      end: UnitEnd;
      requests: number;
      now: number;
    }
  | { kind: "span-over"; isToYield: boolean; now: number }
  | { kind: "storage-away" }
  | { kind: "commit-begun"; saves: boolean }
  | { kind: "save-failed"; isLast: boolean; now: number }
  | { kind: "committed"; result: CommitResult | null; isLast: boolean; now: number; until: number };

/**
 * How a lane ended: the run is complete; work remains, to continue after `delayMs`; other lanes do the rest; the lease
 * was lost; or the endpoint can answer no sample of the run.
 */
export type LaneOutcome =
  | { kind: "complete" | "idle" | "lost" }
  | { kind: "hopeless"; reason: string }
  | { kind: "handed-on"; delayMs: number };

/**
 * Lanes start together, and similar units take equally long. Each lane's first periods are therefore scaled by a
 * different factor (0–1], so that lanes don't all claim and save at the same time.
 */
export const offsetOf = ({ lanes }: RunSize, lane: number): number =>
  Math.min(1, (lane + 1) / lanes);

export function laneAtStart(
  size: RunSize,
  hold: LaneHold,
  leaseMs: number,
  isBounded: boolean,
  now: number,
): LaneState {
  const offset = hold.attempt === 1 ? offsetOf(size, hold.lane) : 1;
  return {
    size,
    hold,
    leaseMs,
    startedAt: now,
    phase: "open",
    queue: hold.units,
    active: [],
    queries: 0,
    requests: 0,
    finished: [],
    saving: [],
    answered: 0,
    doubt: hold.doubt,
    commits: 0,
    run: null,
    ...grantTo(hold, hold.slots, isBounded),
    carried: 0,
    unitMs: 0,
    notBefore: 0,
    closesAt: now + hold.spanMs,
    committedAt: now,
    waitingSince: now,
    saveAfterMs: SAVE_AFTER_MS * offset,
    heldUntil: now + leaseMs,
    restMs: 0,
  };
}

export function stateAfter(before: LaneState, event: LaneEvent): LaneState {
  const state = { ...before, ...changesBy(before, event) };
  const { most } = state.hold;
  const isSpent = state.queries >= most.queries || state.requests >= most.requests;
  return isSpent && state.phase === "open" ? { ...state, phase: "closing" } : state;
}

function changesBy(state: LaneState, event: LaneEvent): Partial<LaneState> {
  switch (event.kind) {
    case "unit-begun": {
      const [unit] = state.queue;
      if (unit === undefined) return {};
      return { queue: state.queue.slice(1), active: [...state.active, unit] };
    }
    case "unit-ended": {
      const active = state.active.filter((unit) => unit !== event.unit);
      const carried = state.carried + 1;
      const unitMs = state.unitMs + (event.tookMs - state.unitMs) / carried;
      const changes = changesByEnd(state, event.unit, event.end, event.now);
      return { active, carried, unitMs, requests: event.requests, ...changes };
    }
    case "span-over": {
      const isOver = event.isToYield || event.now >= state.hold.endsAt;
      const phase = isOver && state.phase === "open" ? "closing" : state.phase;
      const { spanMs, spanMaxMs } = state.hold;
      // Each span is as long as all before it together.
      const nextMs = Math.max(spanMs, Math.min(event.now - state.startedAt, spanMaxMs));
      const queries = state.queries + CHECK_QUERIES;
      return { phase, queries, closesAt: event.now + nextMs };
    }
    case "storage-away":
      return { ...cutOff(state), queries: state.queries + COMMIT_QUERIES };
    case "commit-begun": {
      const queries = state.queries + COMMIT_QUERIES;
      const counted = { answered: 0, commits: state.commits + 1, queries };
      if (!event.saves) return counted;
      return { ...counted, finished: [], saving: state.finished, saveAfterMs: SAVE_AFTER_MS };
    }
    case "save-failed": {
      const changes = { phase: "cut-off", saving: [], waitingSince: event.now } as const;
      // On the last commit unsaved units are returned, to be executed again; otherwise they wait for the next commit.
      return event.isLast
        ? { ...changes, queue: [...state.queue, ...unitsOf(state.saving)] }
        : { ...changes, finished: [...state.saving, ...state.finished] };
    }
    case "committed": {
      const { result, now, until } = event;
      const restMs = event.isLast ? until - now : state.restMs;
      const changes = { saving: [], committedAt: now, heldUntil: until, restMs };
      if (result === null) return { ...changes, phase: "lost" };
      return {
        ...changes,
        run: result,
        ...grantTo(state.hold, result.slots, result.isBounded),
        notBefore: Math.max(state.notBefore, result.notBefore),
        queue: [...state.queue, ...result.claimed],
      };
    }
  }
}

function changesByEnd(
  state: LaneState,
  unit: number,
  end: UnitEnd,
  now: number,
): Partial<LaneState> {
  if (end.kind === "finished") {
    const isFirst = state.finished.length === 0;
    return {
      finished: [...state.finished, { unit, chars: end.chars }],
      answered: state.answered + end.answered,
      doubt: doubtAfter(state.doubt, end.hopeless),
      waitingSince: isFirst ? now : state.waitingSince,
    };
  }
  const queue = [...state.queue, unit];
  if (end.kind === "postponed") {
    const notBefore = Math.max(state.notBefore, end.until);
    return { queue, notBefore, answered: state.answered + end.answered };
  }
  return { queue, ...cutOff(state) };
}

const doubtAfter = (doubt: Doubt | null, reason: string | null): Doubt | null =>
  doubt === null || reason === null ? null : { failed: doubt.failed + 1, reason };

const cutOff = ({ phase }: LaneState): Pick<LaneState, "phase"> => ({
  phase: phase === "lost" ? "lost" : "cut-off",
});

/** A careful lane uses at most one slot, and is always bounded. */
const grantTo = ({ isCareful }: LaneHold, slots: number, isBounded: boolean) =>
  isCareful ? { slots: Math.min(1, slots), isBounded: true } : { slots, isBounded };

export const unitsOf = (finished: readonly FinishedUnit[]): number[] =>
  finished.map(({ unit }) => unit);
