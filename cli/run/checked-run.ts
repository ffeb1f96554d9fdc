import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { type LimitOutcome, outcomeText } from "./limit.ts";

/** A run with the outcome of its limits. */
export interface CheckedRun {
  run: Run;
  outcomes: readonly LimitOutcome[];
}

/** Why a run has no result, worded to follow its name; null if it has one. */
export function failureOf(run: Run): string | null {
  if (run.status !== "finished") return `is ${run.status}`;
  return isUnanswered(run) ? "has no answer: every request failed" : null;
}

/** Failures of runs and limits, a sentence each; empty if everything passed. */
export const shortcomings = (checked: readonly CheckedRun[]): string[] =>
  checked.flatMap(({ run, outcomes }) => {
    const broken = failureOf(run);
    if (broken !== null) return [`${run.id} (${run.model.slug}) ${broken}`];
    const missed = outcomes.filter(({ isMet }) => !isMet);
    return missed.map((outcome) => `${run.id} (${run.model.slug}): ${outcomeText(outcome)}`);
  });

/** A submission's runs in the format of `--json`. */
export function checkedJson(submission: string, checked: readonly CheckedRun[]) {
  const limits = checked.flatMap(({ run, outcomes }) =>
    outcomes.map(({ limit, estimate, isMet }) => ({
      run: run.id,
      metric: limit.metric.id,
      better: limit.metric.better,
      limit: limit.value,
      value: estimate?.value ?? null,
      interval: estimate?.interval ?? null,
      met: isMet,
    })),
  );
  const passed = shortcomings(checked).length === 0;
  return { submission, passed, limits, runs: checked.map(({ run }) => run) };
}
