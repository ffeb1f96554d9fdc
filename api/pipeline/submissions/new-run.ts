import type { Json } from "#shared/contracts/json.ts";
import type { RunModel } from "#shared/contracts/run.ts";
import { scoringVersionOf } from "#shared/contracts/scoring-version.ts";
import type { Endpoint, SubmittedModel } from "#shared/contracts/submission.ts";
import { boardIdentity, promptHashOf } from "../boards/board-identity.ts";
import type { Charge } from "../limit-ports.ts";
import type { NewRun, Ports } from "../ports.ts";
import { slugOf } from "./check-models.ts";
import { chargedTo } from "./quota.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

/** Requests a lane keeps in flight: see lane-loop. */
const PER_LANE = 5;

/** The row of a new run. Keys and headers are sealed; the endpoint is kept without them. */
export async function newRun(
  ports: Ports,
  submission: ResolvedSubmission,
  model: SubmittedModel,
  submissionId: string,
  owner: string,
  charge: Charge | null,
): Promise<NewRun> {
  const { request, suite, suiteOptions, options, dataset, plan } = submission;
  const id = ports.newId("run");
  const concurrency = Math.max(1, Math.min(options["concurrency"] as number, plan.units.length));
  const asked = model.endpoint !== undefined;
  const sealedSecrets = model.endpoint ? await sealSecrets(ports, id, model.endpoint) : null;
  return {
    id,
    submissionId,
    owner,
    visibility: dataset.visibility === "unlisted" ? "unlisted" : request.visibility,
    suite: suite.id,
    suiteVersion: suite.version,
    headline: suite.headline,
    datasetName: dataset.name,
    datasetVersion: dataset.version,
    datasetSamples: dataset.samples,
    modelSlug: slugOf(model, owner),
    model: modelOf(model, slugOf(model, owner)),
    endpoint: model.endpoint ? withoutSecrets(model.endpoint) : null,
    endpointOrigin: model.endpoint ? new URL(model.endpoint.baseUrl).origin : null,
    sealedSecrets,
    hadSecrets: sealedSecrets !== null,
    options: options as Record<string, Json>,
    prices: model.prices ?? null,
    maxCostUsd: (options["maxCostUsd"] as number | undefined) ?? null,
    scoringVersion: scoringVersionOf(suite, suiteOptions),
    promptHash: asked ? promptHashOf(suite, suiteOptions) : (model.promptHash ?? null),
    boardId: boardIdOf(submission, model),
    status: "queued",
    units: plan.units.length,
    lanes: Math.ceil(concurrency / PER_LANE),
    concurrency,
    slotLimit: concurrency,
    total: plan.total,
    refused: { modes: [], parameters: [] },
    notes: [],
    ...chargedTo(charge, plan.total),
    createdAt: ports.now(),
  };
}

/** Only public runs over the full dataset stand on a board: a lucky subset can't. */
function boardIdOf(submission: ResolvedSubmission, model: SubmittedModel): string | null {
  const { request, dataset, plan } = submission;
  const isPublic = request.visibility === "public" && dataset.visibility === "public";
  const isFull = plan.heads.length === dataset.samples;
  return isPublic && isFull ? boardIdentity(submission, model.promptHash).id : null;
}

function modelOf(model: SubmittedModel, slug: string): RunModel {
  return {
    slug,
    name: model.name,
    url: model.url ?? null,
    license: model.license ?? null,
    parameters: model.parameters ?? null,
    quantization: model.quantization ?? null,
    simulated: model.simulated ?? false,
  };
}

function withoutSecrets({ apiKey: _, headers: __, ...endpoint }: Endpoint) {
  return endpoint;
}

/** The secrets of an endpoint, sealed for one run; null where it has none. */
export async function sealSecrets(
  ports: Ports,
  runId: string,
  endpoint: Pick<Endpoint, "apiKey" | "headers">,
): Promise<string | null> {
  const { apiKey, headers } = endpoint;
  if (apiKey === undefined && headers === undefined) return null;
  return ports.sealer.seal(runId, JSON.stringify({ apiKey, headers }));
}
