import type { Claim, CommitResult } from "./commit-store.ts";

/**
 * What a lane knows and how it decides, without input or output: `stateAfter` gives the state after an event, the other
 * functions answer from a state what the lane does next. `lane.ts` does it. Times are Unix ms, durations ms.
 */

/** Fewer units than this in hand: time to claim more (as many as a lane can have in flight, which may end at once). */
const LOW = 5;
/** Units that take longer are worth a claim each at the end of a run. */
const SLOW_MS = 100;
/** The fewest claimed at once, since a claim costs as much as some quick units; what is slow is soon shared out unevenly. */
const LEAST_QUICK = 10;
const LEAST_SLOW = 5;
/** Finished units that are enough to save, and the most quick ones to claim at once. */
const GROUP = 64;
/** Characters of answers that are enough to save: who reads the objects later holds several at once. */
const GROUP_CHARS = 4_000_000;
/** Units claimed at once, at the most, of a kind that is not known to be quick. */
const MOST_SLOW = 40;
/** Where no more slow units are left than this share of the requests of a run, a lane claims what it can begin at once. */
const LAST_ROUND = 0.4;
/** A finished sample waits so long to be saved, so that slow ones share an object, too. */
const SAVE_AFTER_MS = 5_000;
/**
 * Fewer than so many wait longer, a minute at the most: each object and each commit is paid for, and a lane that dies
 * loses no more by it than these, which is less than quick answers of five seconds.
 */
const ENOUGH_SLOW = 10;
const SAVE_AFTER_MOST_MS = 60_000;
/** An overloaded endpoint is reported sooner. */
const TELL_AFTER_MS = 1_000;
/** An active lane renews its lease so often in the time of one, so that it need not outlast a slow call. */
const RENEWALS = 3;
/** Where units are slow its lease lasts so many of them, and is renewed with half of it over: each renewal is paid for. */
const LEASE_UNITS = 8;

/** A lane that has no slot, or whose storage is away, rests for this. */
export const REST_MS = 5_000;

/** What of its run a lane decides by. */
export interface RunSize {
  /** Units in all. */
  units: number;
  lanes: number;
  /** Requests in flight, all lanes together. */
  concurrency: number;
}

/** A lane as its holder got it. */
export interface LaneHold {
  lane: number;
  attempt: number;
  /** Requests it may have in flight. */
  slots: number;
  units: number[];
  /** How long it works at least, and after each look whether others wait. */
  spanMs: number;
  /** When it gives the lane up at the latest. */
  endsAt: number;
  /** Until when it keeps what is answered and waits for storage that is away. */
  patientUntil: number;
  /** Holders before it died: it works on one unit at a time, in order, so that the one to blame is known. */
  isCareful: boolean;
}

/**
 * Open: it begins units. Closing: its span is over and others wait. Cut off: storage was away. In both it ends what is
 * in flight and gives the lane up. Lost: another holds the lease. It never goes back.
 */
type LanePhase = "open" | "closing" | "cut-off" | "lost";

/** A finished unit that is not saved. Long answers count with their scores. */
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
  /** Claimed units: waiting, in flight, finished, and finished in the commit that is under way. */
  readonly queue: readonly number[];
  readonly active: readonly number[];
  readonly finished: readonly FinishedUnit[];
  readonly saving: readonly FinishedUnit[];
  /** Samples with an answer that were finished since the last commit. */
  readonly answered: number;
  readonly commits: number;
  /** The run after the last commit; null before the first. */
  readonly run: CommitResult | null;
  readonly slots: number;
  /** Where spending is bounded, a slot stays taken until its answer is committed, thus counted. */
  readonly isBounded: boolean;
  /** Units carried out, and the mean time of one. */
  readonly carried: number;
  readonly unitMs: number;
  /** The endpoint takes no call before. */
  readonly notBefore: number;
  /** When it looks whether others wait. */
  readonly closesAt: number;
  readonly committedAt: number;
  /** Since when the first of its finished samples waits, or waits again where saving failed. */
  readonly waitingSince: number;
  /** How long slow ones wait to be saved: lanes that were handed on don't begin together any more. */
  readonly saveAfterMs: number;
  readonly heldUntil: number;
  /** How long the lane rests after the last commit. */
  readonly restMs: number;
}

/** How one unit ended: its answers are there, or it is to be carried out again. */
export type UnitEnd =
  | { kind: "finished"; answered: number; chars: number }
  | { kind: "postponed"; until: number }
  | { kind: "storage-away" };

export type LaneEvent =
  | { kind: "unit-begun" }
  | { kind: "unit-ended"; unit: number; tookMs: number; end: UnitEnd; now: number }
  | { kind: "span-over"; isToYield: boolean; now: number }
  | { kind: "storage-away" }
  | { kind: "commit-begun"; saves: boolean }
  | { kind: "save-failed"; isLast: boolean; now: number }
  | { kind: "committed"; result: CommitResult | null; isLast: boolean; now: number; until: number };

/**
 * How a lane ended: the run is complete; work is left, to continue with after `delayMs`; other lanes
 * do the rest; or the lease was lost.
 */
export type LaneOutcome =
  | { kind: "complete" | "idle" | "lost" }
  | { kind: "handed-on"; delayMs: number };

/**
 * Units that a lane of a run begins with: its share of a small run, for all lanes to have some, and of a large one up to
 * as many as it claims at once.
 * @example firstClaim({ units: 60, lanes: 12, concurrency: 60 }, 0) // 5
 */
export function firstClaim(size: RunSize, lane: number): number {
  const share = size.units / size.lanes;
  const least = Math.min(LOW, share);
  const most = Math.max(least, Math.min(MOST_SLOW, share / 2));
  return Math.ceil(least + (most - least) * offsetOf(size, lane));
}

