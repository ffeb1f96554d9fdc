import type { Unit } from "#shared/contracts/suite.ts";
import { capOf } from "../judging/units.ts";
import { Postponed } from "../platform/backoff.ts";
import type { Ports } from "../platform/ports.ts";
import { Outage, throughOutage } from "../platform/retry-storage.ts";
import { loggedError } from "../runs/access.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import type { Bell } from "./bell.ts";
import { lostUnit } from "./bury-lane.ts";
import { type AnswerSource, carryUnit } from "./carry-unit.ts";
import type { Claim, Commit, CommitResult } from "./commit-store.ts";
import type { RunWork } from "./run-work.ts";
import { areCounted, sampleRecord } from "./sample-record.ts";

/** Fewer units than this in hand: time to claim more (as many as a lane can have in flight, which may end at once). */
const LOW = 5;
/** Units that take longer are worth a claim each at the end of a run. */
const SLOW_MS = 100;
/** The fewest claimed at once, since a claim costs as much as some quick units; what is slow is soon shared out unevenly. */
const LEAST_QUICK = 10;
const LEAST_SLOW = 5;
/** Finished units that are enough to save, and the most quick ones to claim at once. */
const GROUP = 64;
/**
 * Characters of answers that are enough to save: who reads the objects later holds several at once. Long answers are
 * counted with their scores, which list every field.
 */
const GROUP_CHARS = 4_000_000;
const LONG_ANSWER = 20_000;
/** Units claimed at once, at the most, of a kind that is not known to be quick. */
const MOST_SLOW = 40;
/** Where no more slow units are left than this share of the requests of a run, a lane claims what it can begin at once. */
const LAST_ROUND = 0.4;
/** A finished sample waits no longer than this to be saved, so that slow ones share an object, too. */
const SAVE_AFTER_MS = 5_000;
/** An overloaded endpoint is reported sooner. */
const TELL_AFTER_MS = 1_000;
/** An active lane renews its lease so often in the time of one, so that it need not outlast a slow call. */
const RENEWALS = 3;

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
}

/**
 * How a lane ended: the run is complete; work is left, to continue with after `delayMs`; other lanes
 * do the rest; or the lease was lost.
 */
export type LaneOutcome =
  | { kind: "complete" | "idle" | "lost" }
  | { kind: "handed-on"; delayMs: number };

/** A lane that has no slot, or whose storage is away, rests for this. */
export const REST_MS = 5_000;

/**
 * Units that a lane of a run begins with: its share of a small run, for all lanes to have some, and of a large one up to
 * as many as it claims at once.
 * @example firstClaim(work, 0) // 5 of a run with 60 units in 12 lanes
 */
export function firstClaim(work: RunWork, lane: number): number {
  const share = work.plan.units.length / work.run.lanes;
  const least = Math.min(LOW, share);
  const most = Math.max(least, Math.min(MOST_SLOW, share / 2));
  return Math.ceil(least + (most - least) * phaseOf(work, lane));
}

/**
 * Lanes begin together, and units of a kind take as long in all of them: what each does now and then, it does for the
 * first time after another part (0–1] of the usual, so that they don't all claim and save at once while answers wait.
 */
const phaseOf = ({ run }: RunWork, lane: number): number => Math.min(1, (lane + 1) / run.lanes);

const lastRound = ({ run }: RunWork): number => Math.ceil(run.concurrency * LAST_ROUND);

/** Samples of a finished unit, not yet committed. */
interface FinishedUnit {
  number: number;
  samples: StoredSample[];
}

const charsOf = (sample: StoredSample): number => {
  const chars = sample.answer.output?.length ?? 0;
  return chars > LONG_ANSWER ? JSON.stringify(sample).length : chars;
};

/** An active lane: its units in hand, in flight and finished. */
export class Lane {
  readonly active = new Set<number>();
  readonly #ports: Ports;
  readonly #work: RunWork;
  readonly #source: AnswerSource;
  readonly #hold: LaneHold;
  /** Rings when a unit ends. */
  readonly #bell: Bell;
  readonly #queue: number[];
  /** Where spending is bounded, a slot stays taken until its answer is committed, thus counted. */
  #isFrugal: boolean;
  #finished: FinishedUnit[] = [];
  #finishedChars = 0;
  /** Samples with an answer that were finished since the last commit. */
  #answered = 0;
  /** Finished units in the commit that is under way. */
  #committing = 0;
  #last: CommitResult | null = null;
  #slots: number;
  #notBefore = 0;
  #closesAt: number;
  /** Its span is over, and others wait. */
  #isClosed = false;
  #restMs = 0;
  /** Storage was away: no unit is begun any more. */
  #outage = false;
  #lost = false;
  #commits = 0;
  /** Mean time of the units that it carried out, ms. */
  #unitMs = 0;
  #carried = 0;
  #committedAt: number;
  /** Since when the first of its finished samples waits, or waits again where saving failed. */
  #waitingSince: number;
  /** How long slow ones wait to be saved: lanes that were handed on don't begin together any more. */
  #saveAfterMs: number;
  #heldUntil: number;

