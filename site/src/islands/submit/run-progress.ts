import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { headlineOf, statusLabel } from "../../data/runs/run-state.ts";
import { formatTime } from "../../format/date.ts";
import { formatCount, formatValue } from "../../format/number.ts";

/** What an owner can do to a run. */
export type RunAction = "pause" | "resume" | "cancel";

const actions: Record<Run["status"], readonly RunAction[]> = {
  queued: ["pause", "cancel"],
  running: ["pause", "cancel"],
  paused: ["resume", "cancel"],
  finished: [],
  failed: [],
  cancelled: [],
};

/** What can be done to a run as it is; one that has all its answers is only summed up. */
export const actionsOf = ({
  status,
  progress,
}: Pick<Run, "status" | "progress">): readonly RunAction[] =>
  status === "running" && progress.done >= progress.total ? ["cancel"] : actions[status];

export const hasEnded = ({ status }: Pick<Run, "status">): boolean => actions[status].length === 0;

/** A paused run that has reached its spending limit. */
export const isOutOfMoney = ({ status, cost }: Pick<Run, "status" | "cost">): boolean =>
  status === "paused" && cost !== null && cost.maxUsd !== null && cost.spentUsd >= cost.maxUsd;

/** How far a run is, in a sentence. */
export function progressText({ progress, phase }: Pick<Run, "progress" | "phase">): string {
  const { done, total, failed } = progress;
  const what = phase === "judging" ? "answers judged" : "samples done";
  const lost = failed > 0 ? `, ${formatCount(failed)} failed` : "";
  return `${formatCount(done)} of ${formatCount(total)} ${what}${lost}`;
}

/** What is happening, in words for whoever waits. */
export function stateText(run: Run): string {
  if (run.status === "finished" && isUnanswered(run)) {
    return "No answers: every request failed, so there is no score. The report says why";
  }
  const { status, progress, phase, statusReason, waitingUntil, estimatedFinishAt } = run;
  if (status !== "running") {
    return statusReason === null ? statusLabel(run) : `${statusLabel(run)}: ${statusReason}`;
  }
  if (waitingUntil !== null) {
    return `Running; the endpoint asked for no call before ${formatTime(waitingUntil)}`;
  }
  if (progress.done >= progress.total) return "Running; the results are being summed up";
  const until =
    estimatedFinishAt === null ? "" : `; about done at ${formatTime(estimatedFinishAt)}`;
  return `${phase === "judging" ? "Judging" : "Running"}${until}`;
}

/** What was spent so far, and the limit; null without prices. */
export function spentText({ cost }: Pick<Run, "cost">): string | null {
  if (cost === null) return null;
  const limit = cost.maxUsd === null ? "" : ` of at most ${formatValue(cost.maxUsd, "usd")}`;
  return `${formatValue(cost.spentUsd, "usd")}${limit}`;
}

/** The run's score, where it has one: what a run without any answer gets by rule is none. */
export const scoreOf = (run: Run) => (isUnanswered(run) ? null : (headlineOf(run) ?? null));
