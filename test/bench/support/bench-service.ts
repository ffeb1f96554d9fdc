import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Children, waitUntilUp } from "../../../cli/local/processes.ts";
import { root } from "../../../cli/local/root.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { type Simulator, startSimulator } from "../../../simulator/start-simulator.ts";
import { freePort } from "../../faults/support/free-port.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import { serviceApi } from "../../support/service-api.ts";
import { devLog, prepareDev, startDev } from "../../support/wrangler-dev.ts";
import { UNCOUNTED, type Usage } from "../cost/usage.ts";

const UP_WITHIN_MS = 60_000;
/** What is asked for takes time of the service that is measured: at the least so long after the last, and after a part of the run's time. */
const LEAST_POLL_MS = 500;
const POLLS = 10;
const COPIES_AT_ONCE = 1_000;
/** Ten thousand samples of this length are one upload. */
const MAX_SAMPLE_CHARS = 2_000;
const meteredScript = join(root, "test", "bench", "worker", "entry.ts");

/** A model of the simulator, how many samples it is asked, and how many of them at once. */
interface Asked {
  model: string;
  samples: number;
  concurrency: number;
  /** `batch`: in batches; missing: live. */
  mode?: "batch";
}

/** The service under `wrangler dev`, with data and ports of its own, and a simulator. */
export class BenchService {
  readonly origin: string;
  readonly simulator: Simulator;
  /** Where V8's inspector of the Worker listens. */
  readonly inspectorPort: number;
  readonly #folder: string;
  readonly #rows: readonly JsonObject[];
  #children: Children | null = null;
  readonly #uploaded = new Set<number>();
  #runs = 0;

  private constructor(ports: { api: number; inspector: number }, simulated: Simulated) {
    this.#folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    this.#rows = simulated.rows;
    this.simulator = simulated.simulator;
    this.origin = `http://localhost:${ports.api}`;
    this.inspectorPort = ports.inspector;
  }

  /**
   * Starts a service whose datasets have so many samples at most. `metered`: what it asks of its bindings is counted,
   * which takes time; only then there are `usage`, `count` and `copy`.
   */
  static async start(samples: number, { metered = false } = {}): Promise<BenchService> {
    const rows = numberedSamples(samples, MAX_SAMPLE_CHARS);
    const simulator = await startSimulator({ datasets: [rows], batchMs: 0 });
    const api = await freePort();
    const ports = { api, inspector: await freePort() };
    const service = new BenchService(ports, { rows, simulator });
    try {
      await service.#up(api, metered ? meteredScript : null);
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Evaluates a model: wall time from the submission to the end of the run as it says it itself, ms. */
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

  /** Uploads the dataset of so many samples, unless it is there, and returns its name. */
  async upload(samples: number): Promise<string> {
    const dataset = `first-${samples}`;
    if (this.#uploaded.has(samples)) return dataset;
    const lines = this.#rows.slice(0, samples).map((row) => JSON.stringify(row));
    await serviceApi(this.origin).uploadDataset("extraction", dataset, lines.join("\n"));
    this.#uploaded.add(samples);
    return dataset;
  }

  /** What the simulator is asked about the first samples. */
  prompts(samples: number): string[] {
    return this.#rows.slice(0, samples).map(({ text }) => `${text}`);
  }

  async #run(id: string): Promise<Run> {
    const response = await fetch(`${this.origin}/v1/runs/${id}`, { headers: { [UNCOUNTED]: "" } });
    if (!response.ok) throw new Error(`run ${id}: ${response.status}`);
    return (await response.json()) as Run;
  }

  /** What its Worker has asked of bindings so far. */
  async usage(): Promise<Usage> {
    return (await (await fetch(`${this.origin}/__usage`)).json()) as Usage;
  }

  /** Counts what is asked of bindings, or stops to. */
  async count(on: boolean): Promise<void> {
    await fetch(`${this.origin}/__counting?on=${on}`, { method: "POST" });
  }

  /** Stores so many copies of a finished run, of so many other models on other boards. */
  async copy(run: string, copies: number, models: number): Promise<void> {
    for (let first = 1; first <= copies; first += COPIES_AT_ONCE) {
      const last = Math.min(copies, first + COPIES_AT_ONCE - 1);
      const body = JSON.stringify({ run, first, last, models });
      const { ok, status } = await fetch(`${this.origin}/__copies`, { method: "POST", body });
      if (!ok) throw new Error(`copies ${first} to ${last}: ${status}`);
    }
  }

  /** Lists copies of a finished run on its board, below it. */
  async list(run: string, copies: number): Promise<void> {
    const query = new URLSearchParams({ run, copies: `${copies}` });
    const { ok, status } = await fetch(`${this.origin}/__listed?${query}`, { method: "POST" });
    if (!ok) throw new Error(`copies could not be listed: ${status}`);
  }

  async stop(): Promise<void> {
    await this.#children?.stop();
    await this.simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #up(port: number, script: string | null): Promise<void> {
    const folder = this.#folder;
    await prepareDev(folder);
    const { inspectorPort } = this;
    this.#children = startDev({ folder, port, vars: {}, script, inspectorPort });
    await waitUntilUp(`${this.origin}/healthz`, UP_WITHIN_MS, devLog(folder));
  }
}

interface Simulated {
  rows: readonly JsonObject[];
  simulator: Simulator;
}

const endedOtherwise = new Set<string>(["failed", "cancelled"]);
