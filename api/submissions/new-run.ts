import { headlineOf } from "#shared/contracts/boards/ranking.ts";
import type { Json } from "#shared/contracts/json.ts";
import { recordedIn } from "#shared/contracts/judging/recorded-judges.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { RunModel } from "#shared/contracts/run.ts";
import { namedWith } from "#shared/contracts/submissions/inference-settings.ts";
import type { PlannedTest } from "#shared/contracts/submissions/planned-test.ts";
import { BATCH_PRICE_RATIO } from "#shared/contracts/submissions/providers.ts";
import {
  type Endpoint,
  firstEndpoint,
  type SubmittedModel,
} from "#shared/contracts/submissions/submission.ts";
import { scaledPrices } from "#shared/measures/performance/token-cost.ts";
import { judgedFromStart, judgingStart, lanesFor } from "../judging/units.ts";
import type { Charge } from "../keys/quota-store.ts";
import type { Platform } from "../platform/platform.ts";
import type { NewRun } from "../runs/schema.ts";
import { calledOrigin } from "../security/own-hosts.ts";
import type { PlannedRun } from "./plan-runs.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

interface Accepted {
  submissionId: string;
  owner: string;
  charge: Charge | null;
  /** The canary of each model, by its place; empty for others. */
  canaries: readonly string[];
}

/** A public note: why a variant is on no board. */
const sweepNote = (variants: number) =>
  `one of ${variants} variants of a sweep: it is on no board, because the best of many tries would rank too high`;

/** Why a run on a corrected dataset is on no board. */
export const correctedNote = (version: string) =>
  `its dataset version was corrected by ${version.slice(0, 12)}: it is on no board, because its gold answers are known to be wrong; submit the model again without a version`;

const unlistedNote = "it is unlisted because its dataset is: make the dataset public first";

const promptNote = (hash: string) =>
  `its answers were made with the prompt ${hash}, which is not the suite's: it is listed unranked`;

const reusedNote =
  "judgments that were submitted with the answers are used where judge, prompt and inputs agree; the others are requested";

const batchNote =
  "answered in batches of the provider, at half the live price: latency and throughput are not measured";

const judgedInBatchesNote = "judged in batches of the judges' providers, at half their live prices";

/** Public notes: why a run is on no board or unranked, and how it is judged. */
function notesOf(
  submission: ResolvedSubmission,
  { model: { promptHash, answers = [] }, promptHash: known, variant }: PlannedRun,
): string[] {
  const { variants, correctedBy, datasetNote, judging, judgingNotes, options } = submission;
  const notes: string[] = [];
  if (visibilityOf(submission) !== submission.request.visibility) notes.push(unlistedNote);
  if (variant.values !== null) notes.push(sweepNote(variants.length));
  if (correctedBy !== null) notes.push(correctedNote(correctedBy));
  if (datasetNote !== null) notes.push(datasetNote);
  if (promptHash !== undefined && known === null) notes.push(promptNote(promptHash));
  if (options["mode"] === "batch") notes.push(batchNote);
  if (options["judgeMode"] === "batch") notes.push(judgedInBatchesNote);
  if (recordedIn(judging) === null && answers.some(({ judgments }) => judgments)) {
    notes.push(reusedNote);
  }
  return notes.concat(judgingNotes);
}

/** A run on an unlisted dataset is unlisted, or private. */
const visibilityOf = ({ dataset, request }: ResolvedSubmission) =>
  dataset.visibility === "unlisted" && request.visibility === "public"
    ? "unlisted"
    : request.visibility;

