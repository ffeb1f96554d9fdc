import { protocols } from "../../shared/contracts/submissions/providers.ts";
import { faultKinds } from "./fault-outcomes.ts";
import { calm, type FaultSettings } from "./fault-settings.ts";
import { idsOf, type Stage, submit, untilEnded } from "./stage.ts";
import { sleep } from "./support/client.ts";
import { userScene } from "./user-scene.ts";

/** Share of requests that meet a fault, spread evenly over every kind. */
const FAULT_RATE = 0.2;
/** Longer than the retries of a call, so messages and commits have to survive the outage. */
const AWAY_MS = 3_000;
/** Requests of a run whose endpoint has only one fault, and their timeout; short, because lanes wait for it. */
const ALONE = 2;
const ALONE_TIMEOUT_MS = 12_000;
/** Maximum number of models per submission. */
const MOST_MODELS = 20;
/** Requests to each interface other than Chat Completions. */
const SPOKEN = 40;
export const others = protocols.filter((one) => one !== "chat_completions");
/** Faults that each interface reports in its own way. Stream faults are more frequent, as there are few requests. */
export const streamFaults = ["stall", "cut", "error-in-200"] as const;
const spokenFaults = [
  ...streamFaults.map((kind) => `${kind}:0.1`),
  ...["429", "500", "529", "401", "404", "refusal"].map((kind) => `${kind}:.02`),
].join();

/** The simulator's default faults for all requests. */
export const everyFault = faultKinds
  .map((kind) => `${kind}:${FAULT_RATE / faultKinds.length}`)
  .join();

export const storm: FaultSettings = { ...calm, storageRate: 0.1, twice: true };

/** The same model under several names, so the answer to a sample is the same in every run. */
const answering = "sim-vllm?latency=80&p95=250&retryAfter=0&timeoutMs=60000";
const alone = "sim-vllm?latency=20&retryAfter=0&timeoutMs=60000&faults=";

/** A run without faults, the reference for all other runs. */
export async function calmScene(stage: Stage): Promise<void> {
  await submit(stage, [["calm", `${answering}&faults=`]]);
  await untilEnded(stage, ["calm"]);
}

/** All faults except kills, runs with a single fault of the simulator, and users who change runs. */
export async function stormScene(stage: Stage): Promise<void> {
  const { service, client, size } = stage;
  await service.change({ ...storm, seed: size.seed });
  await service.control("poison");
  const options = {
    sample: { n: ALONE, seed: 1 },
    concurrency: ALONE,
    maxRetries: 1,
    timeoutMs: ALONE_TIMEOUT_MS,
  };
  const models = [
    ...faultKinds
      .filter((kind) => kind !== "429")
      .map((kind) => [`alone-${kind}`, alone + kind] as const),
    // Half of the answers request a longer wait than a lane spends.
    ["postponed", "sim-vllm?latency=20&retryAfter=11&faults=429:0.5"] as const,
  ];
  for (let i = 0; i < models.length; i += MOST_MODELS) {
    await submit(stage, models.slice(i, i + MOST_MODELS), { options });
  }
  // With retries this run would take five minutes.
  await submit(stage, [["alone-429", `${alone}429`]], { options: { ...options, maxRetries: 0 } });
  await submit(stage, [["storm", `${answering}&source=storm`]]);
  await submit(
    stage,
    others.map((protocol) => {
      const model = `${answering}&source=${protocol}&faults=${spokenFaults}`;
      return [protocol, model, protocol] as const;
    }),
    { options: { sample: { n: SPOKEN, seed: 1 } } },
  );
  const users = userScene(stage);
  await Promise.all([users, takeAwayOneByOne(stage)]);
  await untilEnded(stage, ["storm", ...others]);
  await client.untilSnapshot(idsOf(stage, ["storm"]), Date.now() + size.patienceMs);
}

async function takeAwayOneByOne({ service, draws }: Stage): Promise<void> {
  for (const part of ["D1", "R2", "Queues"]) {
    await sleep(300 + 700 * draws.unit());
    await service.control("away", { part, ms: `${AWAY_MS}` });
    await sleep(AWAY_MS);
  }
}