  constructor(ports: Ports, work: RunWork, source: AnswerSource, hold: LaneHold, bell: Bell) {
    this.#ports = ports;
    this.#work = work;
    this.#source = source;
    this.#hold = hold;
    this.#bell = bell;
    this.#slots = hold.slots;
    this.#isFrugal = work.run.maxCostUsd !== null;
    this.#queue = [...hold.units];
    this.#committedAt = ports.now();
    this.#waitingSince = this.#committedAt;
    this.#saveAfterMs = SAVE_AFTER_MS * (hold.attempt === 1 ? phaseOf(work, hold.lane) : 1);
    this.#heldUntil = this.#committedAt + ports.settings.leaseMs;
    this.#closesAt = this.#committedAt + hold.spanMs;
  }

  /** Its span is over: whether it continues depends on others. */
  wantsSpan(): boolean {
    return this.#isOpen() && this.#ports.now() >= this.#closesAt;
  }

  /** Continues for another span unless a lane waits; meanwhile it works. Storage that is away decides nothing. */
  async lengthen(): Promise<void> {
    const now = this.#ports.now();
    const { phase } = this.#work.run;
    try {
      this.#isClosed =
        now >= this.#hold.endsAt || (await this.#ports.runs.isLaneWaiting(phase, now));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
    }
    this.#closesAt = now + this.#hold.spanMs;
  }

