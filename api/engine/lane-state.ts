import type { Claim, CommitResult } from "./commit-store.ts";

/**
 * The state of a lane and its decisions, without I/O: `stateAfter` returns the state after an event, the other
 * functions tell from a state what to do next. `lane.ts` does it. Times are Unix ms, durations ms.
 */

/** A lane with fewer waiting units claims more. Equal to the maximum number in flight, which may all end together. */
const LOW = 5;
/** Slower units: near the end of a run, lanes claim only as many as they can start. */
const SLOW_MS = 100;
/**
 * Minimum units per claim. Quick units: a claim costs as much as several of them. Slow units: large claims distribute
 * them unevenly.
 */
const LEAST_QUICK = 10;
const LEAST_SLOW = 5;
/** Number of finished units that triggers a save; also the maximum number of quick units per claim. */
const GROUP = 64;
/** Characters of unsaved answers that trigger a save; bounded, because readers later hold several objects in memory. */
const GROUP_CHARS = 4_000_000;
/** Maximum units per claim if they are slow or of unknown duration. */
const MOST_SLOW = 40;
/**
 * Last round: at most this share of a run's concurrency remains as slow units. A lane then claims only what it can
 * start now.
 */
const LAST_ROUND = 0.4;
/** How long a finished sample may wait to be saved, so that several share one object. */
const SAVE_AFTER_MS = 5_000;
/**
 * Fewer finished slow units than this wait up to a minute, because every object and every commit costs money. A lane
 * that dies then loses at most these, fewer than the quick answers of five seconds.
 */
const ENOUGH_SLOW = 10;
const SAVE_AFTER_MOST_MS = 60_000;
/** Delay of the commit that reports an overloaded endpoint: shorter than the one of a save. */
const REPORT_OVERLOAD_MS = 1_000;
/** Renewals per lease duration, so that one slow call cannot outlast the lease. */
const RENEWALS = 3;
/** Lease duration of slow units, in units. It is renewed at half time, because every renewal costs money. */
const LEASE_UNITS = 8;

/** D1 queries of a commit, and of a check whether others wait, in which free seats are given, too. */
const COMMIT_QUERIES = 7;
const CHECK_QUERIES = 4;

/** How long a lane pauses if it has no request slot or storage is unavailable. */
export const REST_MS = 5_000;

/** The size of a run, on which its lanes' decisions depend. */
export interface RunSize {
  /** Total number of units. */
  units: number;
  lanes: number;
  /** Maximum requests in flight over all lanes. */
  concurrency: number;
}

