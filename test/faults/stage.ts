import type { JsonObject } from "../../shared/contracts/json.ts";
import type { ProtocolName } from "../../shared/contracts/submissions/providers.ts";
import type { Draws } from "../../simulator/draws.ts";
import type { Simulator } from "../../simulator/start-simulator.ts";
import type { Size } from "./size.ts";
import type { PatientClient } from "./support/client.ts";
import type { FaultyService } from "./support/faulty-service.ts";

const CONCURRENCY = 20;
/** Long, because a busy machine may read an answer seconds after the simulator sent it. */
export const TIMEOUT_MS = 10_000;
/** The endpoint's key, which a retry has to send again. */
export const ENDPOINT_KEY = "sk-fault-proof";

/** A run that a scene submitted, and its expected end. */
export interface StagedRun {
  id: string;
  /** The model's name at the simulator; a rescored run has that of its parent. */
  model: string;
  dataset: Dataset;
  end: "finished" | "failed" | "cancelled";
  /** Name of the run whose answers are rescored. */
  parent: string | null;
}

/** The whole dataset, its first rows, a dataset that is deleted, and one with judged answers. */
type Dataset = "many" | "few" | "doomed" | "judged";
export const suiteOf = (dataset: Dataset) => (dataset === "judged" ? "memory" : "extraction");

/** The parts that the scenes use, and their runs by name. */
export interface Stage {
  service: FaultyService;
  client: PatientClient;
  simulator: Simulator;
  size: Size;
  draws: Draws;
  datasets: Record<Dataset, JsonObject[]>;
  /** An account with a quota: the API key and its id. */
  user: { key: string; id: string };
  runs: Map<string, StagedRun>;
  /** Number of effective actions of users, by action. */
  calls: Map<string, number>;
  /** Kills while a run was active: in total, and the maximum of one run. */
  kills: number;
  killsOfOneRun: number;
  /** Unix ms. */
  killedAt: number[];
  /** Problems that the scenes found. */
  problems: string[];
}

interface Submitted {
  options?: object;
  dataset?: Dataset;
  end?: StagedRun["end"];
  /** Submits with the user's key, whose quota pays for it. */
  asUser?: boolean;
}

/** Submits models in one submission; each becomes a run with its name. */
export async function submit(
  stage: Stage,
  models: readonly (readonly [name: string, model: string, protocol?: ProtocolName])[],
  { options = {}, dataset = "many", end = "finished", asUser = false }: Submitted = {},
): Promise<void> {
  const owner = asUser ? "users" : "faults";
  const body = {
    suite: suiteOf(dataset),
    dataset,
    visibility: "public",
    models: models.map(([name, model, protocol]) => ({
      name,
      slug: `${owner}/${name}`,
      simulated: true,
      endpoint: { ...endpointOf(stage.simulator, protocol), model, apiKey: ENDPOINT_KEY },
    })),
    options: { concurrency: CONCURRENCY, timeoutMs: TIMEOUT_MS, ...options },
  };
  const apiKey = asUser ? stage.user.key : null;
  const submission = await stage.client.submit(models[0]?.[0] ?? "", body, apiKey);
  for (const { id, model: slug } of submission.runs) {
    const [name, model] = models.find(([one]) => `${owner}/${one}` === slug) ?? [slug, ""];
    stage.runs.set(name, { id, model, dataset, end, parent: null });
  }
}

/** The simulator's endpoint for an interface. */
export const endpointOf = (
  { baseUrl }: Pick<Simulator, "baseUrl">,
  protocol: ProtocolName = "chat_completions",
) => ({
  protocol,
  baseUrl: protocol === "generate_content" ? baseUrl.replace(/v1$/, "v1beta") : baseUrl,
});

/** Waits for runs to end. Records runs that don't as problems and then returns false. */
export async function untilEnded(stage: Stage, names: readonly string[]): Promise<boolean> {
  const deadline = Date.now() + stage.size.patienceMs;
  const open = await stage.client.untilEnded(idsOf(stage, names), deadline);
  stage.problems.push(...open.map((id) => `run ${id} did not end in time`));
  return open.length === 0;
}

export const idsOf = ({ runs }: Stage, names: readonly string[]): string[] =>
  names.flatMap((name) => runs.get(name)?.id ?? []);
