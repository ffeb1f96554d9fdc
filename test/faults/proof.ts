import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { drawsFrom } from "../../simulator/draws.ts";
import type { LogEntry } from "../../simulator/request-log.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { calm } from "./fault-settings.ts";
import { judge, type Verdict } from "./judge.ts";
import { killScene } from "./kill-scene.ts";
import { calmScene, everyFault, stormScene } from "./scenes.ts";
import type { Size } from "./size.ts";
import type { Stage } from "./stage.ts";
import { PatientClient, sleep } from "./support/client.ts";
import { FaultyService } from "./support/faulty-service.ts";

/** Below the timeout of the runs, so that a slow body still becomes an answer. */
const SLOW_BODY_MS = 600;
/** Long, because these scenes kill no server. */
const LEASE_MS = 12_000;
/** Samples of the runs that users change, and of the run whose dataset is deleted. */
const FEW = 20;
const DOOMED = 10;
const stock = join(root, "shared", "suites", "memory", "stock.jsonl");
const LOOK_EVERY_MS = 200;
/** Maximum time of all scenes together, in multiples of the patience for one run. */
const RUNS_OF_PATIENCE = 4;

/** Plays the scenes against the service and checks the stored results. */
export async function prove(size: Size, tell: (step: string) => void): Promise<Verdict> {
  const vars = { LEASE_MS: `${LEASE_MS}`, FAULTS: JSON.stringify(calm) };
  const service = await FaultyService.start(vars);
  // Kept after a failure, so that it can be debugged.
  const keep = () => tell(`the service's data and log are kept in ${service.keep()}`);
  try {
    const verdict = await play(service, size, tell);
    if (verdict.problems.length > 0) keep();
    return verdict;
  } catch (error) {
    keep();
    throw error;
  } finally {
    await service.stop();
    service.remove();
  }
}

async function play(
  service: FaultyService,
  size: Size,
  tell: (step: string) => void,
): Promise<Verdict> {
  const log = join(service.folder, "requests.jsonl");
  const simulator = await startSimulator({
    seed: size.seed,
    datasets: [size.rows, judgedRows(size)],
    faults: everyFault,
    slowBodyMs: SLOW_BODY_MS,
    log,
  });
  try {
    const stage = await prepared(service, simulator, size);
    for (const [name, scene] of Object.entries(scenes)) {
      const started = performance.now();
      await scene(stage);
      tell(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
    await settle(stage);
    const objects = await objectsOf(stage);
    const snapshot = await stage.client.snapshot();
    await service.stop();
    await simulator.close();
    const lines = readFileSync(log, "utf8").trim().split("\n");
    const asked = lines.map((line) => JSON.parse(line) as LogEntry);
    return await judge(stage, { objects, snapshot, log: asked });
  } finally {
    await simulator.close().catch(() => {});
  }
}

const scenes = { calm: calmScene, storm: stormScene, kills: killScene };

async function prepared(service: FaultyService, simulator: Simulator, size: Size): Promise<Stage> {
  const client = new PatientClient(service.origin, RUNS_OF_PATIENCE * size.patienceMs);
  const { rows } = size;
  const datasets = {
    many: rows,
    few: rows.slice(0, FEW),
    doomed: rows.slice(0, DOOMED),
    judged: judgedRows(size),
  };
  await client.uploadDataset("extraction", "many", datasets.many);
  await client.uploadDataset("extraction", "few", datasets.few);
  await client.uploadDataset("memory", "judged", datasets.judged);
  const body = { owner: "users", name: "users of the proof" };
  const key = (await client.call("/v1/keys", { apiKey: null, body })).body;
  return {
    service,
    client,
    simulator,
    size,
    datasets,
    user: key as Stage["user"],
    draws: drawsFrom("proof", size.seed),
    runs: new Map(),
    calls: new Map(),
    kills: 0,
    killsOfOneRun: 0,
    killedAt: [],
    problems: [],
  };
}

/** Fewer samples than in other runs, as each needs twelve judgments. */
const judgedRows = ({ judged }: Size): JsonObject[] =>
  readFileSync(stock, "utf8")
    .trim()
    .split("\n")
    .slice(0, judged)
    .map((line) => JSON.parse(line) as JsonObject);

/** Waits until all ended runs are published while faults continue, then turns the faults off. */
async function settle({ client, service, runs, size, problems }: Stage): Promise<void> {
  const deadline = Date.now() + size.patienceMs;
  const shown = [...runs.values()].filter(({ end }) => end !== "cancelled");
  const isListed = await client.untilSnapshot(
    shown.map(({ id }) => id),
    deadline,
  );
  if (!isListed) problems.push("the published snapshot lacks ended runs");
  while (!(await service.isPublished()) && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
  await service.change(calm);
}

/** The stored objects of all runs, by key. */
async function objectsOf({ service, runs }: Stage): Promise<Map<string, string>> {
  const objects = new Map<string, string>();
  for (const { id } of runs.values()) {
    const response = await service.control("objects", { prefix: `runs/${id}/` });
    for (const line of (await response.text()).split("\n")) {
      const tab = line.indexOf("\t");
      if (tab > 0) objects.set(line.slice(0, tab), line.slice(tab + 1));
    }
  }
  return objects;
}
