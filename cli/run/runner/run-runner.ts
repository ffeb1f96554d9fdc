import { setTimeout as sleep } from "node:timers/promises";
import {
  RUNNER_WAIT_MAX_MS,
  type RunnerPoll,
  type RunnerWork,
  runnerSchema,
  runnerWorkSchema,
  signedReplyText,
  storedReplySchema,
} from "#shared/contracts/submissions/runner.ts";
import type { ServiceClient } from "../../remote/service-client.ts";
import { ServiceError } from "../../remote/service-error.ts";
import { callEndpoint, type RunnerRights } from "./call-endpoint.ts";
import type { RunnerKey } from "./runner-key.ts";

/** How often a runner at full concurrency renews its leases, which end after 60 s. */
const RENEW_MS = 20_000;
/** First and longest delay after a failed call. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Timeout of a long poll, including network time. */
const POLL_TIMEOUT_MS = RUNNER_WAIT_MAX_MS + 20_000;

/** A change of a runner's state. */
export type RunnerState =
  | { state: "ready" | "idle" | "working" | "back" }
  | { state: "unreachable" | "refused" | "dropped"; detail: string }
  | { state: "stopping"; requests: number }
  | { state: "stopped"; sent: number; failed: number };

/** Configuration of a runner. */
export interface RunnerSetup extends RunnerRights {
  client: ServiceClient;
  name: string;
  key: RunnerKey;
  concurrency: number;
  say: (state: RunnerState) => void;
  /** Stops the runner after pending requests. */
  stop: AbortSignal;
}

/** Takes requests from the service and sends them until stopped. Throws a permanent ServiceError. */
export const runRunner = (setup: RunnerSetup): Promise<void> => new Runner(setup).work();

type Leased = RunnerWork["requests"][number];

class Runner {
  readonly #setup: RunnerSetup;
  readonly #active = new Map<string, { lease: string; drop: AbortController }>();
  #onEnd = () => {};
  #isAway = false;
  #isIdle = true;
  #delayMs = RETRY_MS;
  #sent = 0;
  #failed = 0;

  constructor(setup: RunnerSetup) {
    this.#setup = setup;
  }

  async work(): Promise<void> {
    const { say, stop } = this.#setup;
    await this.#register();
    say({ state: "ready" });
    const stopped = new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve()));
    stop.addEventListener("abort", () => say({ state: "stopping", requests: this.#active.size }));
    while (!stop.aborted) await this.#turn(stopped);
    while (this.#active.size > 0) await this.#turn(new Promise(() => {}));
    say({ state: "stopped", sent: this.#sent, failed: this.#failed });
  }

  /** Takes as many requests as concurrency allows; at the limit, waits for the end of a request. */
  async #turn(stopped: Promise<void>): Promise<void> {
    const { stop, concurrency } = this.#setup;
    const take = stop.aborted ? 0 : Math.max(0, concurrency - this.#active.size);
    if (take === 0) {
      const renewal = new AbortController();
      const { signal } = renewal;
      const isDue = sleep(RENEW_MS, true, { signal }).catch(() => false);
      const freed = new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
      const end = Promise.race([freed, stopped]).then(() => false);
      const renews = await Promise.race([isDue, end]);
      renewal.abort();
      if (!renews) return;
    }
    const waitMs = take === 0 ? 0 : RUNNER_WAIT_MAX_MS;
    const holding = [...this.#active].map(([id, { lease }]) => ({ id, lease }));
    const work = await this.#withPatience(() => this.#poll({ take, holding, waitMs }));
    for (const id of work?.gone ?? []) this.#active.get(id)?.drop.abort();
    for (const leased of work?.requests ?? []) void this.#send(leased);
    if (work !== null && !stop.aborted) this.#sayIdle();
  }

  async #poll(poll: RunnerPoll): Promise<RunnerWork> {
    const { client, name, stop } = this.#setup;
    const timeout = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const signal = poll.take === 0 ? timeout : AbortSignal.any([timeout, stop]);
    const path = `/v1/runners/${name}/requests`;
    try {
      return await client.post(path, poll, runnerWorkSchema, {}, signal);
    } catch (error) {
      if (stop.aborted) return { requests: [], gone: [] };
      if (!(error instanceof ServiceError) || error.prospects.status !== 404) throw error;
      // The request was deleted at the service.
      await this.#register();
      return { requests: [], gone: [] };
    }
  }

  async #register(): Promise<void> {
    const { client, name, key } = this.#setup;
    const { publicKey } = key;
    const path = `/v1/runners/${name}`;
    const put = () => client.put(path, { publicKey }, runnerSchema);
    while ((await this.#withPatience(put)) === null) if (this.#setup.stop.aborted) return;
  }

  /** Makes a call; null, after a wait, if the service is unavailable. */
  async #withPatience<T>(call: () => Promise<T>): Promise<T | null> {
    const { say, stop } = this.#setup;
    try {
      const value = await call();
      if (this.#isAway) say({ state: "back" });
      this.#isAway = false;
      this.#delayMs = RETRY_MS;
      return value;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.prospects.isPassing) throw error;
      if (!this.#isAway) say({ state: "unreachable", detail: error.message });
      this.#isAway = true;
      const askedMs = 1_000 * (error.prospects.retryAfterSeconds ?? 0);
      const delayMs = Math.max(askedMs, this.#delayMs);
      this.#delayMs = Math.min(RETRY_MAX_MS, 2 * this.#delayMs);
      await sleep(delayMs, undefined, { signal: stop }).catch(() => sleep(RETRY_MS));
      return null;
    }
  }

  #sayIdle(): void {
    const isIdle = this.#active.size === 0;
    if (isIdle !== this.#isIdle) this.#setup.say({ state: isIdle ? "idle" : "working" });
    this.#isIdle = isIdle;
  }

  async #send(leased: Leased): Promise<void> {
    const { id, lease } = leased;
    const drop = new AbortController();
    this.#active.set(id, { lease, drop });
    const isSent = await this.#carryOut(leased, drop.signal).catch((error: Error) => {
      this.#setup.say({ state: "dropped", detail: error.message });
      return false;
    });
    this.#sent += Number(isSent);
    this.#active.delete(id);
    this.#onEnd();
  }

  /** Delivers a reply; true if the service has it. */
  async #carryOut({ id, lease, request }: Leased, dropped: AbortSignal): Promise<boolean> {
    const { client, name, key, say } = this.#setup;
    const reply = await callEndpoint(request, this.#setup, dropped);
    if (dropped.aborted) return false;
    const { failure } = reply;
    if (failure !== null) this.#failed += 1;
    if (failure?.class === "blocked") say({ state: "refused", detail: request.url });
    const headers = {
      "assay-lease": lease,
      "assay-key-id": key.keyId,
      "assay-signature": key.sign(signedReplyText({ id, lease }, JSON.stringify(reply))),
    };
    const path = `/v1/runners/${name}/requests/${id}/reply`;
    const post = () => client.post(path, reply, storedReplySchema, headers);
    // The answer has been paid for, so it is kept until the service is back or another runner has the request.
    while ((await this.#withPatience(post)) === null) if (dropped.aborted) return false;
    return true;
  }
}
