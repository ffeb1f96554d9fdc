import { textHash } from "#shared/contracts/content-hash.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import type { Unit } from "#shared/contracts/runs/unit.ts";
import type { RunnerReply, RunnerRequest } from "#shared/contracts/submissions/runner.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { blockedFor } from "../engine/run-work.ts";
import { Postponed } from "../platform/backoff.ts";
import type { Platform } from "../platform/platform.ts";
import { guardedAsk, modelClient, type Transport } from "../providers/ask-model.ts";
import { ReportedFailure } from "../providers/failure.ts";
import { completeOnce } from "../providers/request-once.ts";
import type { RunRecord } from "../runs/schema.ts";
import { ReplayClock, replayOf } from "./replay.ts";
import { isAway, objectKey, storedText } from "./service.ts";
import type { Found, NewRequest, RunnerId } from "./store.ts";

/** Shortest and longest polling interval for replies, ms. */
const LOOK_MS = 200;
const LOOK_MAX_MS = 2_000;
/** Requests that start within this time are stored together, ms. */
const GATHER_MS = 10;
/** How long a lane rests after it has waited long enough, ms. */
const REST_MS = 2_000;
/** Shortest and longest interval of checking whether a runner is back, ms. The runner also wakes its runs itself. */
const AWAY_LOOK_MS = 5_000;
const AWAY_LOOK_MAX_MS = 300_000;
/** How long a run waits for its runner without an answer in between, ms. */
const AWAY_MAX_MS = 7 * 86_400_000;
/** Longer than an invocation, because the runner limits the time of the request, and the tunnel that of the lane. */
const NO_TIMEOUT_MS = 3_600_000;

type RunOfLane = Pick<RunRecord, "id" | "owner" | "retries" | "blockedSince">;

/** How long a lane waits for replies: until a time, or for a number of queries. */
interface Patience {
  until: number;
  looks: number;
}

/** A request of a unit, with its objects in R2. */
interface Noted {
  id: string;
  runner: string;
  keys: string[];
}

interface Waiting {
  noted: Noted;
  resolve: (reply: RunnerReply) => void;
  reject: (error: unknown) => void;
}

/**
 * Requests of one lane holder that runners send. Each is a row until its unit is saved: units that are executed again,
 * by this or another holder, find the replies that have arrived. Requests are identified by content, so that a crash
 * pays no model twice.
 */
export class Tunnel {
  readonly #platform: Platform;
  readonly #run: RunOfLane;
  readonly #patience: Patience;
  readonly #waiting = new Map<string, Waiting>();
  readonly #fresh: (NewRequest & { runner: string })[] = [];
  readonly #forgotten: Noted[] = [];
  /** Stored requests by their unit. */
  readonly #ofUnits = new Map<string, Noted[]>();
  #kick = Promise.withResolvers<void>();
  #isLooking = false;

  constructor(platform: Platform, run: RunOfLane, patience: Patience) {
    this.#platform = platform;
    this.#run = run;
    this.#patience = { ...patience };
  }

  /** The platform with a client that calls models through runners if an endpoint names one. */
  get platform(): Platform {
    const { now, sleep, randomBytes, settings } = this.#platform;
    const around = { now, sleep, random: () => randomBytes(1)[0]! / 256 };
    const ask = guardedAsk(modelClient(around, this.#transport()), settings);
    return { ...this.#platform, ask };
  }

  #transport(): Transport {
    const { now } = this.#platform;
    return {
      streams: true,
      complete: async (endpoint, write, { timeoutMs, name = "" }) => {
        const { runner } = endpoint;
        if (runner === undefined) return completeOnce(endpoint, write, timeoutMs, now);
        const clock = new ReplayClock(now());
        let noted: Noted | null = null;
        let stopped: unknown = null;
        const send = async (input: unknown, init?: RequestInit): Promise<Response> => {
          const request = requestOf(String(input), init, endpoint, timeoutMs);
          const text = JSON.stringify(request);
          noted = this.#note(name, runner, text);
          const reply = await this.#replyTo(noted, text).catch((error: unknown) => {
            if (!(error instanceof ReportedFailure)) stopped = error;
            throw error;
          });
          return replayOf(reply, clock);
        };
        const way = { tunnel: send as never };
        const attempt = await completeOnce(endpoint, write, NO_TIMEOUT_MS, clock.now, way);
        if (stopped !== null) throw stopped;
        // A failed request may be sent again with the same content.
        if (!attempt.ok && noted !== null) this.#forgotten.push(noted);
        return attempt;
      },
    };
  }

