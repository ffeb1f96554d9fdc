import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { type Verdict, verdictText } from "./verdict.ts";

/** A run with what became of its limits. */
export interface JudgedRun {
  run: Run;
  verdicts: readonly Verdict[];
}

/** Why a run says nothing of its model, as what follows its name; null where it says something. */
export function brokenBy(run: Run): string | null {
  if (run.status !== "finished") return `is ${run.status}`;
  return isUnanswered(run) ? "got no answer: every request failed" : null;
}

/** What did not come out as it should, a sentence each; empty when all did. */
export const shortcomings = (judged: readonly JudgedRun[]): string[] =>
  judged.flatMap(({ run, verdicts }) => {
    const broken = brokenBy(run);
    if (broken !== null) return [`${run.id} (${run.model.slug}) ${broken}`];
    const missed = verdicts.filter(({ isMet }) => !isMet);
    return missed.map((verdict) => `${run.id} (${run.model.slug}): ${verdictText(verdict)}`);
  });

/** A submission's runs as `--json` prints them. */
export function judgedJson(submission: string, judged: readonly JudgedRun[]) {
  const limits = judged.flatMap(({ run, verdicts }) =>
    verdicts.map(({ limit, estimate, isMet }) => ({
      run: run.id,
      metric: limit.metric.id,
      better: limit.metric.better,
      limit: limit.value,
      value: estimate?.value ?? null,
      interval: estimate?.interval ?? null,
      met: isMet,
    })),
  );
  const passed = shortcomings(judged).length === 0;
  return { submission, passed, limits, runs: judged.map(({ run }) => run) };
}
