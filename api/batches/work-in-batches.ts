import type { Unit } from "#shared/contracts/runs/unit.ts";
import { batchesOf } from "#shared/contracts/submissions/providers.ts";
import type { CommitResult } from "../engine/commit-store.ts";
import { type AnswerSource, executeUnit } from "../engine/execute-unit.ts";
import type { LaneOutcome } from "../engine/lane-state.ts";
import type { LaneTaken } from "../engine/lease-store.ts";
import { lostUnit } from "../engine/record-lost-units.ts";
import type { RunWork } from "../engine/run-work.ts";
import { areCounted, charsOf, sampleRecord, spendOf } from "../engine/sample-record.ts";
import { answersKey } from "../engine/stored-answers.ts";
import { Awaited, Postponed } from "../platform/backoff.ts";
import { logError } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { Outage } from "../platform/retry-storage.ts";
import { guardedAsk, modelClient } from "../providers/ask-model.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import { BatchBook, objectsOf } from "./batch-book.ts";
import { lookAtBatches, submitBatch } from "./provider-batches.ts";
import type { BatchRecord } from "./schema.ts";

/** Longer than one pass over a batch takes, so that no other pass submits the same requests. */
export const BATCH_LEASE_MS = 600_000;
/** A visit starts nothing new after this time: an upload or a download may take four minutes. */
const VISIT_MS = 240_000;
/** Units executed concurrently: their requests to other endpoints share six connections. */
const AT_ONCE = 5;
/** Maximum samples of finished units, and characters of their answers, per object; a unit is not split. */
const GROUP = 64;
const GROUP_CHARS = 2_000_000;
/** D1 queries of a commit, or of a submitted batch, at most. */
const STEP_QUERIES = 12;
/** Shortest and longest time between two polls; otherwise half of the batch's age. */
const LOOK_MIN_MS = 5_000;
const LOOK_MAX_MS = 900_000;

/** A lane as it was taken, and the source of its answers. */
export interface BatchHold extends Pick<LaneTaken, "attempt" | "units"> {
  lane: number;
  sourceOf: (platform: Platform) => AnswerSource;
}

/**
 * One visit to a lane whose requests are sent in batches: polls its batches, executes its units with the replies that
 * have arrived, submits their next requests, and rests until the next poll. Like any lane it holds a lease and commits
 * under it; its state is in D1 and R2.
 */
export function workInBatches(
  platform: Platform,
  work: RunWork,
  hold: BatchHold,
): Promise<LaneOutcome> {
  return new BatchVisit(platform, work, hold).carryOut();
}

interface Finished {
  unit: number;
  samples: StoredSample[];
}

class BatchVisit {
  readonly #platform: Platform;
  readonly #work: RunWork;
  readonly #hold: BatchHold;
  readonly #endsAt: number;
  #commits = 0;
  #queries = 0;
  /** Units that are not saved. */
  #left: number[];
  #open: BatchRecord[] = [];
  #read: BatchRecord[] = [];
  #answered = 0;
  #postponedUntil = 0;
  readonly #finished: Finished[] = [];

  constructor(platform: Platform, work: RunWork, hold: BatchHold) {
    this.#platform = platform;
    this.#work = work;
    this.#hold = hold;
    this.#left = [...hold.units];
    this.#endsAt = platform.now() + VISIT_MS;
  }

