import type { Claim } from "./commit-store.ts";
import {
  type Doubt,
  type LaneOutcome,
  type LaneState,
  offsetOf,
  type RunSize,
  SAVE_AFTER_MS,
} from "./lane-state.ts";
import { LANE_REQUESTS } from "./lease-store.ts";

/** What a lane does next, derived from its state. Times are Unix ms, durations ms. */

/**
 * A lane with fewer waiting units claims more. Equal to the maximum number in flight, which may all end together. Like all
 * numbers of units to claim, it is multiplied for lanes with more requests than usual.
 */
const LOW = 5;
/**
 * Slower units are claimed in smaller parts. On one machine, an immediate answer takes a tenth of a second while sixty
 * are read.
 */
const SLOW_MS = 150;
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
/** Quicker units have no last round: an idle slot loses less than the claims would take. */
const LAST_ROUND_MS = 250;
/**
 * Fewer finished slow units than this wait up to a minute and a half, because every object and every commit costs
 * money. A lane that dies then loses at most these, fewer than the quick answers of five seconds.
 */
const ENOUGH_SLOW = 15;
const SAVE_AFTER_MOST_MS = 90_000;
/** Delay of the commit that reports an overloaded endpoint: shorter than the one of a save. */
const REPORT_OVERLOAD_MS = 1_000;
/** Renewals per lease duration, so that one slow call cannot outlast the lease. */
const RENEWALS = 3;
/** Lease duration of slow units, in units. It is renewed at half time, because every renewal costs money. */
const LEASE_UNITS = 8;

/** How long a lane pauses if it has no request slot, storage is unavailable, or only other lanes may get an answer. */
export const REST_MS = 5_000;

/**
 * Number of failures that end a run without any answer: a single one, among many requests to several servers, may be a
 * fluke. Until one is answered, the run's lanes ask for no more samples than this.
 */
const HOPELESS_AFTER = 3;

/** The initial doubt of a lane: after failures without any answer it asks for a single sample first. */
export function doubtAtStart({ done, failed }: { done: number; failed: number }): Doubt | null {
  return done > failed ? null : { failed: Math.min(failed, HOPELESS_AFTER - 1), reason: null };
}

/**
 * Number of a lane's first units: in a small run its share, so that every lane has some; in a large run at most one
 * claim.
 * @example firstClaim({ units: 60, lanes: 12, concurrency: 60 }, 0) // 5
 */
export function firstClaim(size: RunSize, lane: number): number {
  const share = size.units / size.lanes;
  const width = widthOf(size);
  const least = Math.min(LOW * width, share);
  const most = Math.max(least, Math.min(MOST_SLOW * width, share / 2));
  return Math.ceil(least + (most - least) * offsetOf(size, lane));
}

/** Ratio of a lane's requests in flight to the usual number; at least 1. */
const widthOf = ({ concurrency, lanes }: RunSize): number =>
  Math.max(1, concurrency / lanes / LANE_REQUESTS);

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
  if (finished.length >= (state.isBounded ? 1 : groupOf(state))) return true;
  if (finished.reduce((sum, { chars }) => sum + chars, 0) >= GROUP_CHARS) return true;
  const waitedMs = now - state.waitingSince;
  if (areQuick(state)) return waitedMs >= SAVE_AFTER_MS || isRenewalDue(state, now);
  const areEnough = finished.length >= ENOUGH_SLOW && waitedMs >= state.saveAfterMs;
  return areEnough || waitedMs >= SAVE_AFTER_MOST_MS || isRenewalDue(state, now);
}

/** Answers cost money: the lane keeps unsaved answers and renews its lease, up to `patientUntil`. */
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
  const width = widthOf(state.size);
  if (areQuick(state)) {
    const least = Math.ceil(LEAST_QUICK * width);
    return { oneIn: lanes, least, most: groupOf(state), lastRound: 0, atOnce: 0 };
  }
  const atOnce = Math.max(0, state.slots - takenSlots(state) - state.queue.length);
  const lastRound = lastRoundOf(state);
  const [least, most] = [Math.ceil(LEAST_SLOW * width), Math.ceil(MOST_SLOW * width)];
  return { oneIn: lanes, least, most, lastRound, atOnce };
}

