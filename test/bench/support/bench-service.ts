import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../../cli/local/root.ts";
import { CRON_PATH } from "../../../cli/local/runtime.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { type Simulator, startSimulator } from "../../../simulator/start-simulator.ts";
import { freePort } from "../../faults/support/free-port.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import { serviceApi } from "../../support/service-api.ts";
import { UNCOUNTED, type Usage } from "../cost/usage.ts";
import { askedBodies } from "./asked-bodies.ts";
import { messageOf } from "./sdk-loop.ts";

/** Polling takes time of the measured service, so it waits at least this long, and a tenth of the elapsed time. */
const LEAST_POLL_MS = 500;
const POLLS = 10;
const COPIES_AT_ONCE = 1_000;
/** Maximum length that lets ten thousand samples fit into one upload. */
const MAX_SAMPLE_CHARS = 2_000;
const program = join(import.meta.dirname, "service-process.ts");
const meteredScript = join(root, "test", "bench", "worker", "entry.ts");

/** A model of the simulator, the number of samples, and the number of parallel requests. */
interface Asked {
  model: string;
  samples: number;
  concurrency: number;
  /** Missing: live requests. */
  mode?: "batch";
}

/** The service in its own process, in the local runtime like `npm start`, and a simulator in this process. */
export class BenchService {
  readonly origin: string;
  readonly simulator: Simulator;
  readonly #folder: string;
  readonly #rows: readonly JsonObject[];
  #child: ChildProcess | null = null;
  readonly #uploaded = new Set<number>();
  #runs = 0;

  private constructor(port: number, { rows, simulator }: Simulated) {
    this.#folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    this.#rows = rows;
    this.simulator = simulator;
    this.origin = `http://localhost:${port}`;
  }

