import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Unit } from "#shared/contracts/suite.ts";
import { type AnswerSource, carryUnit } from "./carry-unit.ts";
import type { CommitResult, Ports, StoredSample } from "./ports.ts";
import { seqOf } from "./run-plan.ts";
import type { RunWork } from "./run-work.ts";
import { sampleRecord } from "./sample-record.ts";

/** Requests in flight: a Worker has six connections awaiting headers, and R2 needs one. */
const SLOTS = 5;
/** Units claimed at once, and samples committed at once, at the most. */
const GROUP = 25;
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
  units: number[];
  closesAt: number;
}

/** How a lane ended: the run is complete, work is left, other lanes do the rest, or lost. */
export type LaneOutcome = "complete" | "handed-on" | "idle" | "lost";

/** Keeps `SLOTS` units in flight, the next starting as one ends, and commits beside them. */
export async function laneLoop(
  ports: Ports,
  work: RunWork,
  source: AnswerSource,
  hold: LaneHold,
): Promise<LaneOutcome> {
  const lane = new Lane(ports, work, source, hold);
  let committing: Promise<void> | null = null;
  let tick = ports.sleep(COMMIT_AFTER_MS);
  for (;;) {
    lane.fill();
    if (committing === null && lane.wantsCommit()) {
      committing = lane.commit(false).finally(() => {
        committing = null;
      });
    }
    const pending: Promise<void>[] = [...lane.active.values()];
    if (committing !== null) pending.push(committing);
    if (pending.length === 0) break;
    const ticked = await Promise.race([
      ...pending.map((promise) => promise.then(() => false)),
      tick,
    ]);
    if (ticked !== false) tick = ports.sleep(COMMIT_AFTER_MS);
  }
  await lane.commit(true);
  return lane.outcome();
}

/** A lane at work. */
class Lane {
  readonly active = new Map<number, Promise<void>>();
  readonly #ports: Ports;
  readonly #work: RunWork;
  readonly #source: AnswerSource;
  readonly #hold: LaneHold;
  readonly #queue: number[];
  #finished: StoredSample[] = [];
  #last: CommitResult | null = null;
  #lost = false;
  #commits = 0;
  #committedAt: number;

  constructor(ports: Ports, work: RunWork, source: AnswerSource, hold: LaneHold) {
    this.#ports = ports;
    this.#work = work;
    this.#source = source;
    this.#hold = hold;
    this.#queue = [...hold.units];
    this.#committedAt = ports.now();
  }

  /** Starts claimed units until all slots are taken. */
  fill(): void {
    while (this.#isOpen() && this.active.size < SLOTS) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  /** Units run low, finished samples have waited or gathered enough, or the lease grows old. */
  wantsCommit(): boolean {
    if (this.#lost) return false;
    if (this.#isOpen() && this.#queue.length < SLOTS && this.#remaining() > 0) return true;
    const waitedMs = this.#ports.now() - this.#committedAt;
    if (this.#finished.length === 0) return waitedMs >= RENEW_AFTER_MS;
    return this.#finished.length >= GROUP || waitedMs >= COMMIT_AFTER_MS;
  }

  /** Answers to R2 first, then rows, counters, claim and lease at once; `final` gives the lease up. */
  async commit(final: boolean): Promise<void> {
    if (this.#lost) return;
    const { lane, attempt } = this.#hold;
    const { id, lanes } = this.#work.run;
    const samples = this.#finished;
    this.#finished = [];
    const keep = [...this.#queue, ...this.active.keys()];
    const object = `runs/${id}/answers/${lane}-${attempt}-${this.#commits++}.json`;
    if (samples.length > 0) await this.#ports.objects.put(object, samples);
    const now = this.#ports.now();
    const result = await this.#ports.runs.commit({
      runId: id,
      lane,
      attempt,
      rows: samples.map((sample) => sampleRecord(id, sample, object)),
      keep,
      claim: !final && this.#isOpen() ? claimSize(this.#remaining(), lanes) : 0,
      expiresAt: final ? now : now + LEASE_MS,
    });
    this.#committedAt = now;
    this.#lost = result === null;
    this.#last = result ?? this.#last;
    this.#queue.push(...(result?.claimed ?? []));
  }

  outcome(): LaneOutcome {
    if (this.#lost || this.#last === null) return "lost";
    if (this.#last.done >= this.#last.total) return "complete";
    if (this.#last.status !== "running") return "idle";
    return this.#queue.length > 0 || this.#last.remaining > 0 ? "handed-on" : "idle";
  }

  /** Units that no lane has claimed yet, as far as this one knows. */
  #remaining(): number {
    return this.#last?.remaining ?? this.#work.plan.units.length;
  }

  #isOpen(): boolean {
    const running = this.#last === null || this.#last.status === "running";
    return !this.#lost && running && this.#ports.now() < this.#hold.closesAt;
  }

  #start(number: number): void {
    const unit = this.#work.plan.units[number];
    if (!unit) throw new Error(`run ${this.#work.run.id} has no unit ${number}`);
    const carried = carryUnit(this.#ports, this.#work, unit, this.#source)
      .catch((error: unknown) => brokenUnit(this.#work, unit, error))
      .then((samples) => {
        this.#finished.push(...samples);
        this.active.delete(number);
      });
    this.active.set(number, carried);
  }
}

/** Claims shrink towards the end of a run, so that no lane is left with much while others idle. */
function claimSize(remaining: number, lanes: number): number {
  return Math.max(1, Math.min(GROUP, Math.ceil(remaining / (2 * lanes))));
}

/** A unit whose scoring threw: recorded as unscored with the reason, so that the run still ends. */
function brokenUnit(work: RunWork, unit: Unit, error: unknown): StoredSample[] {
  console.error(JSON.stringify({ event: "unit-failed", run: work.run.id, error: String(error) }));
  return unit.samples.map((sample) => ({
    seq: seqOf(work.plan, sample, unit.repeat),
    id: work.plan.heads[sample]?.id ?? "",
    answer: {
      ...emptyAnswer,
      error: { class: "lost" as const, message: "could not be scored: an error on our side" },
    },
    score: { status: "unscored" as const, score: null, covered: false, detail: null },
  }));
}
