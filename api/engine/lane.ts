import type { Unit } from "#shared/contracts/runs/unit.ts";
import { Postponed } from "../platform/backoff.ts";
import { logError } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { Outage, throughOutage } from "../platform/retry-storage.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import { type AnswerSource, executeUnit } from "./execute-unit.ts";
import { hopelessness } from "./hopeless.ts";
import {
  claimOf,
  leaseFor,
  nextUnit,
  outcomeOf,
  restsUntil,
  savesUntil,
  waitsToSave,
  wantsCommit,
  wantsSave,
  wantsSpan,
} from "./lane-decisions.ts";
import {
  type LaneEvent,
  type LaneHold,
  type LaneOutcome,
  type LaneState,
  laneAtStart,
  stateAfter,
  type UnitEnd,
  unitsOf,
} from "./lane-state.ts";
import { lostUnit } from "./record-lost-units.ts";
import type { RunWork } from "./run-work.ts";
import { areCounted, charsOf, sampleRecord, spendOf } from "./sample-record.ts";
import { isToYield, startLanes } from "./seat-lanes.ts";
import { answersKey } from "./stored-answers.ts";

/** How often a lane checks whether a commit is due. */
const TICK_MS = 1_000;

/** Executes the units of a held lane until nothing is left to claim, others wait, or the lease is lost. */
export class Lane {
  readonly #platform: Platform;
  readonly #work: RunWork;
  readonly #source: AnswerSource;
  #state: LaneState;
  /** Unsaved samples of finished units, by unit. */
  readonly #samples = new Map<number, StoredSample[]>();
  /** Characters of their answers, by unit. */
  readonly #chars = new Map<number, number>();
  /** Samples that a crashed holder had saved, by unit. */
  readonly #found: ReadonlyMap<number, StoredSample[]>;
  readonly #underWay = new Set<"commit" | "span" | "tick">();
  readonly #tasks = new Tasks();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #onSaved: (units: readonly Unit[]) => void;

  constructor(
    platform: Platform,
    work: RunWork,
    source: AnswerSource,
    hold: LaneHold,
    found: ReadonlyMap<number, StoredSample[]> = new Map(),
    onSaved: (units: readonly Unit[]) => void = () => {},
  ) {
    this.#platform = platform;
    this.#found = found;
    this.#onSaved = onSaved;
    this.#work = work;
    this.#source = source;
    const { leaseMs } = platform.settings;
    const isBounded = work.run.maxCostUsd !== null;
    this.#state = laneAtStart(work.size, hold, leaseMs, isBounded, platform.now());
  }

