import type { Tone } from "#shared/contracts/report.ts";
import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { awaitedText, queuedText } from "#shared/measures/report/run/provenance-text.ts";
import { headlineOf, statusLabel } from "../../data/runs/run-state.ts";
import { formatTime } from "../../format/date.ts";
import { formatCount, formatValue } from "../../format/number.ts";

export type RunAction = "pause" | "resume" | "cancel";

const actions: Record<Run["status"], readonly RunAction[]> = {
  queued: ["pause", "cancel"],
  running: ["pause", "cancel"],
  paused: ["resume", "cancel"],
  finished: [],
  failed: [],
  cancelled: [],
};

/** Possible actions on a run in its current state; a run with all answers only waits to be summed up. */
export const actionsOf = ({
  status,
  progress,
}: Pick<Run, "status" | "progress">): readonly RunAction[] =>
  status === "running" && progress.done >= progress.total ? ["cancel"] : actions[status];

export const hasEnded = ({ status }: Pick<Run, "status">): boolean => actions[status].length === 0;

/** Whether a run is paused because it reached its cost limit. */
export const isOutOfMoney = ({ status, cost }: Pick<Run, "status" | "cost">): boolean =>
  status === "paused" && cost !== null && cost.maxUsd !== null && cost.spentUsd >= cost.maxUsd;

export function outcomesOf({
  progress,
  phase,
}: Pick<Run, "progress" | "phase">): { label: string; tone: Tone; count: number }[] {
  const { done, total, failed } = progress;
  const isJudging = phase === "judging";
  return [
    { label: isJudging ? "judged" : "answered", tone: "right", count: Math.max(0, done - failed) },
    { label: "failed", tone: "wrong", count: Math.min(failed, done) },
    { label: "to come", tone: "neutral", count: total - done },
  ];
}

export function progressText({ progress, phase }: Pick<Run, "progress" | "phase">): string {
  const { done, total, failed } = progress;
  const what = phase === "judging" ? "answers judged" : "samples done";
  const lost = failed > 0 ? `, ${formatCount(failed)} failed` : "";
  return `${formatCount(done)} of ${formatCount(total)} ${what}${lost}`;
}

/** Current activity, in words. */
export function stateText(run: Run): string {
  if (run.status === "finished" && isUnanswered(run)) {
    return "No answers: every request failed, so there is no score. The report says why";
  }
  const { status, progress, phase, statusReason, waitingUntil, estimatedFinishAt, batches } = run;
  if (run.runsBefore !== undefined) return `${statusLabel(run)}: ${queuedText(run.runsBefore)}`;
  if (status !== "running") {
    return statusReason === null ? statusLabel(run) : `${statusLabel(run)}: ${statusReason}`;
  }
  if (run.waitsFor) return `Running; ${awaitedText(run.waitsFor)}`;
  if (waitingUntil !== null) {
    return `Running; asks the endpoint again after ${formatTime(waitingUntil)}`;
  }
  if (batches) {
    const since = formatTime(batches.submittedAt);
    return `Running; waits for ${formatCount(batches.requests)} requests in batches of the provider, submitted from ${since} on`;
  }
  if (progress.done >= progress.total) return "Running; the results are being summed up";
  const until =
    estimatedFinishAt === null ? "" : `; about done at ${formatTime(estimatedFinishAt)}`;
  return `${phase === "judging" ? "Judging" : "Running"}${until}`;
}

/** The cost of an ended run, or the amount spent so far, with the limit; null without prices. */
export function spentText({ cost, metrics }: Pick<Run, "cost" | "metrics">): string | null {
  if (cost === null) return null;
  const limit = cost.maxUsd === null ? "" : ` of at most ${formatValue(cost.maxUsd, "usd")}`;
  return `${formatValue(metrics?.["costUsd"]?.value ?? cost.spentUsd, "usd")}${limit}`;
}

/** The run's score, if it has one; a run without any answer has none. */
export const scoreOf = (run: Run) => (isUnanswered(run) ? null : (headlineOf(run) ?? null));
