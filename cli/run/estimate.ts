import type { Run } from "#shared/contracts/run.ts";
import {
  type SubmissionEstimate,
  submissionEstimateSchema,
} from "#shared/contracts/submissions/estimate.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";
import { submissionUseText } from "#shared/measures/usage-rows.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { formatCount, formatValue, printable, textTable } from "../terminal/text.ts";

const ESTIMATE_COLUMNS = ["model", "samples", "requests", "input tokens", "cost", "seconds"];
const BATCH_COLUMN = "cost in batches";

/** An estimate of a submission, which is not stored. */
export const estimateOf = async (
  service: ServiceClient,
  request: object | null,
): Promise<SubmissionEstimate> =>
  await service.post("/v1/submissions?dryRun=true", request, submissionEstimateSchema);

/** Note on grades by simulated judges. */
export const simulatedText = "judged by simulated judges: grades say nothing about quality";

/** Whether a simulated judge judges a run. */
export const hasSimulatedJudges = (judging: Run["judging"]): boolean =>
  Object.values(judging?.judges ?? {}).some(({ routes }) =>
    routes.some(({ simulated }) => simulated),
  );

/** The estimate of a submission, one line per run. */
export function estimateText(estimated: SubmissionEstimate): string {
  const { models, suite, dataset, warnings } = estimated;
  const hasBatches = models.some(({ batchCostUsd }) => batchCostUsd !== null);
  const rows = models.map(({ samples, requests, inputTokens, costUsd, ...rest }) => [
    [rest.model, rest.variant && variantText(rest.variant)].filter(Boolean).join(", "),
    ...[samples, requests, inputTokens].map(formatCount),
    costText(costUsd),
    formatCount(rest.expectedWallSeconds),
    ...(hasBatches ? [costText(rest.batchCostUsd)] : []),
  ]);
  const columns = [...ESTIMATE_COLUMNS, ...(hasBatches ? [BATCH_COLUMN] : [])];
  const title = `${suite} on ${dataset.name}: nothing was submitted; estimate`;
  const table = textTable([columns, ...rows], (column) => column === 0);
  const judges = [judgesText(estimated), quotaText(estimated)].filter((text) => text !== "");
  const batches = hasBatches ? ["in batches (--mode batch) answers take up to a day"] : [];
  return [title, ...table, ...batches, ...judges, ...warnings].map(printable).join("\n");
}

/** The cost of a run; without an earlier run, only an upper bound or nothing is known. */
function costText(cost: SubmissionEstimate["models"][number]["costUsd"]): string {
  const isExpected = cost?.expected != null;
  const bound = isExpected || cost?.max == null ? "" : "≤ ";
  return `${bound}${formatValue(cost?.expected ?? cost?.max ?? null, "usd")}`;
}

/** The submission's share of the daily quotas; empty without quotas. */
const quotaText = ({ quota, total, judgeCostUsd }: SubmissionEstimate): string =>
  submissionUseText(quota, total.samples, judgeCostUsd);

/**
 * The judges of a submission and their cost; empty if no judge is called.
 * @example judgesText(estimate) // "judges: claude-opus-5-5, gpt-6-luna; at most 720 judgments, about $1.20"
 */
export function judgesText({
  judging,
  judgeRequests,
  judgeCostUsd,
  judgeBatchCostUsd,
}: SubmissionEstimate): string {
  if (judging === null) return "";
  const judges = Object.entries(judging.judges);
  const routes = judges.flatMap(([, judge]) => judge.routes);
  if (routes.every(({ simulated }) => simulated)) return "judges: simulated";
  const models = [...new Set(routes.map(({ model }) => model))].join(", ");
  const without = judges.flatMap(([id, judge]) => (judge.routes.length === 0 ? [id] : []));
  const calls = judgeRequests === null ? "" : `; at most ${counted(judgeRequests, "judgment")}`;
  const cost =
    judgeCostUsd === null ? "no price known" : `about ${formatValue(judgeCostUsd, "usd")}`;
  const batched =
    judgeBatchCostUsd === null ? "" : `, in batches ${formatValue(judgeBatchCostUsd, "usd")}`;
  const lack = without.length === 0 ? "" : `; not judged (no key): ${without.join(", ")}`;
  return printable(`judges: ${models}${calls}, ${cost}${batched}${lack}`);
}
