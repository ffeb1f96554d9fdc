import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../shared/contracts/run.ts";
import { drawsFrom } from "../../simulator/draws.ts";
import type { LogEntry } from "../../simulator/request-log.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { openDatabase } from "./evidence.ts";
import { storm } from "./scenes.ts";
import { PatientClient, sleep } from "./support/client.ts";
import { FaultyService } from "./support/faulty-service.ts";
import { numberedSamples } from "./support/numbered-samples.ts";
import { RunnerProcess } from "./support/runner-process.ts";

/** Requests in flight per runner, the most that a killed runner can lose. */
const AT_ONCE = 6;
const LEASE_MS = 3_000;
/** Slow enough that all kills happen during the run. */
const model = "sim-vllm?latency=1200&p95=2500&retryAfter=0&timeoutMs=60000&faults=";
const passing = "429:0.03,500:0.03,cut:0.02";
/** Requests of a killed runner wait a minute for another; machines are noisy. */
const PATIENCE_MS = 900_000;
const FORGOTTEN_WITHIN_MS = 20_000;

/** The result of the proof. */
interface RunnerVerdict {
  direct: Run;
  tunnelled: Run;
  serviceKills: number;
  /** Kills of each runner while both had requests in flight, and simultaneous kills of both. */
  killsOf: number[];
  killsOfBoth: number;
  /** Rows of the run, and the number of different samples in them. */
  rows: number;
  samples: number;
  /** Answered requests, and the paid duplicates among them. */
  answered: number;
  duplicates: number;
  /** Requests for runners left in the database. */
  left: number;
  /** Exit codes of the runners that were stopped at the end. */
  exits: (number | null)[];
}

/** Requirements that the result does not meet. */
export function runnerProblems(
  { direct, tunnelled, ...counts }: RunnerVerdict,
  { samples, kills }: { samples: number; kills: number },
): string[] {
  const { status, progress, provenance, metrics } = tunnelled;
  const checks: [requirement: string, holds: boolean][] = [
    [`the service is killed ${kills} times`, counts.serviceKills === kills],
    [
      `the runners are killed ${kills} times in turn, every third time both at once`,
      counts.killsOf.every((count) => count >= Math.floor(kills / 2)) &&
        counts.killsOfBoth === Math.floor(kills / 3),
    ],
    ["every sample has one row", counts.rows === samples && counts.samples === samples],
    [
      "the run finishes without failed samples",
      status === "finished" && progress.done === samples && progress.failed === 0,
    ],
    [
      "both runners made calls and signed with their own keys",
      provenance.kind === "runner" && provenance.runner?.keys.length === counts.killsOf.length,
    ],
    [
      "the score equals that of the direct run",
      metrics?.["eqs"]?.value === direct.metrics?.["eqs"]?.value,
    ],
    [
      "only requests in flight at a killed runner are paid twice",
      counts.duplicates <= sumOf(counts.killsOf) * AT_ONCE,
    ],
    ["no request is left", counts.left === 0],
    ["runners exit with 0", counts.exits.every((code) => code === 0)],
  ];
  return checks.flatMap(([requirement, holds]) => (holds ? [] : [`not met: ${requirement}`]));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

/**
 * Evaluates one model twice, called by the service and by two runners, while storage fails and processes are killed in
 * turn: the service, one runner while both work, the service, the other runner, the service, both runners. `kills`:
 * number of kills of the service; runners are killed as often.
 */
export async function proveRunner(
  { samples, kills, seed }: { samples: number; kills: number; seed: string },
  tell: (step: string) => void,
): Promise<RunnerVerdict> {
  const faults = JSON.stringify({ ...storm, storageRate: 0.03, seed });
  const service = await FaultyService.start({ LEASE_MS: `${LEASE_MS}`, FAULTS: faults });
  const rows = numberedSamples(samples);
  const log = join(service.folder, "requests.jsonl");
  const simulator = await startSimulator({ seed, datasets: [rows], log });
  const runners = ["one", "two"].map((name) => runnerOf(service, simulator, name));
  try {
    const client = new PatientClient(service.origin, 2 * PATIENCE_MS);
    await client.uploadDataset("extraction", "many", rows);
    for (const runner of runners) runner.start();
    await untilRegistered(service);
    const direct = await submitted(client, simulator, "direct", `${model}`);
    const tunnelled = await submitted(client, simulator, "tunnelled", `${model}${passing}`, "lab");
    const killed = await killInTurn({ service, runners, client, run: tunnelled, kills, seed });
    tell(
      `killed the service ${killed.serviceKills} times, the runners ${killed.killsOf.join(" and ")} times`,
    );
    const open = await client.untilEnded([direct, tunnelled], Date.now() + PATIENCE_MS);
    if (open.length > 0) throw new Error(`runs did not end: ${open}`);
    const ended = await Promise.all([direct, tunnelled].map((id) => client.untilRead(id)));
    const exits = await Promise.all(runners.map((runner) => runner.kill("SIGINT")));
    await sleep(FORGOTTEN_WITHIN_MS);
    await service.stop();
    await simulator.close();
    const found = countsOf(service, log, tunnelled);
    return { direct: ended[0]!, tunnelled: ended[1]!, ...killed, ...found, exits };
  } catch (error) {
    tell(`the service's data and log are kept in ${service.keep()}`);
    throw error;
  } finally {
    await Promise.all(runners.map((runner) => runner.kill()));
    await simulator.close().catch(() => {});
    await service.stop();
    service.remove();
  }
}

function runnerOf(service: FaultyService, simulator: Simulator, name: string): RunnerProcess {
  const folder = join(service.folder, name);
  mkdirSync(folder, { recursive: true });
  const places = ["--server", service.origin, "--allow", simulator.baseUrl];
  return new RunnerProcess(folder, name, [...places, "--concurrency", `${AT_ONCE}`]);
}

async function untilRegistered({ origin }: FaultyService): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await fetch(`${origin}/v1/runners`)
      .then((response) => response.json() as Promise<{ runners?: { keys: string[] }[] }>)
      .catch(() => ({ runners: [] }));
    if (found.runners?.[0]?.keys.length === 2) return;
    if (Date.now() >= deadline) throw new Error("the runners did not register");
    await sleep(200);
  }
}