  /** Starts claimed units until all slots are taken. */
  fill(): void {
    while (this.#isOpen() && this.#taken() < this.#slots) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  /** Units run low, finished samples are to be saved, the endpoint is overloaded, or the lease grows old. */
  wantsCommit(): boolean {
    if (this.#lost) return false;
    if (this.#wantsUnits() && this.#remaining() > 0) return true;
    const isOverloaded = this.#work.memory.overloads > 0;
    const toTell = isOverloaded && this.#ports.now() - this.#committedAt >= TELL_AFTER_MS;
    return toTell || this.#isRenewalDue() || this.#wantsSave();
  }

  /**
   * Finished samples have waited or gathered enough, or are saved with a renewal. Those that haven't stay with the lane
   * through a commit that claims.
   */
  #wantsSave(): boolean {
    if (this.#finished.length === 0) return false;
    const isGroup =
      this.#finished.length >= (this.#isFrugal ? 1 : GROUP) || this.#finishedChars >= GROUP_CHARS;
    const mostMs = this.#areQuick() ? SAVE_AFTER_MS : this.#saveAfterMs;
    const haveWaited = this.#ports.now() - this.#waitingSince >= mostMs;
    return isGroup || haveWaited || this.#isRenewalDue();
  }

  #isRenewalDue(): boolean {
    const everyMs = this.#ports.settings.leaseMs / RENEWALS;
    return this.#ports.now() - this.#committedAt >= everyMs;
  }

  /**
   * Slots that are taken. A bounded run is thus exceeded by its units under way at the most, of
   * which there are never more than its concurrency.
   */
  #taken(): number {
    const uncounted = this.#isFrugal ? this.#finished.length + this.#committing : 0;
    return this.active.size + uncounted;
  }

  /** Answers to R2 first, then rows, counters, claim and lease at once; `final` gives the lease up. */
  async commit(final: boolean): Promise<void> {
    if (this.#lost) return;
    const { lane, attempt } = this.#hold;
    const { run, memory } = this.#work;
    const { overloads } = memory;
    memory.overloads = 0;
    const answered = this.#answered;
    this.#answered = 0;
    const keep = new Set([...this.#queue, ...this.active]);
    const inFlight = this.active.size;
    const { object, samples, unsaved } = await this.#save(final);
    for (const number of unsaved) keep.add(number);
    const commits = this.#commits++;
    const now = this.#ports.now();
    const expiresAt = final ? this.#restsUntil(now) : now + this.#ports.settings.leaseMs;
    // The same commit each time: one whose reply was lost is known by its number.
    const commit: Commit = {
      runId: run.id,
      lane,
      attempt,
      commits,
      now,
      keep: [...keep],
      inFlight,
      answered,
      overloads,
      endpointCap: capOf(this.#ports, run),
      rows: samples.map((sample) => sampleRecord(run, sample, object)),
      areCounted: areCounted(run),
      claim: !final && this.#wantsUnits() ? this.#claim() : null,
      notBefore: this.#notBefore,
      final,
      expiresAt,
    };
    const result = await throughOutage(this.#ports, this.#heldUntil, () =>
      this.#ports.runs.commit(commit),
    );
    this.#committing = 0;
    if (final) this.#restMs = expiresAt - now;
    this.#committedAt = now;
    this.#heldUntil = expiresAt;
    if (result === null) this.#lost = true;
    else this.#learn(result);
  }

  outcome(): LaneOutcome {
    const last = this.#last;
    if (this.#lost || last === null) return { kind: "lost" };
    if (last.done >= last.total) return { kind: "complete" };
    const isWorkLeft = this.#queue.length > 0 || last.remaining > 0;
    if (last.status !== "running" || !isWorkLeft) return { kind: "idle" };
    return { kind: "handed-on", delayMs: this.#restMs };
  }

  /**
   * Puts the finished units' answers into storage. While that is away they wait for the next commit,
   * which keeps the lease meanwhile; with the last one they are given back, to be asked again.
   */
  async #save(final: boolean) {
    if (!final && !this.#wantsSave()) {
      const unsaved = this.#finished.map(({ number }) => number);
      return { object: "", samples: [], unsaved };
    }
    const finished = this.#finished;
    this.#finished = [];
    this.#finishedChars = 0;
    this.#saveAfterMs = SAVE_AFTER_MS;
    this.#committing = finished.length;
    const { lane, attempt } = this.#hold;
    const object = `runs/${this.#work.run.id}/answers/${lane}-${attempt}-${this.#commits}.json`;
    const samples = finished.flatMap((unit) => unit.samples);
    const renewalDue = this.#ports.now() + this.#ports.settings.leaseMs / RENEWALS;
    try {
      if (samples.length > 0) {
        const put = () => this.#ports.objects.put(object, samples);
        await throughOutage(this.#ports, renewalDue, put);
      }
      return { object, samples, unsaved: [] };
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      this.#outage = true;
      const unsaved = finished.map(({ number }) => number);
      if (final) this.#queue.push(...unsaved);
      else this.#finished.unshift(...finished);
      this.#waitingSince = this.#ports.now();
      this.#committing = 0;
      return { object, samples: [], unsaved };
    }
  }

  /** Until when the lane can't continue: the endpoint can take no call, or storage is away. */
  #restsUntil(now: number): number {
    const rests = this.#slots === 0 || this.#outage;
    return Math.max(now, this.#notBefore, rests ? now + REST_MS : 0);
  }

  #learn(result: CommitResult): void {
    this.#last = result;
    this.#slots = result.slots;
    this.#isFrugal = result.isBounded;
    this.#notBefore = Math.max(this.#notBefore, result.notBefore);
    this.#queue.push(...result.claimed);
  }

  #wantsUnits(): boolean {
    return this.#isOpen() && this.#slots > 0 && this.#queue.length < this.#low();
  }

  /** What a lane has in hand waits there while others idle: in the last round it claims what it can begin. */
  #low(): number {
    return this.#isLastRound() ? this.#slots - this.#taken() : LOW;
  }

  #isLastRound(): boolean {
    return !this.#areQuick() && this.#remaining() <= lastRound(this.#work);
  }

  /** Whether its units are known to be so quick that a claim for each would slow them down. */
  #areQuick(): boolean {
    return this.#carried > 0 && this.#unitMs < SLOW_MS;
  }

  /** Units that no lane has claimed yet, as far as this one knows. */
  #remaining(): number {
    return this.#last?.remaining ?? this.#work.plan.units.length;
  }

  #isOpen(): boolean {
    const now = this.#ports.now();
    const isRunning = this.#last === null || this.#last.status === "running";
    return !this.#lost && !this.#outage && isRunning && !this.#isClosed && now >= this.#notBefore;
  }

  #start(number: number): void {
    const unit = this.#work.plan.units[number];
    if (!unit) throw new Error(`run ${this.#work.run.id} has no unit ${number}`);
    const begun = this.#ports.now();
    const carried = carryUnit(this.#ports, this.#work, unit, this.#source)
      .catch((error: unknown) => this.#failed(number, unit, error))
      .then((samples) => {
        if (samples !== null) this.#finish({ number, samples });
        this.active.delete(number);
        this.#unitMs += (this.#ports.now() - begun - this.#unitMs) / ++this.#carried;
      });
    this.active.add(number);
    this.#bell.after(carried);
  }

  #finish(unit: FinishedUnit): void {
    if (this.#finished.length === 0) this.#waitingSince = this.#ports.now();
    this.#finished.push(unit);
    for (const sample of unit.samples) this.#finishedChars += charsOf(sample);
    this.#answered += unit.samples.filter(({ score }) => score.covered).length;
  }

  /** Samples of a failed unit; null: it is to be carried out again. */
  #failed(number: number, unit: Unit, error: unknown): StoredSample[] | null {
    if (error instanceof Postponed || error instanceof Outage) {
      if (error instanceof Postponed) this.#notBefore = Math.max(this.#notBefore, error.until);
      else this.#outage = true;
      this.#queue.push(number);
      return null;
    }
    const entry = {
      event: "unit-failed",
      run: this.#work.run.id,
      error: loggedError(this.#work.run, error),
    };
    console.error(JSON.stringify(entry));
    const message = "could not be scored: an error on our side";
    return lostUnit(this.#work, unit, message, this.#ports.now());
  }

  /** Claims shrink towards the end of a run, so that no lane is left with much while others idle. */
  #claim(): Claim {
    const { lanes } = this.#work.run;
    if (this.#areQuick())
      return { oneIn: lanes, least: LEAST_QUICK, most: GROUP, lastRound: 0, atOnce: 0 };
    const atOnce = Math.max(0, this.#slots - this.#taken() - this.#queue.length);
    const bounds = { least: LEAST_SLOW, most: MOST_SLOW };
    return { oneIn: lanes, ...bounds, lastRound: lastRound(this.#work), atOnce };
  }
}
