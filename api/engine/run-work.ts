import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { HybridRouting } from "#shared/contracts/runs/unit.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { capOf } from "../judging/units.ts";
import type { Platform } from "../platform/platform.ts";
import {
  type EndpointMemory,
  endpointMemory,
  type RequestCount,
} from "../providers/endpoint-memory.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { SealProblem } from "../security/seal.ts";
import type { RunSecrets } from "../submissions/new-run.ts";
import { announceWaiting } from "../webhooks/announce.ts";
import type { RunSize } from "./lane-state.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "./run-plan.ts";

/** The cloud endpoint of a hybrid target, and when it is called. */
interface CloudTarget {
  target: Endpoint;
  routing: HybridRouting;
  /** Not stored: each lane learns about this endpoint again. */
  memory: EndpointMemory;
}

/** A run opened for work: its suite, its plan, and the source of its answers. */
export interface RunWork {
  run: RunRecord;
  suite: Suite;
  options: unknown;
  plan: RunPlan;
  /** The endpoint with its secrets; null if the answers exist already. */
  target: Endpoint | null;
  /** For a hybrid run: the cloud endpoint, called after `target`; null for a single endpoint. */
  cloud: CloudTarget | null;
  limits: { timeoutMs: number; maxRetries: number };
  memory: EndpointMemory;
  size: RunSize;
  /** Maximum requests in flight at one endpoint, over all runs. */
  endpointCap: number;
  /** Reference for all times within the run, Unix ms: its start, plus the time between an end and a retry. */
  startedAt: number;
}

/**
 * Opens a run for work. Throws if its dataset or suite no longer exists. Fails the run with a reason if its secrets
 * can't be decrypted. `planning` wraps the creation of the plan if no lane of this isolate has one.
 */
export async function openRun(
  platform: Platform,
  run: RunRecord,
  planning = (make: () => Promise<RunPlan>) => make(),
): Promise<RunWork> {
  const suite = platform.suites.byId(run.suite);
  if (!suite) throw new Error(`suite ${run.suite} is not registered`);
  const options = suite.optionsSchema.parse(suiteOptionsOf(run.options));
  const key = `${run.id} ${run.datasetVersion}`;
  const known = () => plansOf(suite).get(key)?.deref();
  const made = async () => {
    const index = await platform.datasets.index(run.suite, run.datasetVersion);
    const plan = planRun(suite, index, run.options, options);
    plansOf(suite).set(key, new WeakRef(plan));
    return plan;
  };
  const requests = { sent: 0, most: platform.settings.plan.requests };
  const plan = known() ?? (await planning(async () => known() ?? made()));
  return {
    run,
    suite: suiteFor(suite, options),
    options,
    plan,
    size: {
      units: plan.units.length,
      samplesPerUnit: plan.total / plan.units.length,
      lanes: run.lanes,
      concurrency: run.concurrency,
    },
    endpointCap: capOf(platform, run),
    ...(await openTargets(platform, run, requests)),
    limits: {
      timeoutMs: run.options["timeoutMs"] as number,
      maxRetries: run.options["maxRetries"] as number,
    },
    startedAt: (run.startedAt ?? run.createdAt) + run.idleMs,
    memory: {
      ...endpointMemory({ ...run.refused, requests }),
      refusedSchemas: refusedSchemasOf(plan),
    },
  };
}

/** How long calls of a run have been postponed, ms, without an answer in between. */
export const blockedFor = ({ blockedSince }: Pick<RunRecord, "blockedSince">, now: number) =>
  now - (blockedSince ?? now);

/**
 * Schemas that the endpoint refused, shared by lanes of one isolate with the same plan: each lane would otherwise retry
 * every schema.
 */
const refusedSchemas = new WeakMap<RunPlan, Set<string>>();

function refusedSchemasOf(plan: RunPlan): Set<string> {
  const known = refusedSchemas.get(plan) ?? new Set<string>();
  refusedSchemas.set(plan, known);
  return known;
}

/** Plans in use by suite and run: lanes of one isolate share a plan, because the plan of a long run takes 10 MB. */
const plans = new WeakMap<Suite, Map<string, WeakRef<RunPlan>>>();

function plansOf(suite: Suite): Map<string, WeakRef<RunPlan>> {
  const own = plans.get(suite) ?? new Map<string, WeakRef<RunPlan>>();
  plans.set(suite, own);
  for (const [name, ref] of own) if (ref.deref() === undefined) own.delete(name);
  return own;
}

async function openTargets(
  platform: Platform,
  run: RunRecord,
  requests: RequestCount,
): Promise<Pick<RunWork, "target" | "cloud">> {
  const { endpoint, hybrid } = run;
  const asks = endpoint !== null && run.parentId === null && run.phase === "answering";
  if (!asks) return { target: null, cloud: null };
  const secrets = await openSecrets(platform, run);
  const { cloud: ofCloud, ...own } = secrets;
  const cloud = hybrid && {
    target: { ...hybrid.cloud, ...ofCloud },
    routing: { confidenceThreshold: hybrid.confidenceThreshold },
    memory: endpointMemory({ requests }),
  };
  return { target: { ...endpoint, ...own }, cloud };
}

/** The endpoint of a run that calls one, with its secrets; null if there is none, or they can't be decrypted. */
export async function openTarget(platform: Platform, run: RunRecord): Promise<Endpoint | null> {
  const opened = openTargets(platform, run, { sent: 0, most: 0 });
  return (await opened.catch(() => ({ target: null }))).target;
}

async function openSecrets(platform: Platform, run: RunRecord): Promise<RunSecrets> {
  if (run.sealedSecrets === null) return { cloud: {} };
  const opened = await platform.sealer.open(run.id, run.sealedSecrets);
  if (opened.ok) return JSON.parse(opened.value) as RunSecrets;
  const reason = reasonOf(opened.error);
  await platform.runs.fail(run.id, reason, platform.now());
  await platform.publications.markChanged();
  await announceWaiting(platform);
  throw new Error(`run ${run.id} failed: ${reason}`);
}

/** For the submitter, who can submit again, and for the operator, who can fix the deployment. */
const reasonOf = (problem: SealProblem): string =>
  problem.kind === "unknown-key"
    ? `the endpoint's key was encrypted with secret ${problem.keyId}, which this deployment no longer has: operators keep a replaced SECRETS_KEY in SECRETS_KEY_PREVIOUS until its runs have ended; submit the model again`
    : "the endpoint's encrypted key can't be decrypted: it was changed, or encrypted by an older version; submit the model again";