async function submitted(
  client: PatientClient,
  { baseUrl }: Simulator,
  name: string,
  asked: string,
  runner?: string,
): Promise<string> {
  const endpoint = { baseUrl, model: `${asked}&source=${name}`, ...(runner && { runner }) };
  const body = {
    suite: "extraction",
    dataset: "many",
    visibility: "public",
    models: [{ name, slug: `local/${name}`, simulated: true, endpoint }],
    options: { concurrency: 2 * AT_ONCE, maxRetries: 8, timeoutMs: 10_000 },
  };
  return (await client.submit(name, body, null)).runs[0]!.id;
}

interface Kills {
  service: FaultyService;
  runners: readonly RunnerProcess[];
  client: PatientClient;
  run: string;
  kills: number;
  seed: string;
}

/** Indices of the runners killed in each turn. */
const turns = [[0], [1], [0, 1]] as const;

/** Kills and restarts the service and the runners in turn, at random moments when both runners are working. */
async function killInTurn({ service, runners, client, run, kills, seed }: Kills) {
  const draws = drawsFrom("runners", seed);
  const killed = { serviceKills: 0, killsOf: runners.map(() => 0), killsOfBoth: 0 };
  for (let i = 0; i < 2 * kills; i++) {
    await sleep(1_500 + 2_500 * draws.unit());
    if (!(await untilAllWork(runners, () => client.hasEnded(run)))) break;
    if (i % 2 === 0) {
      await service.kill();
      await sleep(1_000 * draws.unit());
      await service.up();
      killed.serviceKills += 1;
      continue;
    }
    const turn = turns[((i - 1) / 2) % turns.length]!;
    await Promise.all(turn.map((which) => runners[which]!.kill()));
    await sleep(500 * draws.unit());
    for (const which of turn) {
      runners[which]!.start();
      killed.killsOf[which]! += 1;
    }
    if (turn.length === runners.length) killed.killsOfBoth += 1;
  }
  return killed;
}

/** Waits until all runners are working; false if the run ended first. */
async function untilAllWork(
  runners: readonly RunnerProcess[],
  hasEnded: () => Promise<boolean>,
): Promise<boolean> {
  while (!runners.every(({ isWorking }) => isWorking)) {
    if (await hasEnded()) return false;
    await sleep(100);
  }
  return true;
}

function countsOf(service: FaultyService, log: string, run: string) {
  const database = openDatabase(service.state);
  const counted = (sql: string) => database.prepare(sql).get(run) as Record<string, number>;
  const { rows = 0, samples = 0 } = counted(
    "SELECT count(*) AS rows, count(DISTINCT sample_id) AS samples FROM samples WHERE run_id = ?",
  );
  const { left = 0 } = counted("SELECT count(*) AS left FROM runner_requests WHERE run_id = ?");
  database.close();
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const paid = lines
    .map((line) => JSON.parse(line) as LogEntry)
    .filter((one) => one.model.endsWith("source=tunnelled"))
    .filter(({ status, fault }) => status === 200 && fault === null);
  const answered = new Set(paid.map(({ sample }) => sample));
  return { rows, samples, left, answered: paid.length, duplicates: paid.length - answered.size };
}