  /**
   * Starts a service whose datasets have at most `samples` samples. `metered`: counts calls of bindings, which takes
   * time. `usage`, `count`, `copy`, `list`, `ask` and `store` need it.
   */
  static async start(samples: number, { metered = false } = {}): Promise<BenchService> {
    const rows = numberedSamples(samples, MAX_SAMPLE_CHARS);
    const simulator = await startSimulator({ datasets: [rows], batchMs: 0 });
    const port = await freePort();
    const service = new BenchService(port, { rows, simulator });
    try {
      await service.#up(port, metered ? [meteredScript] : []);
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Evaluates a model. `wallMs`: time from the submission to the run's own `finishedAt`. */
  async evaluate({
    model,
    samples,
    concurrency,
    mode,
  }: Asked): Promise<{ wallMs: number; run: Run }> {
    const api = serviceApi(this.origin);
    const dataset = await this.upload(samples);
    const { baseUrl } = this.simulator;
    const endpoint = { baseUrl, model, apiKey: "any", ...(mode && { batches: "openai" }) };
    const slug = `bench/model-${this.#runs++}`;
    const begun = Date.now();
    const { runs } = await api.submit({
      suite: "extraction",
      dataset,
      options: { concurrency, ...(mode && { mode }) },
      models: [{ name: slug, slug, simulated: true, endpoint }],
    });
    for (;;) {
      const run = await this.#run(runs[0]?.id ?? "");
      if (run.status === "finished")
        return { wallMs: Date.parse(run.finishedAt ?? "") - begun, run };
      if (endedOtherwise.has(run.status)) throw new Error(`the run is ${run.status}`);
      await sleep(Math.max(LEAST_POLL_MS, (Date.now() - begun) / POLLS));
    }
  }

  /** Uploads a dataset of the first `samples` samples unless it exists, and returns its name. */
  async upload(samples: number): Promise<string> {
    const dataset = `first-${samples}`;
    if (this.#uploaded.has(samples)) return dataset;
    const lines = this.#rows.slice(0, samples).map((row) => JSON.stringify(row));
    await serviceApi(this.origin).uploadDataset("extraction", dataset, lines.join("\n"));
    this.#uploaded.add(samples);
    return dataset;
  }

  /** The request bodies that the service sends to a model for the first samples. */
  bodies(model: string, samples: number): JsonObject[] {
    return askedBodies(this.#rows.slice(0, samples), { baseUrl: this.simulator.baseUrl, model });
  }

  /** The expected outputs of the first samples. */
  expected(samples: number): unknown[] {
    return this.#rows.slice(0, samples).map((row) => row["expected_output"]);
  }

  async #run(id: string): Promise<Run> {
    const response = await fetch(`${this.origin}/v1/runs/${id}`, { headers: { [UNCOUNTED]: "" } });
    if (!response.ok) throw new Error(`run ${id}: ${response.status}`);
    return (await response.json()) as Run;
  }

  /** The Worker's use of its bindings so far: all, only by the cron job, or by everything else. */
  async usage(of?: "cron" | "others"): Promise<Usage> {
    const query = of === undefined ? "" : `?of=${of}`;
    return (await (await fetch(`${this.origin}/__usage${query}`)).json()) as Usage;
  }

  /** Fires the cron trigger and waits until its work is done. */
  async cron(): Promise<void> {
    const { ok, status } = await fetch(`${this.origin}${CRON_PATH}`);
    if (!ok) throw new Error(`the cron trigger answers ${status}`);
  }

  /** Turns the counting of binding calls on or off. */
  async count(on: boolean): Promise<void> {
    await fetch(`${this.origin}/__counting?on=${on}`, { method: "POST" });
  }

  /** Stores `copies` copies of a finished run, spread over `models` other models with their own boards. */
  async copy(run: string, copies: number, models: number): Promise<void> {
    for (let first = 1; first <= copies; first += COPIES_AT_ONCE) {
      const last = Math.min(copies, first + COPIES_AT_ONCE - 1);
      const body = JSON.stringify({ run, first, last, models });
      const { ok, status } = await fetch(`${this.origin}/__copies`, { method: "POST", body });
      if (!ok) throw new Error(`copies ${first} to ${last}: ${status}`);
    }
  }

  /** Sends request bodies from within the runtime in a bare loop, without the service. */
  async ask(bodies: readonly JsonObject[], concurrency: number): Promise<void> {
    const body = JSON.stringify({ bodies, concurrency, baseURL: this.simulator.baseUrl });
    const { ok, status } = await fetch(`${this.origin}/__asked`, { method: "POST", body });
    if (!ok) throw new Error(`the loop answers ${status}`);
  }

  /** Makes as many D1 and R2 calls as a run of `samples` samples, without the service. */
  async store({ d1Calls, r2ClassA, r2ClassB }: Usage, samples: number): Promise<void> {
    const counts = { d1Calls, puts: r2ClassA, gets: r2ClassB, samples };
    const query = new URLSearchParams(Object.entries(counts).map(([name, n]) => [name, `${n}`]));
    const { ok, status } = await fetch(`${this.origin}/__stored?${query}`, { method: "POST" });
    if (!ok) throw new Error(`the calls of storage answer ${status}`);
  }

  /** Adds copies of a finished run to its board, ranked below it. */
  async list(run: string, copies: number): Promise<void> {
    const query = new URLSearchParams({ run, copies: `${copies}` });
    const { ok, status } = await fetch(`${this.origin}/__listed?${query}`, { method: "POST" });
    if (!ok) throw new Error(`copies could not be listed: ${status}`);
  }

  /** Id of the service's process, the parent of all its processes. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.#child?.connected) {
      const ended = once(this.#child, "exit");
      this.#child.disconnect();
      await ended;
    }
    await this.simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #up(port: number, entry: readonly string[]): Promise<void> {
    const args = [this.#folder, `${port}`, ...entry];
    const child = fork(program, args, { execArgv: ["--max-semi-space-size=2"] });
    this.#child = child;
    await messageOf(child);
  }
}

interface Simulated {
  rows: readonly JsonObject[];
  simulator: Simulator;
}

const endedOtherwise = new Set<string>(["failed", "cancelled"]);
