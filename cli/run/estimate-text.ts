import type { z } from "zod";
import type { submissionEstimateSchema } from "#shared/contracts/estimate.ts";
import { printable } from "../printable.ts";
import { formatCount, formatValue } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";

type Estimated = z.infer<typeof submissionEstimateSchema>;

const head = ["model", "samples", "requests", "input tokens", "cost", "seconds"];

/** What a submission would take, a line a run. */
export function estimateText({ models, suite, dataset, warnings }: Estimated): string {
  const rows = models.map(({ model, samples, requests, inputTokens, costUsd, ...rest }) => [
    model,
    ...[samples, requests, inputTokens].map(formatCount),
    costText(costUsd),
    formatCount(rest.expectedWallSeconds),
  ]);
  const title = `${suite} on ${dataset.name}: nothing was submitted; it would take about`;
  const table = textTable([head, ...rows], (column) => column === 0);
  return [title, ...table, ...warnings].map(printable).join("\n");
}

/** Without a run to go by there is an upper bound at best. */
function costText(cost: Estimated["models"][number]["costUsd"]): string {
  const isExpected = cost?.expected != null;
  const bound = isExpected || cost?.max == null ? "" : "≤ ";
  return `${bound}${formatValue(cost?.expected ?? cost?.max ?? null, "usd")}`;
}
