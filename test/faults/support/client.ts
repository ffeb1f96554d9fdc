import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../../shared/contracts/boards/snapshot.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { serviceApi } from "../../support/service-api.ts";

/** Each open run is read as often: more would be the most that the service does. */
const POLL_MS = 500;
/** A reply that takes longer is none: what is killed in the midst of it may leave its caller waiting. */
const REPLY_WITHIN_MS = 15_000;

const ended = new Set<string>(["finished", "failed", "cancelled"]);

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Call {
  /** Null: on behalf of nobody. */
  apiKey: string | null;
  body: object;
  idempotencyKey?: string;
}

interface Reply {
  status: number;
  body: unknown;
}

/** A client of a service that may be down, or answer with an error of its own, at any time. */
export class PatientClient {
  readonly #origin: string;
  readonly #deadline: number;

  /** `patienceMs`: after so long in all, whatever is still waited for is an error. */
  constructor(origin: string, patienceMs: number) {
    this.#origin = origin;
    this.#deadline = Date.now() + patienceMs;
  }

  uploadDataset(suite: string, name: string, rows: readonly unknown[]) {
    const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
    return serviceApi(this.#origin).uploadDataset(suite, name, jsonl);
  }

  /** Submits once, however often it takes. */
  async submit(idempotencyKey: string, body: object, apiKey: string | null): Promise<Submission> {
    const reply = await this.call("/v1/submissions", { apiKey, body, idempotencyKey });
    if (reply.status < 300) return reply.body as Submission;
    throw new Error(`the submission was refused: ${JSON.stringify(reply.body)}`);
  }

  /**
   * Posts until the service has decided, however often it takes: an idempotency key sees to it that it
   * counts once, and one whose holder died unseen stays held for half a minute.
   */
  async call(path: string, request: Call): Promise<Reply> {
    for (;;) {
      const reply = await this.#post(path, request);
      if (reply !== null && !isUndecided(reply)) return reply;
      if (Date.now() >= this.#deadline) {
        throw new Error(`POST ${path}: ${JSON.stringify(reply ?? "no reply")}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** The ids of the runs that have not ended by `deadline`, Unix ms. */
  async untilEnded(ids: readonly string[], deadline: number): Promise<string[]> {
    let open = [...ids];
    while (open.length > 0 && Date.now() < deadline) {
      const runs = await Promise.all(open.map((id) => this.run(id)));
      open = open.filter((_, i) => !ended.has(runs[i]?.status ?? "unknown"));
      if (open.length > 0) await sleep(POLL_MS);
    }
    return open;
  }

  /** Null while the service does not answer. */
  run(id: string): Promise<Run | null> {
    return this.#fetch(`/v1/runs/${id}`)
      .then(async (response) => (response.ok ? ((await response.json()) as Run) : null))
      .catch(() => null);
  }

  /** Waits for the service to answer. */
  async untilRead(id: string): Promise<Run> {
    while (Date.now() < this.#deadline) {
      const run = await this.run(id);
      if (run !== null) return run;
      await sleep(POLL_MS);
    }
    throw new Error(`out of patience with run ${id}`);
  }

  /** False, too, while the service does not answer. */
  async hasEnded(id: string): Promise<boolean> {
    return ended.has((await this.run(id))?.status ?? "unknown");
  }

  /** Whether the published snapshot lists all these runs by `deadline`, Unix ms. */
  async untilSnapshot(ids: readonly string[], deadline: number): Promise<boolean> {
    for (;;) {
      const listed = await this.snapshot()
        .then(({ runs }) => new Set(runs.map(({ id }) => id)))
        .catch(() => new Set());
      if (ids.every((id) => listed.has(id))) return true;
      if (Date.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
  }

  /** The newest snapshot, read as the site reads it. */
  async snapshot(): Promise<Snapshot> {
    const { snapshot } = await readSnapshot(async (path) => (await this.#fetch(path)).json());
    return snapshot;
  }

  async #post(path: string, { apiKey, body, idempotencyKey }: Call): Promise<Reply | null> {
    const headers = new Headers({ "content-type": "application/json" });
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return this.#fetch(path, init)
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch(() => null);
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(REPLY_WITHIN_MS);
    return fetch(`${this.#origin}${path}`, { ...init, signal });
  }
}

const isUndecided = ({ status, body }: Reply): boolean =>
  status >= 500 || (status === 409 && JSON.stringify(body).includes("request-in-progress"));