  #note(name: string, runner: string, text: string): Noted {
    const { id: runId, retries } = this.#run;
    const id = textHash([runId, retries.length, name, text].join("\n"));
    const unit = name.split("-").slice(0, 2).join("-");
    const noted = { id, runner, keys: [] };
    this.#ofUnits.set(unit, [...(this.#ofUnits.get(unit) ?? []), noted]);
    return noted;
  }

  /** Notes that these units are saved: the next poll deletes their requests. */
  saved(units: readonly Unit[]): void {
    for (const { samples, repeat } of units) {
      const unit = `${samples[0]}-${repeat}`;
      this.#forgotten.push(...(this.#ofUnits.get(unit) ?? []));
      this.#ofUnits.delete(unit);
    }
  }

  /** Deletes the remaining requests. Rows that remain after a crash are deleted when the run has ended. */
  async close(): Promise<void> {
    const left = Map.groupBy(this.#forgotten.splice(0), ({ runner }) => runner);
    for (const [name, requests] of left) {
      const ids = requests.map(({ id }) => id);
      await this.#platform.runners.forget(this.#idOf(name), ids);
      await this.#removeObjects(requests);
    }
  }

  async #removeObjects(requests: readonly Noted[]): Promise<void> {
    const keys = requests.flatMap((one) => one.keys);
    if (keys.length > 0) await this.#platform.objects.remove(keys);
  }

  #idOf = (name: string): RunnerId => ({ owner: this.#run.owner, name });

  async #replyTo(noted: Noted, text: string): Promise<RunnerReply> {
    const { id, runner } = noted;
    const key = objectKey(this.#run.id, id, null);
    const inRow = await storedText(this.#platform, key, text);
    if (inRow === null) noted.keys.push(key);
    const { promise, resolve, reject } = Promise.withResolvers<RunnerReply>();
    this.#waiting.set(id, { noted, resolve, reject });
    this.#fresh.push({ id, runner, text: inRow });
    this.#kick.resolve();
    if (!this.#isLooking) void this.#lookUntilAnswered();
    return promise;
  }

  async #lookUntilAnswered(): Promise<void> {
    const { sleep } = this.#platform;
    this.#isLooking = true;
    try {
      let pauseMs = LOOK_MS;
      await sleep(GATHER_MS);
      while (this.#waiting.size > 0) {
        const before = this.#waiting.size;
        for (const runner of new Set(
          [...this.#waiting.values()].map(({ noted }) => noted.runner),
        )) {
          await this.#look(runner);
        }
        if (this.#waiting.size === 0) break;
        pauseMs = this.#waiting.size < before ? LOOK_MS : Math.min(LOOK_MAX_MS, 1.4 * pauseMs);
        this.#kick = Promise.withResolvers();
        await Promise.race([sleep(pauseMs), this.#kick.promise.then(() => sleep(GATHER_MS))]);
      }
    } catch (error) {
      this.#giveUp(null, error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(name: string): Promise<void> {
    const { runners, now } = this.#platform;
    const isIts = ({ runner }: { runner: string }) => runner === name;
    const ids = [...this.#waiting].flatMap(([id, one]) => (isIts(one.noted) ? [id] : []));
    const fresh = taken(this.#fresh, isIts).map(({ id, text }) => ({ id, text }));
    const gone = taken(this.#forgotten, isIts);
    const forgotten = gone.map(({ id }) => id);
    const looked = { runId: this.#run.id, fresh, forgotten, ids, now: now() };
    this.#patience.looks -= 1 + Number(fresh.length > 0) + Number(forgotten.length > 0);
    const { lastSeenAt, found } = await runners.look(this.#idOf(name), looked);
    // A request that is sent again has its object again.
    await this.#removeObjects(gone.filter(({ id }) => !ids.includes(id)));
    for (const one of found) await this.#end(one, name);
    if (isAway(lastSeenAt, now())) this.#giveUp(name, this.#absence(name));
    const { until, looks } = this.#patience;
    if (now() >= until || looks <= 0) this.#giveUp(name, this.#rest());
  }

  async #end(found: Found, name: string): Promise<void> {
    const waiting = this.#waiting.get(found.id);
    if (waiting === undefined || found.kind === "waiting") return;
    if (found.kind === "gone") {
      // Another holder of the lane has saved its unit, or the run has ended.
      this.#waiting.delete(found.id);
      return waiting.reject(this.#rest());
    }
    if (found.kind === "lost") {
      this.#waiting.delete(found.id);
      const message = `runner ${name} took the request several times and did not reply`;
      return waiting.reject(new ReportedFailure("server_error", message));
    }
    const { id, lease, text } = found;
    const key = objectKey(this.#run.id, id, lease);
    if (text === null) waiting.noted.keys.push(key);
    const read = text ?? (await this.#platform.objects.getText(key)) ?? "";
    this.#waiting.delete(id);
    const reply = parsedJson(read) as RunnerReply | undefined;
    if (reply !== undefined) return waiting.resolve(reply);
    waiting.reject(new ReportedFailure("network", `the reply of runner ${name} was lost`));
  }

  #rest = (): Postponed => new Postponed(this.#platform.now() + REST_MS);

  /** The error of a run that waits for its runner: for days, checking less and less often. */
  #absence(name: string): Error {
    const now = this.#platform.now();
    const blockedMs = blockedFor(this.#run, now);
    if (blockedMs >= AWAY_MAX_MS) {
      const days = AWAY_MAX_MS / 86_400_000;
      return new ReportedFailure("no_runner", `runner ${name} did not come for ${days} days`);
    }
    return new Postponed(now + Math.min(AWAY_LOOK_MAX_MS, Math.max(AWAY_LOOK_MS, blockedMs / 4)));
  }

  /** Rejects the waiting requests of a runner; null: of all runners. */
  #giveUp(name: string | null, error: unknown): void {
    for (const [id, { noted, reject }] of this.#waiting) {
      if (name !== null && noted.runner !== name) continue;
      this.#waiting.delete(id);
      reject(error);
    }
  }
}

/** Removes the elements that fulfil a condition, and returns them. */
function taken<T>(list: T[], is: (one: T) => boolean): T[] {
  const its = list.filter(is);
  list.splice(0, list.length, ...list.filter((one) => !is(one)));
  return its;
}

/** The whole request as the client would send it. */
function requestOf(
  url: string,
  init: RequestInit | undefined,
  { protocol }: Endpoint,
  timeoutMs: number,
): RunnerRequest {
  const { method = "GET", headers, body } = init ?? {};
  return {
    method,
    url,
    headers: Object.fromEntries(new Headers(headers)),
    body: typeof body === "string" ? body : "",
    ...(protocol !== undefined && { protocol }),
    timeoutMs,
  };
}