/** The row of a new run. Keys and headers are sealed; `endpoint` is stored without them. */
export async function newRun(
  platform: Platform,
  submission: ResolvedSubmission,
  planned: PlannedRun,
  { submissionId, owner, charge, canaries }: Accepted,
): Promise<NewRun> {
  const { request, suite, dataset, plan, judging } = submission;
  const { model, slug, variant, suiteOptions, promptHash, board } = planned;
  const { values } = variant;
  const { key: quotaKey = null, day: quotaDay = null } = charge ?? {};
  const options = withPlannedSamples(
    { ...variant.options, ...(suiteOptions as object) },
    plan.heads.length,
  );
  const id = platform.newId("run");
  const { concurrency, mode } = options as { concurrency: number; mode?: unknown };
  const endpoint = firstEndpoint(model);
  const canary = canaries[planned.place] ?? null;
  const countedOn = canary === null ? (board?.id ?? null) : null;
  const isListed = values === null && request.visibility === "public";
  const sealedSecrets = await sealSecrets(platform, id, endpoint ?? {}, model.hybrid?.cloud);
  return {
    id,
    submissionId,
    owner,
    visibility: visibilityOf(submission),
    suite: suite.id,
    suiteVersion: suite.version,
    headline: headlineOf(suite, suiteOptions),
    datasetName: dataset.name,
    datasetVersion: dataset.version,
    datasetSamples: dataset.samples,
    modelSlug: slug,
    model: modelOf(model, slug),
    endpoint: endpoint && withoutSecrets(endpoint),
    endpointOrigin: endpoint && calledOrigin(endpoint, owner),
    hybrid: model.hybrid ? storedHybrid(model.hybrid) : null,
    sealedSecrets,
    hadSecrets: sealedSecrets !== null,
    options: options as Record<string, Json>,
    variant: values,
    prices: pricesOf(model, mode),
    maxCostUsd: (options["maxCostUsd"] as number | undefined) ?? null,
    judging,
    canary,
    scoringVersion: scoringVersionOf(suite, suiteOptions, judging),
    promptHash,
    // Variants of a sweep count on the board, but are not listed: the luckiest one would win.
    boardId: isListed ? countedOn : null,
    countedOn,
    samplesOwner: dataset.visibility === "private" ? dataset.owner : null,
    status: "queued",
    units: plan.units.length,
    ...lanesFor(platform, plan.units.length, { concurrency, mode }),
    total: plan.total,
    refused: { modes: [], parameters: [] },
    notes: notesOf(submission, planned),
    // Submitted answers need only judging.
    ...(judging !== null &&
      endpoint === null &&
      judgedFromStart(
        judgingStart(platform, options as Record<string, Json>, plan.units.length, 0),
      )),
    quotaKey,
    quotaDay,
    charged: plan.total,
    // Submitted answers are stored already.
    refundable: model.answers === undefined ? plan.total : 0,
    createdAt: platform.now(),
  };
}

/** Adds the number of samples to a planned test if it was not given. */
const withPlannedSamples = (options: Record<string, unknown>, samples: number) => {
  const test = options["plannedTest"] as PlannedTest | undefined;
  return test === undefined ? options : { ...options, plannedTest: { ...test, samples } };
};

/** Prices of the answers; in batches half of the live prices. */
const pricesOf = ({ prices }: SubmittedModel, mode: unknown) =>
  prices && mode === "batch" ? scaledPrices(prices, BATCH_PRICE_RATIO) : (prices ?? null);

function modelOf(model: SubmittedModel, slug: string): RunModel {
  const asked = [firstEndpoint(model)?.model, model.hybrid?.cloud.model, model.modelId].filter(
    (id) => id !== undefined,
  );
  return {
    slug,
    name: namedWith(model.name, model.endpoint?.settings),
    url: model.url ?? null,
    license: model.license ?? null,
    parameters: model.parameters ?? null,
    quantization: model.quantization ?? null,
    simulated: model.simulated ?? false,
    ...(asked.length > 0 && { asked }),
  };
}

/** An endpoint as stored and shown. */
export function withoutSecrets({ apiKey: _, headers: __, ...endpoint }: Endpoint) {
  return endpoint;
}

const storedHybrid = ({ cloud, confidenceThreshold }: NonNullable<SubmittedModel["hybrid"]>) => ({
  cloud: withoutSecrets(cloud),
  confidenceThreshold,
});

type EndpointSecrets = Pick<Endpoint, "apiKey" | "headers">;

/** A run's sealed data: secrets of its endpoint, and of a hybrid target's cloud endpoint. */
export type RunSecrets = EndpointSecrets & { cloud: EndpointSecrets };

/** The secrets of a run's endpoints, encrypted for this run; null if they have none. */
export async function sealSecrets(
  platform: Platform,
  runId: string,
  { apiKey, headers }: EndpointSecrets,
  cloud: EndpointSecrets = {},
): Promise<string | null> {
  const known = [apiKey, headers, cloud.apiKey, cloud.headers];
  if (known.every((secret) => secret === undefined)) return null;
  const ofCloud = { apiKey: cloud.apiKey, headers: cloud.headers };
  return platform.sealer.seal(runId, JSON.stringify({ apiKey, headers, cloud: ofCloud }));
}