  /** Works until the lane is released. After an error, the next holder gets the answers in memory through R2. */
  async work(): Promise<LaneOutcome> {
    try {
      do await this.#untilIdle();
      while (!(await this.#commit(true)));
    } catch (error) {
      await this.#leaveAnswers();
      throw error;
    }
    return outcomeOf(this.#state);
  }

  /** Fills the request slots: a unit starts as soon as one ends. Commits run in the background. */
  async #untilIdle(): Promise<void> {
    for (;;) {
      this.#beginUnits();
      const now = this.#platform.now();
      if (wantsCommit(this.#state, now, this.#work.memory.overloads)) {
        this.#inBackground("commit", () => this.#commit(false));
      }
      if (wantsSpan(this.#state, now)) {
        this.#inBackground("span", () => this.#lookForOthers());
      }
      const isBusy = this.#underWay.has("commit") || this.#underWay.has("span");
      if (this.#state.active.length === 0 && !isBusy && !waitsToSave(this.#state, now)) return;
      this.#inBackground("tick", () => this.#platform.sleep(TICK_MS));
      await this.#tasks.nextEnd();
    }
  }

  #inBackground(kind: "commit" | "span" | "tick", begin: () => Promise<unknown>): void {
    if (this.#underWay.has(kind)) return;
    this.#underWay.add(kind);
    this.#tasks.watch(begin().finally(() => this.#underWay.delete(kind)));
  }

  /**
   * With five requests in flight, an invocation has one connection left: objects are written and messages sent one
   * after another.
   */
  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(call);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #happened(event: LaneEvent): void {
    this.#state = stateAfter(this.#state, event);
  }

  #beginUnits(): void {
    for (;;) {
      const number = nextUnit(this.#state, this.#platform.now());
      if (number === undefined) return;
      const unit = this.#work.plan.units[number];
      if (!unit) throw new Error(`run ${this.#work.run.id} has no unit ${number}`);
      this.#happened({ kind: "unit-begun" });
      this.#tasks.watch(this.#carryOut(number, unit));
    }
  }

  async #carryOut(number: number, unit: Unit): Promise<void> {
    const begun = this.#platform.now();
    const found = this.#found.get(number);
    const carriedOut = found
      ? Promise.resolve(found)
      : executeUnit(this.#platform, this.#work, unit, this.#source);
    const end = await carriedOut.then(
      (samples) => this.#finished(number, samples),
      (error: unknown) => this.#failed(number, unit, error),
    );
    const now = this.#platform.now();
    const { sent: requests } = this.#work.memory.requests;
    this.#happened({ kind: "unit-ended", unit: number, tookMs: now - begun, end, requests, now });
  }

  #finished(number: number, samples: StoredSample[]): UnitEnd {
    this.#samples.set(number, samples);
    const chars = samples.reduce((sum, sample) => sum + charsOf(sample), 0);
    this.#chars.set(number, chars);
    return {
      kind: "finished",
      answered: samples.filter(({ score }) => score.covered).length,
      hopeless: hopelessness(samples, this.#work.run),
      chars,
    };
  }

  /** Endpoint or storage unavailable: the unit is executed again. Any other error is the unit's result. */
  #failed(number: number, unit: Unit, error: unknown): UnitEnd {
    if (error instanceof Postponed) {
      return { kind: "postponed", until: error.until, answered: Number(error.hasReplies) };
    }
    if (error instanceof Outage) return { kind: "storage-away" };
    const { run } = this.#work;
    logError("unit-failed", error, { run: run.id, lane: this.#state.hold.lane });
    const message = "could not be scored: an error on our side";
    return this.#finished(number, lostUnit(this.#work, unit, message, this.#platform.now()));
  }

  /** Starts another span unless others wait; units run meanwhile. If storage is unavailable, it tries again later. */
  async #lookForOthers(): Promise<void> {
    const { id, phase } = this.#work.run;
    const seat = { run: id, lane: this.#state.hold.lane };
    // The endpoint may accept more requests by now.
    await this.#inTurn(() => startLanes(this.#platform, phase, 1));
    const yields = await isToYield(this.#platform, phase, seat).catch((error: unknown) => {
      if (error instanceof Outage) return false;
      throw error;
    });
    // Reads the clock again: a check that takes as long as a span would otherwise cause the next one, endlessly.
    this.#happened({ kind: "span-over", isToYield: yields, now: this.#platform.now() });
  }

  /**
   * Writes answers to R2, then rows, counters, claim and lease in one transaction; the last commit releases the lease.
   * False if the last commit could not save all answers.
   */
  async #commit(isLast: boolean): Promise<boolean> {
    const before = this.#state;
    if (before.phase === "lost") return true;
    const { run, memory, endpointCap } = this.#work;
    const { lane, attempt, patientUntil } = before.hold;
    const { overloads } = memory;
    memory.overloads = 0;
    const saves = isLast || wantsSave(before, this.#platform.now());
    this.#happened({ kind: "commit-begun", saves });
    const object = this.#objectKey(before.commits);
    const saved = await this.#save(object);
    const final = isLast && (saved !== null || this.#platform.now() >= patientUntil);
    if (saved === null) {
      this.#happened({ kind: "save-failed", isLast: final, now: this.#platform.now() });
    }
    const rows = (saved ?? []).flatMap((unit) => this.#takeSamples(unit));
    const held = [...before.active, ...before.queue, ...unitsOf(before.finished)];
    const keep = held.filter((unit) => !saved?.includes(unit));
    const [first] = before.hold.units;
    // Retries send the same commit except for its times. Its number identifies it if a reply was lost.
    const commit = {
      runId: run.id,
      sampleTable: run.sampleTable,
      lane,
      attempt,
      commits: before.commits,
      keep,
      isCleared: rows.length > 0 && (first === undefined || !keep.includes(first)),
      inFlight: before.active.length,
      answered: before.answered,
      overloads,
      endpointCap,
      rows: rows.map((sample) => sampleRecord(run, sample, object)),
      bytes: (saved ?? []).reduce((sum, unit) => sum + this.#takeChars(unit), 0),
      spend: spendOf(rows, run, this.#platform.now()),
      areCounted: areCounted(run),
      claim: final ? null : claimOf(this.#state, this.#platform.now()),
      notBefore: this.#state.notBefore,
      final,
    };
    const send = async () => {
      const now = this.#platform.now();
      const until = final ? restsUntil(this.#state, now) : now + leaseFor(before, now);
      const result = await this.#platform.runs.commit({ ...commit, now, expiresAt: until });
      this.#happened({ kind: "committed", result, isLast: final, now, until });
    };
    const hear = () => this.#happened({ kind: "storage-away" });
    await throughOutage(this.#platform, Math.max(before.heldUntil, patientUntil), send, hear);
    // If the lease is lost, its new holder may need these replies.
    if (!this.#isLost()) this.#onSaved((saved ?? []).map((unit) => this.#work.plan.units[unit]!));
    return final || !isLast;
  }

  #isLost = (): boolean => this.#state.phase === "lost";

  #objectKey(commits: number): string {
    const { lane, attempt } = this.#state.hold;
    return `${answersKey(this.#work.run.id, lane, attempt)}${commits}.json`;
  }

  /**
   * Saves the answers of finished units; returns the saved units, or null if storage stays unavailable until the lease
   * must be renewed.
   */
  async #save(object: string): Promise<number[] | null> {
    const units = unitsOf(this.#state.saving);
    const samples = units.flatMap((unit) => this.#samples.get(unit) ?? []);
    if (samples.length === 0) return units;
    const deadline = savesUntil(this.#state, this.#platform.now());
    const put = () => this.#platform.objects.put(object, samples);
    try {
      await throughOutage(this.#platform, deadline, () => this.#inTurn(put));
      return units;
    } catch (error) {
      if (error instanceof Outage) return null;
      throw error;
    }
  }

  /** If the database stays unavailable too long, the next holder reads the finished answers from R2. */
  async #leaveAnswers(): Promise<void> {
    const samples = [...this.#samples.values()].flat();
    if (samples.length === 0) return;
    const put = this.#platform.objects.put(this.#objectKey(this.#state.commits), samples);
    await put.catch((error: unknown) => {
      logError("answers-lost", error, { run: this.#work.run.id, count: samples.length });
    });
  }

  #takeSamples(unit: number): StoredSample[] {
    const samples = this.#samples.get(unit) ?? [];
    this.#samples.delete(unit);
    return samples;
  }

  #takeChars(unit: number): number {
    const chars = this.#chars.get(unit) ?? 0;
    this.#chars.delete(unit);
    return chars;
  }
}

/** Background tasks for a loop that waits until any of them ends. One shared promise, for any number of tasks. */
export class Tasks {
  #next = Promise.withResolvers<void>();
  #hasFailed = false;

  /** Resolves when the next task ends; rejects from the first failure on. */
  nextEnd(): Promise<void> {
    return this.#next.promise;
  }

  watch(task: Promise<unknown>): void {
    task.then(
      () => {
        if (this.#hasFailed) return;
        this.#next.resolve();
        this.#next = Promise.withResolvers();
      },
      (error: unknown) => {
        this.#hasFailed = true;
        this.#next.reject(error);
        // After the loop nobody may await this promise.
        this.#next.promise.catch(() => {});
      },
    );
  }
}
