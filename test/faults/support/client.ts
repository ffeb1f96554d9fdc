import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../../shared/contracts/boards/snapshot.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { serviceApi } from "../../support/service-api.ts";

/** Interval of reads of each open run. Faster polling would dominate the service's load. */
const POLL_MS = 500;
/** Timeout of a reply, because a server that is killed while it answers may leave the connection open. */
const REPLY_WITHIN_MS = 15_000;

const ended = new Set<string>(["finished", "failed", "cancelled"]);

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Call {
  /** Null: anonymous. */
  apiKey: string | null;
  body: object;
  idempotencyKey?: string;
}

interface Reply {
  status: number;
  body: unknown;
}

/** A client of a service that may be down or answer with an internal error at any time. */
export class PatientClient {
  readonly #origin: string;
  readonly #deadline: number;

  /** `patienceMs`: total time after which waiting for the service is an error. */
  constructor(origin: string, patienceMs: number) {
    this.#origin = origin;
    this.#deadline = Date.now() + patienceMs;
  }

  uploadDataset(suite: string, name: string, rows: readonly unknown[]) {
    const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
    return serviceApi(this.#origin).uploadDataset(suite, name, jsonl);
  }

  /** Submits exactly once, with as many attempts as needed. */
  async submit(idempotencyKey: string, body: object, apiKey: string | null): Promise<Submission> {
    const reply = await this.call("/v1/submissions", { apiKey, body, idempotencyKey });
    if (reply.status < 300) return reply.body as Submission;
    throw new Error(`the submission was refused: ${JSON.stringify(reply.body)}`);
  }

  /**
   * Posts until the service has decided. With an idempotency key the request counts once; a key whose holder died
   * stays locked for half a minute.
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

  /** Reads a run; null while the service does not answer. */
  run(id: string): Promise<Run | null> {
    return this.#fetch(`/v1/runs/${id}`)
      .then(async (response) => (response.ok ? ((await response.json()) as Run) : null))
      .catch(() => null);
  }

  /** Reads a run, and waits while the service does not answer. */
  async untilRead(id: string): Promise<Run> {
    while (Date.now() < this.#deadline) {
      const run = await this.run(id);
      if (run !== null) return run;
      await sleep(POLL_MS);
    }
    throw new Error(`out of patience with run ${id}`);
  }

  /** Whether a run has ended; also false while the service does not answer. */
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

  /** The newest snapshot, read with the site's code. */
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
