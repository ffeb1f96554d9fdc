import type { Draws } from "../simulator/draws.ts";
import { faultKinds } from "./fault-outcomes.ts";
import { calm, type FaultSettings } from "./fault-settings.ts";
import type { Size } from "./size.ts";
import { type PatientClient, sleep } from "./support/client.ts";
import type { FaultyService } from "./support/faulty-service.ts";

/** Share of requests that meet a fault, spread evenly over every kind. */
const FAULT_RATE = 0.2;
/** Longer than a call is tried again, so that messages and commits have to bear it. */
const AWAY_MS = 3_000;
/** Requests of a run whose endpoint has one fault alone. */
const ALONE = 2;
const CONCURRENCY = 20;
const TIMEOUT_MS = 5_000;
/** Short, since what a killed server held has to wait for it. */
const SHORT_LEASE_MS = 3_000;

/** What the simulator does to every request that does not ask for something else. */
export const everyFault = faultKinds
  .map((kind) => `${kind}:${FAULT_RATE / faultKinds.length}`)
  .join();

const storm: FaultSettings = { ...calm, storageRate: 0.1, twice: true };
const killing: FaultSettings = { ...storm, stallRate: 0.02, stallMs: SHORT_LEASE_MS + 500 };

/** One model under several names: the answer to a sample is the same in every run. */
const answering = "sim-vllm?latency=80&p95=250&retryAfter=0&timeoutMs=60000";
const alone = "sim-vllm?latency=20&retryAfter=0&timeoutMs=60000&faults=";

/** What the scenes are played with, and the runs they made: model name and run id, by slug. */
export interface Stage {
  service: FaultyService;
  client: PatientClient;
  simulator: string;
  size: Size;
  draws: Draws;
  runs: Map<string, { id: string; model: string }>;
  /** What went wrong on stage. */
  problems: string[];
  kills: number;
}

/** The model without a fault anywhere: what all other runs are held against. */
export async function calmScene(stage: Stage): Promise<void> {
  await submit(stage, [["calm", `${answering}&faults=`]]);
  await untilEnded(stage, ["calm"]);
}

/** Everything but kills, and each fault of the simulator alone. */
export async function stormScene(stage: Stage): Promise<void> {
  const { service, client, draws } = stage;
  await service.change({ ...storm, seed: stage.size.seed });
  await service.control("poison");
  await submit(
    stage,
    [
      ...faultKinds.map((kind) => [`alone-${kind}`, alone + kind] as const),
      // Every second answer asks for a longer wait than a lane spends.
      ["postponed", "sim-vllm?latency=20&retryAfter=11&faults=429:0.5"],
    ],
    { sample: { n: ALONE, seed: 1 }, maxRetries: 1, concurrency: ALONE },
  );
  await submit(stage, [["storm", `${answering}&source=storm`]]);
  for (const part of ["D1", "R2", "Queues"]) {
    await sleep(300 + 700 * draws.unit());
    await service.control("away", { part, ms: `${AWAY_MS}` });
    await sleep(AWAY_MS);
  }
  await untilEnded(stage, ["storm"]);
  await client.untilSnapshot(idsOf(stage, ["storm"]), Date.now() + stage.size.patienceMs);
}

/** The same while the server is killed again and again, beside a run whose dataset is gone. */
export async function killScene(stage: Stage): Promise<void> {
  const { service, size, draws } = stage;
  await doom(stage);
  service.vars = { LEASE_MS: `${SHORT_LEASE_MS}`, FAULTS: JSON.stringify(killing) };
  const [shortest, longest] = size.killAfterMs;
  let victim = "";
  for (stage.kills = 0; stage.kills < size.kills; stage.kills++) {
    if (!(await isOpen(stage, victim))) {
      victim = `killed-${stage.kills + 1}`;
      await submit(stage, [[victim, `${answering}&source=${victim}`]]);
    }
    await sleep(shortest + (longest - shortest) * draws.unit());
    await service.kill();
    await service.up();
  }
  await untilEnded(stage, [...stage.runs.keys()]);
}

/** A run that has begun when its dataset vanishes: no later start can open it. */
async function doom(stage: Stage): Promise<void> {
  const { client, service } = stage;
  const rows = stage.size.rows.slice(0, 10);
  const { version } = await client.uploadDataset("extraction", "doomed", rows);
  const model = ["doomed", "sim-vllm?latency=3000&faults="] as const;
  await submit(stage, [model], { concurrency: 1 }, "doomed");
  await service.control("remove", { key: `datasets/extraction/${version}/index.json` });
}

async function submit(
  stage: Stage,
  models: readonly (readonly [slug: string, model: string])[],
  options: object = {},
  dataset = "many",
): Promise<void> {
  const submission = await stage.client.submit(models[0]?.[0] ?? "", {
    ...{ suite: "extraction", dataset },
    models: models.map(([slug, model]) => ({
      ...{ name: slug, slug: `faults/${slug}`, simulated: true },
      endpoint: { baseUrl: stage.simulator, model, apiKey: "sk-fault-proof" },
    })),
    options: { concurrency: CONCURRENCY, timeoutMs: TIMEOUT_MS, ...options },
  });
  for (const { id, model } of submission.runs) {
    const [slug, name] = models.find(([one]) => `faults/${one}` === model) ?? [model, ""];
    stage.runs.set(slug, { id, model: name });
  }
}

const idsOf = ({ runs }: Stage, slugs: readonly string[]) =>
  slugs.flatMap((slug) => runs.get(slug)?.id ?? []);

async function isOpen(stage: Stage, slug: string): Promise<boolean> {
  const open = await stage.client.untilEnded(idsOf(stage, [slug]), Date.now() + 1);
  return open.length > 0;
}

async function untilEnded(stage: Stage, slugs: readonly string[]): Promise<void> {
  const open = await stage.client.untilEnded(
    idsOf(stage, slugs),
    Date.now() + stage.size.patienceMs,
  );
  stage.problems.push(...open.map((id) => `run ${id} did not end in time`));
}