  async carryOut(): Promise<LaneOutcome> {
    try {
      const rows = await this.#platform.batches.ofLane(this.#lane());
      const seen = await lookAtBatches(this.#platform, this.#work, rows);
      this.#open = seen.open;
      this.#read = seen.read;
      // Without new replies, every unit would wait for the same ones again.
      if (seen.isNews || seen.open.length === 0) {
        const isWhole = await this.#execute();
        if (!isWhole) return await this.#leave(0);
      }
    } catch (error) {
      if (!(error instanceof Postponed)) throw error;
      return this.#leave(error.until - this.#platform.now(), error.until);
    }
    return this.#leave(this.#untilLook());
  }

  #lane() {
    const { id: runId, phase, retries } = this.#work.run;
    return { runId, phase, retry: retries.length, lane: this.#hold.lane };
  }

  /** Executes the units, and submits the requests that they wait for. False if there is more to do at once. */
  async #execute(): Promise<boolean> {
    const { objects } = this.#platform;
    const { id, retries } = this.#work.run;
    const book = new BatchBook(objects, `${id} ${retries.length}`, this.#platform.now);
    for (const batch of [...this.#read, ...this.#open]) await book.add(objects, batch);
    const source = this.#hold.sourceOf(this.#asking(book));
    let isSpent = false;
    for (let at = 0; at < this.#hold.units.length && !isSpent; at += AT_ONCE) {
      const some = this.#hold.units.slice(at, at + AT_ONCE);
      const ends = await Promise.all(some.map((unit) => this.#executeUnit(unit, source)));
      this.#finished.push(...ends.flatMap((end) => end ?? []));
      if (isGroup(this.#finished) && !(await this.#save())) return true;
      if (!(await this.#submit(book, true))) return true;
      isSpent = this.#isSpent();
    }
    if (!(await this.#save()) || !(await this.#submit(book, false))) return true;
    if (isSpent) return false;
    if (this.#open.length > 0) return true;
    if (this.#postponedUntil > 0) throw new Postponed(this.#postponedUntil);
    return this.#left.length === 0;
  }

  /** The platform with clients that call model and judges in batches where possible. */
  #asking(book: BatchBook): Platform {
    const { judging, settings, now, sleep } = this.#platform;
    const around = { now, sleep, random: () => 0 };
    const client = (judge: Parameters<typeof book.transport>[0]): Platform["ask"] => {
      const ask = modelClient(around, book.transport(judge));
      // Only requests that are really sent count towards the limit of an invocation.
      return (endpoint, request, limits, memory) =>
        ask(endpoint, request, limits, { ...memory, requests: { sent: 0, most: Infinity } });
    };
    const { options, phase } = this.#work.run;
    const batched = judging.askBy(client);
    const ask: typeof judging.ask = (route, ...rest) =>
      batchesOf(judging.endpointOf(route)) === null
        ? judging.ask(route, ...rest)
        : batched(route, ...rest);
    return {
      ...this.#platform,
      ...(phase === "answering" && { ask: guardedAsk(client(null), settings) }),
      ...(options["judgeMode"] === "batch" && { judging: { ...judging, ask } }),
    };
  }

  /** Null if the unit waits for a batch, or an endpoint that is called live accepts no calls now. */
  async #executeUnit(number: number, source: AnswerSource): Promise<Finished | null> {
    const unit = this.#work.plan.units[number];
    if (!unit) throw new Error(`run ${this.#work.run.id} has no unit ${number}`);
    try {
      const samples = await executeUnit(this.#platform, this.#work, unit, source);
      return { unit: number, samples };
    } catch (error) {
      if (error instanceof Awaited) return null;
      if (error instanceof Postponed) {
        this.#postponedUntil = Math.max(this.#postponedUntil, error.until);
        return null;
      }
      if (error instanceof Outage) throw error;
      return { unit: number, samples: this.#lost(unit, error) };
    }
  }

  #lost(unit: Unit, error: unknown): StoredSample[] {
    const { run } = this.#work;
    logError("unit-failed", error, { run: run.id });
    const message = "could not be scored: an error on our side";
    return lostUnit(this.#work, unit, message, this.#platform.now());
  }

  #isSpent(): boolean {
    const { queries } = this.#platform.settings.plan;
    return this.#platform.now() >= this.#endsAt || this.#queries >= queries / 2;
  }

  /** False if the lane is lost or the run was stopped. */
  async #save(): Promise<boolean> {
    const finished = this.#finished.splice(0);
    if (finished.length === 0) return true;
    const samples = finished.flatMap((one) => one.samples);
    const object = `${answersKey(this.#work.run.id, this.#hold.lane, this.#hold.attempt)}${this.#commits}.json`;
    await this.#platform.objects.put(object, samples);
    const saved = new Set(finished.map(({ unit }) => unit));
    this.#left = this.#left.filter((unit) => !saved.has(unit));
    this.#answered += samples.filter(({ score }) => score.covered).length;
    const result = await this.#commit({ samples, object });
    return result?.status === "running";
  }

  /** Submits waiting requests; with `full`, only full batches. False if the run must not continue. */
  async #submit(book: BatchBook, full: boolean): Promise<boolean> {
    for (const waiting of book.take(full)) {
      // Renews the lease first, because an upload may take minutes.
      const result = await this.#commit({});
      if (result?.status !== "running") return false;
      const { attempt } = this.#hold;
      const made = await submitBatch(this.#platform, this.#lane(), attempt, waiting);
      this.#queries += STEP_QUERIES;
      if (made === null) return false;
      this.#answered += 1;
      if (made.pieces === null) this.#open.push(made);
      else this.#read.push(made);
    }
    return true;
  }

  #untilLook(): number {
    const now = this.#platform.now();
    const waits = this.#open.map(({ createdAt }) =>
      Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, (now - createdAt) / 2)),
    );
    return waits.length === 0 ? 0 : Math.min(...waits);
  }

  /** Releases the lane for `delayMs`; until `notBefore` no lane of the run calls the provider. */
  async #leave(delayMs: number, notBefore = 0): Promise<LaneOutcome> {
    const hasUnits = this.#left.length > 0;
    const wait = hasUnits ? Math.max(0, delayMs) : 0;
    const result = await this.#commit({ restMs: wait, notBefore, isLast: true });
    if (result === null) return { kind: "lost" };
    if (!hasUnits) await this.#clear();
    if (result.done >= result.total) return { kind: "complete" };
    const isWorkLeft = hasUnits || result.claimed.length > 0;
    if (result.status !== "running" || !isWorkLeft) return { kind: "idle" };
    return { kind: "handed-on", delayMs: wait };
  }

  /** Deletes the lane's batches, whose replies are now in the answers. */
  async #clear(): Promise<void> {
    const all = [...this.#read, ...this.#open];
    if (all.length === 0) return;
    await this.#platform.objects.remove(all.flatMap(objectsOf).slice(0, 1_000));
    await this.#platform.batches.dropLane(this.#lane());
  }

  async #commit({
    samples = [],
    object = "",
    restMs = BATCH_LEASE_MS,
    notBefore = 0,
    isLast = false,
  }: {
    samples?: readonly StoredSample[];
    object?: string;
    restMs?: number;
    notBefore?: number;
    isLast?: boolean;
  }): Promise<CommitResult | null> {
    const { run, endpointCap } = this.#work;
    const { lane, attempt } = this.#hold;
    const { batchUnits } = this.#platform.settings.plan;
    const claims = isLast && this.#left.length === 0;
    const now = this.#platform.now();
    this.#queries += STEP_QUERIES;
    const result = await this.#platform.runs.commit({
      runId: run.id,
      sampleTable: run.sampleTable,
      lane,
      attempt,
      commits: this.#commits,
      now,
      endpointCap,
      rows: samples.map((sample) => sampleRecord(run, sample, object)),
      bytes: samples.reduce((sum, sample) => sum + charsOf(sample), 0),
      spend: spendOf(samples, run, now),
      keep: this.#left,
      isCleared: isLast || samples.length > 0,
      inFlight: 0,
      claim: claims
        ? { oneIn: 1, least: batchUnits, most: batchUnits, lastRound: 0, atOnce: 0 }
        : null,
      // An accepted batch counts as a reply of the endpoint: it does not postpone the run.
      answered: this.#answered,
      overloads: 0,
      notBefore,
      areCounted: areCounted(run),
      final: isLast,
      expiresAt: now + restMs,
    });
    this.#commits += 1;
    this.#answered = 0;
    return result;
  }
}

function isGroup(finished: readonly Finished[]): boolean {
  const samples = finished.flatMap((unit) => unit.samples);
  if (samples.length >= GROUP) return true;
  const chars = samples.map(({ answer }) => answer.output?.length);
  return chars.reduce<number>((sum, one) => sum + (one ?? 0), 0) >= GROUP_CHARS;
}
