import { apiClient } from "../../../cli/local/api.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submission.ts";

const POLL_MS = 200;
/** A submission that broke is repeated so often; its key sees to it that it counts once. */
const TRIES = 60;

const ended = new Set<string>(["finished", "failed", "cancelled"]);

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A client of a service that may be down, or answer with an error of its own, at any time. */
export class PatientClient {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  uploadDataset(suite: string, name: string, rows: readonly unknown[]) {
    const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
    return apiClient(this.#origin).uploadDataset(suite, name, jsonl);
  }

  /** Submits once, however often it takes. */
  async submit(key: string, body: unknown): Promise<Submission> {
    for (let tried = 1; ; tried++) {
      const response = await this.#post("/v1/submissions", key, body);
      if (response?.ok) return (await response.json()) as Submission;
      const text = (await response?.text()) ?? "no reply";
      const isFinal = response !== null && response.status < 500 && response.status !== 409;
      if (isFinal || tried === TRIES) throw new Error(`the submission was refused: ${text}`);
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
    return apiClient(this.#origin)
      .run(id)
      .catch(() => null);
  }

  /** Whether the published snapshot names all these runs by `deadline`, Unix ms. */
  async untilSnapshot(ids: readonly string[], deadline: number): Promise<boolean> {
    for (;;) {
      const snapshot = await fetch(`${this.#origin}/v1/snapshot`)
        .then((response) => response.text())
        .catch(() => "");
      if (ids.every((id) => snapshot.includes(id))) return true;
      if (Date.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
  }

  async #post(path: string, key: string, body: unknown): Promise<Response | null> {
    const headers = { "content-type": "application/json", "idempotency-key": key };
    return fetch(`${this.#origin}${path}`, {
      ...{ method: "POST", headers, body: JSON.stringify(body) },
    }).catch(() => null);
  }
}
