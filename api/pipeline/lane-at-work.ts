import { type AnswerSource, carryUnit, Postponed } from "./carry-unit.ts";
import { lostUnit } from "./lost-unit.ts";
import type { CommitResult, Ports, StoredSample } from "./ports.ts";
import type { RunWork } from "./run-work.ts";
import { sampleRecord } from "./sample-record.ts";

/** Fewer units than this in hand: time to claim more (as many as a lane can have in flight). */
const LOW = 5;
/** Units claimed at once, and samples committed at once, at the most. */
const GROUP = 25;
/** Both, where spending is bounded: what is answered past the bound is paid for. */
const FRUGAL_GROUP = 5;
/** A finished sample waits no longer than this for its commit. */
const COMMIT_AFTER_MS = 1_000;
/** A lane at work says so at least this often, so that a lease need not outlast a slow call. */
const RENEW_AFTER_MS = 10_000;
/** Three renewals missed: the holder is dead. */
export const LEASE_MS = 30_000;

/** A lane as its holder got it. */
export interface LaneHold {
  lane: number;
  attempt: number;
  /** Requests it may have in flight. */
  slots: number;
  units: number[];
  closesAt: number;
}

/**
 * How a lane ended: the run is complete; work is left, to go on with after `delayMs`; other lanes
 * do the rest; or the lease was lost.
 */
export type LaneOutcome =
  | { kind: "complete" | "idle" | "lost" }
  | { kind: "handed-on"; delayMs: number };

/** A lane that has no slot rests for this. */
export const REST_MS = 5_000;

/** A lane at work: its units in hand, in flight and finished. */
export class Lane {
  readonly active = new Map<number, Promise<void>>();
  readonly #ports: Ports;
  readonly #work: RunWork;
  readonly #source: AnswerSource;
  readonly #hold: LaneHold;
  readonly #queue: number[];
  readonly #group: number;
  #finished: StoredSample[] = [];
  #last: CommitResult | null = null;
  #slots: number;
  #notBefore = 0;
  #restMs = 0;
  #lost = false;
  #commits = 0;
  #committedAt: number;

  constructor(ports: Ports, work: RunWork, source: AnswerSource, hold: LaneHold) {
    this.#ports = ports;
    this.#work = work;
    this.#source = source;
    this.#hold = hold;
    this.#slots = hold.slots;
    this.#group = work.run.maxCostUsd === null ? GROUP : FRUGAL_GROUP;
    this.#queue = [...hold.units];
    this.#committedAt = ports.now();
  }

  /** Starts claimed units until all slots are taken. */
  fill(): void {
    while (this.#isOpen() && this.active.size < this.#slots) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  /** Units run low, finished samples have waited or gathered enough, or the lease grows old. */
  wantsCommit(): boolean {
    if (this.#lost) return false;
    if (this.#wantsUnits() && this.#remaining() > 0) return true;
    const waitedMs = this.#ports.now() - this.#committedAt;
    const isNews = this.#finished.length > 0 || this.#work.memory.overloads > 0;
    if (!isNews) return waitedMs >= RENEW_AFTER_MS;
    return this.#finished.length >= this.#group || waitedMs >= COMMIT_AFTER_MS;
  }

  /** Answers to R2 first, then rows, counters, claim and lease at once; `final` gives the lease up. */
  async commit(final: boolean): Promise<void> {
    if (this.#lost) return;
    const { lane, attempt } = this.#hold;
    const { run, memory } = this.#work;
    const samples = this.#finished;
    this.#finished = [];
    const { overloads } = memory;
    memory.overloads = 0;
    const keep = [...new Set([...this.#queue, ...this.active.keys()])];
    const inFlight = this.active.size;
    const commits = this.#commits++;
    const object = `runs/${run.id}/answers/${lane}-${attempt}-${commits}.json`;
    if (samples.length > 0) await this.#ports.objects.put(object, samples);
    const now = this.#ports.now();
    const result = await this.#ports.runs.commit({
      runId: run.id,
      ...{ lane, attempt, commits, now, keep, inFlight, overloads },
      endpointCap: this.#ports.settings.endpointConcurrencyMax,
      rows: samples.map((sample) => sampleRecord(run.id, sample, object)),
      claim: !final && this.#wantsUnits() ? this.#claimSize() : 0,
      notBefore: this.#notBefore,
      final,
      expiresAt: final ? this.#restsUntil(now) : now + LEASE_MS,
    });
    if (final) this.#restMs = this.#restsUntil(now) - now;
    this.#committedAt = now;
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

  /** Until when the endpoint bears no call of this lane. */
  #restsUntil(now: number): number {
    return Math.max(now, this.#notBefore, this.#slots > 0 ? 0 : now + REST_MS);
  }

  #learn(result: CommitResult): void {
    this.#last = result;
    this.#slots = result.slots;
    this.#notBefore = Math.max(this.#notBefore, result.notBefore);
    this.#queue.push(...result.claimed);
  }

  #wantsUnits(): boolean {
    return this.#isOpen() && this.#slots > 0 && this.#queue.length < LOW;
  }

  /** Units that no lane has claimed yet, as far as this one knows. */
  #remaining(): number {
    return this.#last?.remaining ?? this.#work.plan.units.length;
  }

  #isOpen(): boolean {
    const now = this.#ports.now();
    const isRunning = this.#last === null || this.#last.status === "running";
    return !this.#lost && isRunning && now < this.#hold.closesAt && now >= this.#notBefore;
  }

  #start(number: number): void {
    const unit = this.#work.plan.units[number];
    if (!unit) throw new Error(`run ${this.#work.run.id} has no unit ${number}`);
    const carried = carryUnit(this.#ports, this.#work, unit, this.#source)
      .catch((error: unknown) => {
        if (error instanceof Postponed) return this.#postpone(number, error.until);
        const entry = { event: "unit-failed", run: this.#work.run.id, error: String(error) };
        console.error(JSON.stringify(entry));
        const message = "could not be scored: an error on our side";
        return lostUnit(this.#work, unit, message, this.#ports.now());
      })
      .then((samples) => {
        this.#finished.push(...samples);
        this.active.delete(number);
      });
    this.active.set(number, carried);
  }

  #postpone(number: number, until: number): StoredSample[] {
    this.#notBefore = Math.max(this.#notBefore, until);
    this.#queue.push(number);
    return [];
  }

  /** Claims shrink towards the end of a run, so that no lane is left with much while others idle. */
  #claimSize(): number {
    const share = Math.ceil(this.#remaining() / (2 * this.#work.run.lanes));
    return Math.max(1, Math.min(this.#group, share));
  }
}
