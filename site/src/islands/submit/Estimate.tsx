import type {
  Expense,
  ModelEstimate,
  SubmissionEstimate,
} from "#shared/contracts/submissions/estimate.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";
import { submissionUseText } from "#shared/measures/usage-rows.ts";

import { formatDate, formatDuration } from "../../format/date.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { Facts } from "../../report/Facts.tsx";
import { ScrollTable } from "../../report/ScrollTable.tsx";

/** The expected value and the maximum, if known. */
function rangeText(
  { expected, max }: { expected: number | null; max: number | null },
  text: (value: number) => string,
): string {
  if (expected === null) return max === null ? "not known" : `at most ${text(max)}`;
  return max === null || max === expected
    ? text(expected)
    : `${text(expected)}, at most ${text(max)}`;
}

const costText = ({ costUsd }: Pick<Expense, "costUsd">): string =>
  costUsd === null
    ? "not known without prices"
    : rangeText(costUsd, (value) => formatValue(value, "usd"));

const batchCostText = ({ batchCostUsd }: Pick<Expense, "batchCostUsd">): string | null =>
  batchCostUsd && rangeText(batchCostUsd, (value) => formatValue(value, "usd"));

const timeText = ({ expectedWallSeconds }: Pick<Expense, "expectedWallSeconds">): string =>
  formatDuration(expectedWallSeconds * 1_000);

function judgeText({
  judging,
  judgeRequests,
  judgeCostUsd: cost,
  judgeBatchCostUsd: inBatches,
}: SubmissionEstimate): string | null {
  if (judging === null) return null;
  if (judgeRequests === null) return "depends on the answers";
  const batched = inBatches ? `, in batches ${formatValue(inBatches, "usd")}` : "";
  const usd = cost ? ` (about ${formatValue(cost, "usd")}${batched})` : "";
  return `at most ${formatCount(judgeRequests)}, at the operator's cost${usd}`;
}

function quotaText({ quota, total, judgeCostUsd }: SubmissionEstimate): string | null {
  const text = submissionUseText(quota, total.samples, judgeCostUsd);
  return text === "" ? null : `${text}, until ${formatDate(quota.resetsAt)} 00:00 UTC`;
}

const basisLabels: Record<keyof ModelEstimate["basis"], string> = {
  requests: "Requests",
  inputTokens: "Input tokens",
  outputTokens: "Output tokens",
  costUsd: "Cost",
  expectedWallSeconds: "Time",
};

/** The basis of each number; listed once if it is the same for several variants. */
const Basis = ({ models }: Pick<SubmissionEstimate, "models">) => (
  <ScrollTable label="Basis of the estimate" columns={["Figure", "Basis"]}>
    <tbody>
      {(Object.keys(basisLabels) as (keyof ModelEstimate["basis"])[]).map((figure) => (
        <tr>
          <th scope="row">{basisLabels[figure]}</th>
          <td>{[...new Set(models.map(({ basis }) => basis[figure]))].join("; ")}</td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);

const Variants = ({ models }: Pick<SubmissionEstimate, "models">) => (
  <>
    <h3>By run</h3>
    <ScrollTable
      label="Estimate by run"
      columns={["Run", { num: "Requests" }, { num: "Cost" }, { num: "Time" }]}
    >
      <tbody>
        {models.map((model) => (
          <tr>
            <th scope="row">{model.variant === null ? model.model : variantText(model.variant)}</th>
            <td class="num">{formatCount(model.requests)}</td>
            <td class="num">{costText(model)}</td>
            <td class="num">{timeText(model)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </>
);

/** How many samples separate models, if that is known. */
const Separation = ({ separation }: Pick<SubmissionEstimate, "separation">) =>
  separation === null ? null : (
    <>
      <h3>Samples that tell two models apart</h3>
      <p class="prose">
        So many samples show a difference between two models in 80% of cases. This follows from how
        much the scores of {formatCount(separation.runs)} runs on a board of this dataset differ
        from sample to sample; it has {formatCount(separation.samples)} samples. Judgments are not
        included in the cost.
      </p>
      <ScrollTable
        label="Samples that tell two models apart"
        columns={["Difference", { num: "Samples" }, { num: "Cost of a model’s answers" }]}
      >
        <tbody>
          {separation.differences.map(({ difference, least, most, costUsd }) => (
            <tr>
              <th scope="row">{difference}</th>
              <td class="num">
                {least === most
                  ? formatCount(most)
                  : `${formatCount(least)} to ${formatCount(most)}`}
              </td>
              <td class="num">
                {costUsd === null ? "not known" : `at most ${formatValue(costUsd, "usd")}`}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </>
  );

export const Estimate = ({ estimate }: { estimate: SubmissionEstimate }) => {
  const { total, models, dataset } = estimate;
  return (
    <>
      <h2 id="outcome-title" tabindex={-1}>
        Estimate
      </h2>
      <p class="prose" data-stale>
        The submission is valid. Nothing was stored. Retries are not included.
      </p>
      {estimate.warnings.map((text) => (
        <p class="notice notice-warn">{text}</p>
      ))}
      <Facts
        facts={[
          { term: "Dataset", text: `${dataset.name}, version ${dataset.version.slice(0, 12)}` },
          { term: "Answers", text: formatCount(total.samples) },
          { term: "Requests", text: formatCount(total.requests) },
          { term: "Input tokens", text: formatCount(total.inputTokens) },
          { term: "Output tokens", text: rangeText(total.outputTokens, formatCount) },
          { term: "Cost", text: costText(total) },
          { term: "Time", text: timeText(total) },
          { term: "Cost in batches, within a day", text: batchCostText(total) },
          { term: "Judgments", text: judgeText(estimate) },
          { term: "Daily quotas", text: quotaText(estimate) },
        ]}
      />
      <Basis models={models} />
      <Separation separation={estimate.separation} />
      {models.length > 1 && <Variants models={models} />}
    </>
  );
};
