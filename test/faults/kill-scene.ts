import { simulatedJudges } from "../../cli/local/local-judges.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import type { Simulator } from "../../simulator/start-simulator.ts";
import type { FaultSettings } from "./fault-settings.ts";
import { storm } from "./scenes.ts";
import { type Stage, submit, TIMEOUT_MS, untilEnded } from "./stage.ts";
import { sleep } from "./support/client.ts";

/** Short, because the lanes of a killed server wait until their leases end. */
const LEASE_MS = 3_000;
const killing: FaultSettings = { ...storm, stallRate: 0.02, stallMs: LEASE_MS + 500 };
/** Slow enough for several kills during one run; gives the same answers as in all other runs. */
const slow = "sim-vllm?latency=300&p95=500&retryAfter=0&timeoutMs=60000";
/** Two lanes of a small run, four of a large one. */
const concurrencyOf = (samples: number) => Math.min(20, Math.max(6, samples / 50));
/** Maximum number of runs until one has met all kills. */
const MAX_VICTIMS = 4;
const LOOK_EVERY_MS = 20;
const metrics = suiteById("memory")?.judging?.judges ?? [];
const judges = simulatedJudges("", metrics);
/** Simulated judge by metric or stage. An answer gets its twelve judgments in sequence, faster than servers are killed. */
const routes: ReadonlyMap<string, string> = new Map(
  Object.entries(judges.routes).map(([name, route]) => {
    const isStage = metrics.every(({ id }) => id !== name);
    return [name, `${route}?faults=&retryAfter=0${isStage ? "" : "&latency=40"}`];
  }),
);
/** The judges' model names at the simulator. */
export const judgeModels: ReadonlySet<string> = new Set(
  metrics.flatMap(({ id }) => routes.get(id)?.replace("simulated:", "") ?? []),
);
/** Answers judged at once: few, so that several kills happen during judging. */
const JUDGED_AT_ONCE = 2;
const judged = "sim-large?latency=20&retryAfter=0&faults=&source=judged";

/**
 * The faults of the storm, while the server is killed until a single run has met the requested number of kills. In
 * parallel: a judged run, and a run whose dataset was deleted.
 */
export async function killScene(stage: Stage): Promise<void> {
  const { service, size } = stage;
  await doom(stage);
  service.vars = {
    LEASE_MS: `${LEASE_MS}`,
    FAULTS: JSON.stringify(killing),
    JUDGES: JSON.stringify(judgesAt(stage.simulator)),
  };
  await restart(stage);
  await submit(stage, [["judged", judged]], { dataset: "judged" });
  await untilJudged(stage);
  for (let i = 1; i <= MAX_VICTIMS && stage.killsOfOneRun < size.kills; i++) {
    const victim = `killed-${i}`;
    const model = `${slow}&source=${victim}`;
    const concurrency = concurrencyOf(size.rows.length);
    await submit(stage, [[victim, model]], { options: { concurrency } });
    const kills = await killWhileServed(stage, victim, model, 1 / i);
    stage.kills += kills;
    stage.killsOfOneRun = Math.max(stage.killsOfOneRun, kills);
  }
  if (stage.killsOfOneRun < size.kills) {
    stage.problems.push(`no run met ${size.kills} kills: at most ${stage.killsOfOneRun}`);
  }
  await untilEnded(stage, [...stage.runs.keys()]);
}

function judgesAt({ baseUrl }: Simulator) {
  return {
    ...judges,
    providers: { simulated: { ...judges.providers.simulated, baseUrl } },
    routes: Object.fromEntries(routes),
    concurrency: JUDGED_AT_ONCE,
  };
}

/** Waits until a judge has received a request. */
async function untilJudged({ simulator, size }: Stage): Promise<void> {
  const deadline = Date.now() + size.patienceMs;
  const isAsked = () => simulator.log.entries.some(({ model }) => judgeModels.has(model));
  while (!isAsked() && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
}

/** Submits a run and deletes its dataset, so that no later start can open the run. */
async function doom(stage: Stage): Promise<void> {
  const { client, service, datasets } = stage;
  const { version } = await client.uploadDataset("extraction", "doomed", datasets.doomed);
  const model = ["doomed", "sim-vllm?latency=3000&faults="] as const;
  await submit(stage, [model], { options: { concurrency: 1 }, dataset: "doomed", end: "failed" });
  await service.control("remove", { key: `datasets/extraction/${version}/index.json` });
}

async function restart({ service }: Stage): Promise<void> {
  await service.kill();
  await service.up();
}

/** Kills the server repeatedly while it awaits answers of the run; returns the number of kills until the run ended. */
async function killWhileServed(
  stage: Stage,
  victim: string,
  model: string,
  share: number,
): Promise<number> {
  const { simulator, size, draws } = stage;
  const [shortest, longest] = size.killAfterMs;
  for (let kills = 0; ; kills++) {
    if (kills === size.kills || !(await untilServed(stage, victim, model))) return kills;
    await sleep(share * (shortest + (longest - shortest) * draws.unit()));
    // There may be a moment without an active lane.
    while (!isServed(simulator, model)) {
      if (!(await untilServed(stage, victim, model))) return kills;
    }
    stage.killedAt.push(Date.now());
    await restart(stage);
  }
}

/** Waits until the run has a request in flight; false if the run ended first. */
async function untilServed(stage: Stage, victim: string, model: string): Promise<boolean> {
  const id = stage.runs.get(victim)?.id ?? "";
  const deadline = Date.now() + stage.size.patienceMs;
  for (let looked = 0; Date.now() < deadline; looked++) {
    if (isServed(stage.simulator, model)) return true;
    if (looked % 10 === 9 && (await stage.client.hasEnded(id))) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Whether a request to the model is in flight at the simulator and has not timed out. */
function isServed({ log }: Simulator, model: string): boolean {
  const now = Date.now();
  return log.entries.slice(-200).some(({ model: asked, time, latencyMs }) => {
    if (asked !== model || latencyMs === null || latencyMs > TIMEOUT_MS) return false;
    return Date.parse(time) + latencyMs > now;
  });
}
