import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { formatCount, formatShare } from "../../format/number.ts";

/** Fewer samples than this give intervals too wide to distinguish good from fair. */
export const fewSamples = 50;

const statusLabels: Record<Run["status"], string> = {
  queued: "Waiting to start",
  running: "Running",
  paused: "Paused",
  finished: "Finished",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** A run's status in words; also whether it finished without a single answer. */
export const statusLabel = (run: Pick<Run, "status" | "metrics" | "progress">): string =>
  run.status === "finished" && isUnanswered(run)
    ? `${statusLabels.finished}, nothing answered`
    : statusLabels[run.status];

export const headlineOf = (run: Pick<Run, "metrics" | "headline">) => run.metrics?.[run.headline];

/** A caution that comes before the numbers. */
interface Warning {
  /** The problem, in a few words. */
  lead: string;
  text: string;
}

/** Warns that a run has too few answers for a board, or none; null if it has enough. */
export function coverageWarning(
  run: Pick<Run, "headline" | "metrics" | "judging" | "progress">,
): Warning | null {
  const headline = headlineOf(run);
  if (!headline) return null;
  if (isUnanswered(run)) return unansweredWarning(run);
  return headline.coverage < coverageFloor ? partWarning(run, headline.coverage) : null;
}

/** Warns that a run has few samples, or that they come from few sources. */
export function sizeWarning(
  run: Pick<Run, "headline" | "metrics">,
  sources?: number,
): Warning | null {
  const headline = headlineOf(run);
  const count = sources ?? headline?.n ?? fewSamples;
  if (!headline || count >= fewSamples) return null;
  return {
    lead: `Only ${count} ${sources === undefined ? "samples" : "sources of samples"}:`,
    text: "read every number here with its interval.",
  };
}

function unansweredWarning({ progress }: Pick<Run, "progress">): Warning {
  const { total } = progress;
  return {
    lead: "Nothing was answered.",
    text: `${total === 1 ? "The only request" : `All ${formatCount(total)} requests`} failed, so this run says nothing about the model and is not ranked. Check the endpoint's address, its key and the timeout.`,
  };
}

function partWarning(
  { judging, progress }: Pick<Run, "judging" | "progress">,
  coverage: number,
): Warning {
  const share = formatShare(coverage);
  const { failed, total } = progress;
  const lead =
    failed > 0
      ? `${formatCount(failed)} of ${formatCount(total)} requests failed.`
      : "Scores are missing.";
  return {
    lead,
    text:
      judging === null
        ? `The model answered only ${share} of the samples. Requests that failed score 0, so this run is shown but not ranked.`
        : `Only ${share} of the samples were answered and judged. Requests that failed score 0, and samples without a judgment that their score needs are left out, so this run is shown but not ranked.`,
  };
}

/** Nested options as dotted names with JSON values, in order. */
export function flatOptions(
  options: Record<string, unknown>,
  prefix = "",
): { name: string; value: string }[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    return isJsonObject(value) && Object.keys(value).length > 0
      ? flatOptions(value as JsonObject, `${name}.`)
      : [{ name, value: JSON.stringify(value) ?? "" }];
  });
}