/** When the lane can continue, if the endpoint accepts no calls or storage is unavailable. */
export function restsUntil(state: LaneState, now: number): number {
  const rests = state.slots === 0 || state.phase === "cut-off" || state.doubt?.reason != null;
  return Math.max(now, state.notBefore, rests ? now + REST_MS : 0);
}

/**
 * Lease duration of a commit, ms: longer for slow units, three minutes at most. Before the first unit ends, the elapsed
 * time is its estimate.
 */
export function leaseFor({ leaseMs, startedAt, carried, unitMs }: LaneState, now: number): number {
  const slowMs = carried > 0 ? unitMs : now - startedAt;
  return Math.max(leaseMs, Math.min(LEASE_UNITS * slowMs, 2 * SAVE_AFTER_MOST_MS));
}

/** How long a commit tries to save; after that it only renews the lease. */
export const savesUntil = ({ leaseMs }: LaneState, now: number): number => now + leaseMs / RENEWALS;

export function outcomeOf({ phase, run, queue, restMs, doubt }: LaneState): LaneOutcome {
  if (phase === "lost" || run === null) return { kind: "lost" };
  if (run.done >= run.total) return { kind: "complete" };
  const isWorkLeft = queue.length > 0 || run.remaining > 0;
  if (run.status !== "running" || !isWorkLeft) return { kind: "idle" };
  const isHopeless = run.answered === 0 && run.done >= HOPELESS_AFTER && run.isAlone;
  if (isHopeless && doubt?.reason != null) return { kind: "hopeless", reason: doubt.reason };
  return { kind: "handed-on", delayMs: restMs };
}

function isOpen({ phase, run, notBefore, doubt, active }: LaneState, now: number): boolean {
  const isRunning = run === null || run.status === "running";
  const isHeldBack = doubt && doubt.failed > 0 && doubt.failed + active.length >= HOPELESS_AFTER;
  return phase === "open" && isRunning && now >= notBefore && !isHeldBack;
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
 * would leave other lanes idle, if there are any.
 */
function lowMark(state: LaneState, ahead: number): number {
  const hasOthers = state.run?.isAlone !== true;
  const isLastRound = hasOthers && !areQuick(state) && unclaimed(state) <= lastRoundOf(state);
  return isLastRound ? state.slots - takenSlots(state) : LOW * widthOf(state.size) + ahead;
}

function lastRoundOf({ size, carried, unitMs }: LaneState): number {
  const isLost = carried > 0 && unitMs < LAST_ROUND_MS;
  return isLost ? 0 : Math.ceil(size.concurrency * LAST_ROUND);
}

/**
 * A wider lane writes groups of at most twice this size, because reading a sample reads its whole group. Of units with many
 * samples fewer, because D1 takes the rows of a commit in a value of at most 2 MB.
 */
const groupOf = ({ size }: LaneState): number =>
  Math.ceil((GROUP * Math.min(2, widthOf(size))) / (size.samplesPerUnit ?? 1));

/** Unclaimed units, as of the last commit. */
const unclaimed = ({ run, size }: LaneState): number => run?.remaining ?? size.units;

/** Whether units are so quick that a claim for each would slow them down. */
const areQuick = ({ carried, unitMs }: LaneState): boolean => carried > 0 && unitMs < SLOW_MS;

function isRenewalDue({ leaseMs, heldUntil, committedAt }: LaneState, now: number): boolean {
  const heldMs = heldUntil - committedAt;
  return now >= committedAt + (heldMs > leaseMs ? heldMs / 2 : leaseMs / RENEWALS);
}
