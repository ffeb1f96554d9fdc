import type { Suite } from "#shared/contracts/suite.ts";
import type { EndpointMemory, EndpointTarget, Ports, RunRecord } from "./ports.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "./run-plan.ts";

/** A run opened for work: its suite, its plan, and where its answers come from. */
export interface RunWork {
  run: RunRecord;
  suite: Suite;
  options: unknown;
  plan: RunPlan;
  /** The endpoint with its secrets; null when the answers were submitted. */
  target: EndpointTarget | null;
  limits: { timeoutMs: number; maxRetries: number };
  memory: EndpointMemory;
  /** What waits and times within the run are measured from, Unix ms. */
  startedAt: number;
}

/** Opens a run for work. Throws where its dataset or suite is gone: the run can't go on. */
export async function openRun(ports: Ports, run: RunRecord): Promise<RunWork> {
  const suite = ports.suites.byId(run.suite);
  if (!suite) throw new Error(`suite ${run.suite} is not registered`);
  const index = await ports.datasets.index(run.suite, run.datasetVersion);
  const options = suite.optionsSchema.parse(suiteOptionsOf(run.options));
  return {
    run,
    suite,
    options,
    plan: planRun(suite, index, run.options, options),
    target: await openTarget(ports, run),
    limits: {
      timeoutMs: run.options["timeoutMs"] as number,
      maxRetries: run.options["maxRetries"] as number,
    },
    startedAt: run.startedAt ?? run.createdAt,
    memory: {
      overloads: 0,
      refusedModes: new Set(run.refused.modes),
      refusedParameters: new Set(run.refused.parameters),
      notes: [],
    },
  };
}

async function openTarget(ports: Ports, run: RunRecord): Promise<EndpointTarget | null> {
  if (run.endpoint === null) return null;
  if (run.sealedSecrets === null) return run.endpoint;
  return { ...run.endpoint, ...JSON.parse(await ports.sealer.open(run.id, run.sealedSecrets)) };
}