/** A lane as its holder took it. */
export interface LaneHold {
  lane: number;
  attempt: number;
  /** Maximum requests in flight. */
  slots: number;
  units: number[];
  /** When the lane first checks whether others wait, and the longest time between two checks. */
  spanMs: number;
  spanMaxMs: number;
  /** D1 queries and requests to endpoints after which it releases the lane: an invocation may make only so many. */
  most: { queries: number; requests: number };
  /** When it releases the lane at the latest. */
  endsAt: number;
  /** How long it keeps unsaved answers while storage is unavailable. */
  patientUntil: number;
  /** True after earlier holders died: units run one at a time and in order, which identifies the one that crashes. */
  isCareful: boolean;
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
  /** Samples that got an answer since the last commit. */
  readonly answered: number;
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

/** How a unit ended: with answers, or to be executed again. */
export type UnitEnd =
  | { kind: "finished"; answered: number; chars: number }
  | { kind: "postponed"; until: number }
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
 * How a lane ended: the run is complete; work remains, to continue after `delayMs`; other lanes do the rest; or the
 * lease was lost.
 */
export type LaneOutcome =
  | { kind: "complete" | "idle" | "lost" }
  | { kind: "handed-on"; delayMs: number };

/**
 * Number of a lane's first units: in a small run its share, so that every lane has some; in a large run at most one
 * claim.
 * @example firstClaim({ units: 60, lanes: 12, concurrency: 60 }, 0) // 5
 */
export function firstClaim(size: RunSize, lane: number): number {
  const share = size.units / size.lanes;
  const least = Math.min(LOW, share);
  const most = Math.max(least, Math.min(MOST_SLOW, share / 2));
  return Math.ceil(least + (most - least) * offsetOf(size, lane));
}

/**
 * Lanes start together, and similar units take equally long. Each lane's first periods are therefore scaled by a
 * different factor (0–1], so that lanes don't all claim and save at the same time.
 */
const offsetOf = ({ lanes }: RunSize, lane: number): number => Math.min(1, (lane + 1) / lanes);

/** The initial state of a lane. */
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

/** The state after an event. */
export function stateAfter(before: LaneState, event: LaneEvent): LaneState {
  const state = { ...before, ...changesBy(before, event) };
  const { most } = state.hold;
  const isSpent = state.queries >= most.queries || state.requests >= most.requests;
  return isSpent && state.phase === "open" ? { ...state, phase: "closing" } : state;
}

function changesBy(state: LaneState, event: LaneEvent): Partial<LaneState> {
  switch (event.kind) {
    case "unit-begun": {
      const [unit, ...queue] = state.queue;
      return unit === undefined ? {} : { queue, active: [...state.active, unit] };
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
      waitingSince: isFirst ? now : state.waitingSince,
    };
  }
  const queue = [...state.queue, unit];
  if (end.kind === "postponed") return { queue, notBefore: Math.max(state.notBefore, end.until) };
  return { queue, ...cutOff(state) };
}

const cutOff = ({ phase }: LaneState): Pick<LaneState, "phase"> => ({
  phase: phase === "lost" ? "lost" : "cut-off",
});

/** A careful lane uses at most one slot, and is always bounded. */
const grantTo = ({ isCareful }: LaneHold, slots: number, isBounded: boolean) =>
  isCareful ? { slots: Math.min(1, slots), isBounded: true } : { slots, isBounded };

/** The unit to start now; undefined if all slots are in use or nothing may start. */
export function nextUnit(state: LaneState, now: number): number | undefined {
  return isOpen(state, now) && takenSlots(state) < state.slots ? state.queue[0] : undefined;
}

/** Whether the span is over, so that the lane must check for others. */
export const wantsSpan = (state: LaneState, now: number): boolean =>
  isOpen(state, now) && now >= state.closesAt;

/** True if units run low, samples should be saved, the endpoint is overloaded, or a renewal is due. */
export function wantsCommit(state: LaneState, now: number, overloads: number): boolean {
  if (state.phase === "lost") return false;
  if (wantsUnits(state, now) && unclaimed(state) > 0) return true;
  const mustReport = overloads > 0 && now - state.committedAt >= REPORT_OVERLOAD_MS;
  return mustReport || isRenewalDue(state, now) || wantsSave(state, now);
}

/**
 * True if finished samples have waited long enough or are enough, or a renewal is due. Other samples stay in the lane
 * when a commit only claims.
 */
export function wantsSave(state: LaneState, now: number): boolean {
  const { finished } = state;
  if (finished.length === 0) return false;
  if (finished.length >= (state.isBounded ? 1 : GROUP)) return true;
  if (finished.reduce((sum, { chars }) => sum + chars, 0) >= GROUP_CHARS) return true;
  const waitedMs = now - state.waitingSince;
  if (areQuick(state)) return waitedMs >= SAVE_AFTER_MS || isRenewalDue(state, now);
  const areEnough = finished.length >= ENOUGH_SLOW && waitedMs >= state.saveAfterMs;
  return areEnough || waitedMs >= SAVE_AFTER_MOST_MS || isRenewalDue(state, now);
}

/** Answers cost money: the lane keeps those that it can't save and renews the lease, up to `patientUntil`. */
export const waitsToSave = ({ phase, finished, hold }: LaneState, now: number): boolean =>
  phase === "cut-off" && finished.length > 0 && now < hold.patientUntil;

/**
 * What to claim with a commit; null: nothing. Claims shrink towards the end of a run, so that no lane has many units
 * while others are idle.
 */
export function claimOf(state: LaneState, now: number): Claim | null {
  // A commit that saves also claims slow units early, because a separate commit costs money.
  const ahead = state.saving.length > 0 && !areQuick(state) ? ENOUGH_SLOW : 0;
  if (!wantsUnits(state, now, ahead)) return null;
  const { lanes } = state.size;
  if (areQuick(state)) {
    return { oneIn: lanes, least: LEAST_QUICK, most: GROUP, lastRound: 0, atOnce: 0 };
  }
  const atOnce = Math.max(0, state.slots - takenSlots(state) - state.queue.length);
  const lastRound = lastRoundOf(state.size);
  return { oneIn: lanes, least: LEAST_SLOW, most: MOST_SLOW, lastRound, atOnce };
}

/** When the lane can continue, if the endpoint accepts no calls or storage is unavailable. */
export function restsUntil(state: LaneState, now: number): number {
  const rests = state.slots === 0 || state.phase === "cut-off";
  return Math.max(now, state.notBefore, rests ? now + REST_MS : 0);
}

/**
 * Lease duration of a commit, ms: longer for slow units, two minutes at most. Before the first unit ends, the elapsed
 * time is its estimate.
 */
export function leaseFor({ leaseMs, startedAt, carried, unitMs }: LaneState, now: number): number {
  const slowMs = carried > 0 ? unitMs : now - startedAt;
  return Math.max(leaseMs, Math.min(LEASE_UNITS * slowMs, 2 * SAVE_AFTER_MOST_MS));
}

/** How long a commit tries to save; after that it only renews the lease. */
export const savesUntil = ({ leaseMs }: LaneState, now: number): number => now + leaseMs / RENEWALS;

export function outcomeOf({ phase, run, queue, restMs }: LaneState): LaneOutcome {
  if (phase === "lost" || run === null) return { kind: "lost" };
  if (run.done >= run.total) return { kind: "complete" };
  const isWorkLeft = queue.length > 0 || run.remaining > 0;
  if (run.status !== "running" || !isWorkLeft) return { kind: "idle" };
  return { kind: "handed-on", delayMs: restMs };
}

export const unitsOf = (finished: readonly FinishedUnit[]): number[] =>
  finished.map(({ unit }) => unit);

function isOpen({ phase, run, notBefore }: LaneState, now: number): boolean {
  const isRunning = run === null || run.status === "running";
  return phase === "open" && isRunning && now >= notBefore;
}

/** With a cost limit, only units in flight can exceed it, and these are limited by the concurrency. */
const takenSlots = ({ active, finished, saving, isBounded }: LaneState): number =>
  active.length + (isBounded ? finished.length + saving.length : 0);

const wantsUnits = (state: LaneState, now: number, ahead = 0): boolean =>
  isOpen(state, now) &&
  !state.hold.isCareful &&
  state.slots > 0 &&
  state.queue.length < lowMark(state, ahead);

/**
 * Number of waiting units below which a lane claims. In the last round: what it can start now, because waiting units
 * would leave other lanes idle.
 */
function lowMark(state: LaneState, ahead: number): number {
  const isLastRound = !areQuick(state) && unclaimed(state) <= lastRoundOf(state.size);
  return isLastRound ? state.slots - takenSlots(state) : LOW + ahead;
}

const lastRoundOf = ({ concurrency }: RunSize): number => Math.ceil(concurrency * LAST_ROUND);

/** Unclaimed units, as of the last commit. */
const unclaimed = ({ run, size }: LaneState): number => run?.remaining ?? size.units;

/** Whether units are so quick that a claim for each would slow them down. */
const areQuick = ({ carried, unitMs }: LaneState): boolean => carried > 0 && unitMs < SLOW_MS;

function isRenewalDue({ leaseMs, heldUntil, committedAt }: LaneState, now: number): boolean {
  const heldMs = heldUntil - committedAt;
  return now >= committedAt + (heldMs > leaseMs ? heldMs / 2 : leaseMs / RENEWALS);
}
