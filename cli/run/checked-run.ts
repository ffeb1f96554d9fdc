import { z } from "zod";
import { coverageReason } from "#shared/contracts/boards/coverage-floor.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { submissionEstimateSchema } from "#shared/contracts/submissions/estimate.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { atLeast } from "#shared/measures/report/figures/tier.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { gateSchema } from "../gate/gate.ts";
import { modelName } from "../remote/runs-text.ts";
import { variantVerdictSchema } from "../remote/variant-verdicts.ts";
import { assayCommand } from "../terminal/text.ts";
import { type LimitOutcome, limitJson, limitSchema, outcomeText } from "./limit.ts";

const submission = z.string().meta({ description: "id of the submission" });

const checkedSchema = z.object({
  submission,
  passed: z
    .boolean()
    .meta({ description: "every run finished with enough coverage, and met its limits" }),
  limits: z.array(z.object({ run: z.string(), ...limitSchema.shape })),
  runs: z.array(runSchema),
});

/** Output of `assay run --json`: checked runs, started runs (--no-wait), or an estimate (--dry-run). */
export const runResultSchema = z.union([
  checkedSchema.extend({
    verdicts: z
      .array(variantVerdictSchema)
      .exactOptional()
      .meta({ description: "by model, which of its variants is best; only with variants" }),
    gates: z.array(gateSchema).exactOptional().meta({ description: "only with --baseline" }),
    pushed: z
      .array(z.object({ from: z.string().meta({ description: "the run here" }), run: runSchema }))
      .exactOptional()
      .meta({ description: "published runs; only with --push" }),
  }),
  z.object({
    submission,
    runs: z.array(submissionSchema.shape.runs.element.partial().required({ id: true })),
  }),
  submissionEstimateSchema,
]);
export type RunResult = z.infer<typeof runResultSchema>;

/** A run with the outcome of its limits. */
export interface CheckedRun {
  run: Run;
  outcomes: readonly LimitOutcome[];
  /** Share of its samples that must have a score. */
  leastCoverage: number;
}

/** Why a run has no result, as text after its name; null if it has a result. */
export function failureOf(run: Run): string | null {
  if (run.status !== "finished") return `is ${run.status}`;
  return isUnanswered(run) ? "has no answer: every request failed" : null;
}

/** Like failureOf(), and also for a judged run with unscored answers. */
export function lackOf(run: Run): string | null {
  const failure = failureOf(run);
  const coverage = run.metrics?.[run.headline]?.coverage ?? 0;
  if (failure !== null || run.judging === null || coverage === 1) return failure;
  const share = Math.max(1, Math.round(100 * (1 - coverage)));
  const isOpen = run.notes.some((note) => /\bjudgments? (?:is|are) missing\b/.test(note));
  const advice = isOpen
    ? `: ${assayCommand} run --resume ${run.id} asks for missing judgments`
    : "";
  return `has no score for ${share}% of its answers${advice}`;
}

/** Why a finished run has too few scores, as text after its name; null if it has enough. */
export function thinness({ run, leastCoverage }: CheckedRun): string | null {
  const { coverage } = run.metrics?.[run.headline] ?? { coverage: 1 };
  const isEnough = coverage > 0 && atLeast(coverage, leastCoverage);
  if (failureOf(run) !== null || isEnough) return null;
  if (run.progress.failed === 0 && run.judging !== null) return ` ${lackOf(run)}`;
  const advice = `${assayCommand} run --resume ${run.id} asks only the failed ones again`;
  return `: ${coverageReason(coverage, leastCoverage)}${run.progress.failed === 0 ? "" : `: ${advice}`}`;
}

/** Failures of runs and limits, a sentence each; empty if everything passed. */
export const shortcomings = (checked: readonly CheckedRun[]): string[] =>
  checked.flatMap((one) => {
    const name = `${one.run.id} (${modelName(one.run)})`;
    const broken = failureOf(one.run);
    if (broken !== null) return [`${name} ${broken}`];
    const thin = thinness(one);
    const missed = one.outcomes.filter(({ isMet }) => !isMet);
    return [
      ...(thin === null ? [] : [`${name}${thin}`]),
      ...missed.map((outcome) => `${name}: ${outcomeText(outcome)}`),
    ];
  });

/** A submission's runs in the format of `--json`. */
export function checkedJson(
  submission: string,
  checked: readonly CheckedRun[],
): z.infer<typeof checkedSchema> {
  const limits = checked.flatMap(({ run, outcomes }) =>
    outcomes.map((outcome) => ({ run: run.id, ...limitJson(outcome) })),
  );
  const passed = shortcomings(checked).length === 0;
  return { submission, passed, limits, runs: checked.map(({ run }) => run) };
}