/**
 * Lanes begin together, and units of a kind take as long in all of them: what each does now and then, it does for the
 * first time after another part (0–1] of the usual, so that they don't all claim and save at once while answers wait.
 */
const offsetOf = ({ lanes }: RunSize, lane: number): number => Math.min(1, (lane + 1) / lanes);

/** A lane at its beginning. */
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
    finished: [],
    saving: [],
    answered: 0,
    commits: 0,
    run: null,
    slots: slotsOf(hold, hold.slots),
    isBounded: isBounded || hold.isCareful,
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
export function stateAfter(state: LaneState, event: LaneEvent): LaneState {
  return { ...state, ...changesBy(state, event) };
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
      return { active, carried, unitMs, ...changesByEnd(state, event.unit, event.end, event.now) };
    }
    case "span-over": {
      const isOver = event.isToYield || event.now >= state.hold.endsAt;
      const phase = isOver && state.phase === "open" ? "closing" : state.phase;
      return { phase, closesAt: event.now + state.hold.spanMs };
    }
    case "storage-away":
      return cutOff(state);
    case "commit-begun": {
      const counted = { answered: 0, commits: state.commits + 1 };
      if (!event.saves) return counted;
      return { ...counted, finished: [], saving: state.finished, saveAfterMs: SAVE_AFTER_MS };
    }
    case "save-failed": {
      const changes = { phase: "cut-off", saving: [], waitingSince: event.now } as const;
      // With the last commit they are given back, to be asked again; before, they wait for the next.
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
        slots: slotsOf(state.hold, result.slots),
        isBounded: result.isBounded || state.hold.isCareful,
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

const slotsOf = ({ isCareful }: LaneHold, slots: number): number =>
  isCareful ? Math.min(1, slots) : slots;

/** The unit to begin now; undefined: all slots are taken, or nothing is to be begun. */
export function nextUnit(state: LaneState, now: number): number | undefined {
  return isOpen(state, now) && takenSlots(state) < state.slots ? state.queue[0] : undefined;
}

/** Its span is over: whether it continues depends on others. */
export const wantsSpan = (state: LaneState, now: number): boolean =>
  isOpen(state, now) && now >= state.closesAt;

/** Units run low, finished samples are to be saved, the endpoint is overloaded, or the lease grows old. */
export function wantsCommit(state: LaneState, now: number, overloads: number): boolean {
  if (state.phase === "lost") return false;
  if (wantsUnits(state, now) && unclaimed(state) > 0) return true;
  const toTell = overloads > 0 && now - state.committedAt >= TELL_AFTER_MS;
  return toTell || isRenewalDue(state, now) || wantsSave(state, now);
}

/**
 * Finished samples have waited or gathered enough, or are saved with a renewal. Those that haven't stay with the lane
 * through a commit that claims.
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

/** Answers are paid for: those that can't be saved stay in hand, and the lease is renewed, for as long as it may. */
export const waitsToSave = ({ phase, finished, hold }: LaneState, now: number): boolean =>
  phase === "cut-off" && finished.length > 0 && now < hold.patientUntil;

/**
 * What to claim with a commit; null: nothing. Claims shrink towards the end of a run, so that no lane is left with much
 * while others idle.
 */
export function claimOf(state: LaneState, now: number): Claim | null {
  // With a commit that saves anyway slow units are claimed before they run low: a commit of its own is paid for.
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

/** Until when the lane can't continue: the endpoint can take no call, or storage is away. */
export function restsUntil(state: LaneState, now: number): number {
  const rests = state.slots === 0 || state.phase === "cut-off";
  return Math.max(now, state.notBefore, rests ? now + REST_MS : 0);
}

/**
 * For how long the lease is taken with a commit, ms: longer where units are slow, two minutes at the most. Before the
 * first has ended, they take as long as has passed.
 */
export function leaseFor({ leaseMs, startedAt, carried, unitMs }: LaneState, now: number): number {
  const slowMs = carried > 0 ? unitMs : now - startedAt;
  return Math.max(leaseMs, Math.min(LEASE_UNITS * slowMs, 2 * SAVE_AFTER_MOST_MS));
}

/** Until when a commit tries to save; then it renews the lease all the same. */
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

/**
 * A bounded run is exceeded by its units under way at the most, of which there are never more than its concurrency.
 */
const takenSlots = ({ active, finished, saving, isBounded }: LaneState): number =>
  active.length + (isBounded ? finished.length + saving.length : 0);

const wantsUnits = (state: LaneState, now: number, ahead = 0): boolean =>
  isOpen(state, now) &&
  !state.hold.isCareful &&
  state.slots > 0 &&
  state.queue.length < lowMark(state, ahead);

/** What a lane has in hand waits there while others idle: in the last round it claims what it can begin. */
function lowMark(state: LaneState, ahead: number): number {
  const isLastRound = !areQuick(state) && unclaimed(state) <= lastRoundOf(state.size);
  return isLastRound ? state.slots - takenSlots(state) : LOW + ahead;
}

const lastRoundOf = ({ concurrency }: RunSize): number => Math.ceil(concurrency * LAST_ROUND);

/** Units that no lane has claimed yet, as far as this one knows. */
const unclaimed = ({ run, size }: LaneState): number => run?.remaining ?? size.units;

/** Whether its units are known to be so quick that a claim for each would slow them down. */
const areQuick = ({ carried, unitMs }: LaneState): boolean => carried > 0 && unitMs < SLOW_MS;

function isRenewalDue({ leaseMs, heldUntil, committedAt }: LaneState, now: number): boolean {
  const heldMs = heldUntil - committedAt;
  return now >= committedAt + (heldMs > leaseMs ? heldMs / 2 : leaseMs / RENEWALS);
}
