import type { ScoredRun } from "#shared/contracts/boards/scored-run.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
import { marginProblem } from "#shared/measures/comparison/margin-tests.ts";
import {
  changesOf,
  differingOptions,
  differingSamples,
  type GateRules,
  gatedMetrics,
  gateRuns,
} from "#shared/measures/gates/gated-runs.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import { modelName } from "../remote/runs-text.ts";
import { hasSimulatedJudges } from "../run/estimate.ts";
import { type Gate, labelled } from "./gate.ts";
import type { GateOutputs } from "./gate-outputs.ts";
import type { Baseline } from "./read-baseline.ts";

/** A comparison of runs with a baseline, as requested. */
export interface RunGate {
  /** A run, a file, or a file of a git branch. */
  baseline: string;
  rules: GateRules;
  outputs: GateOutputs;
}

/** The suite of a baseline's run, including metrics that its options define. Throws BadInput. */
function suiteOf({ run }: ScoredRun) {
  const suite = suiteById(run.suite);
  if (suite !== undefined) return suite;
  throw new BadInput(`baseline ${run.id}: unknown suite ${run.suite}; update assay`);
}

/** Refuses a metric that a baseline does not have, before anything is evaluated. Throws BadInput. */
export function refuseUnknownMetrics({ runs }: Baseline, { margins }: GateRules): void {
  for (const base of runs) {
    const known = gatedMetrics(suiteOf(base), base);
    const ids = known.map(({ id }) => id);
    const problem = marginProblem(margins, ids, known);
    if (problem !== null) throw new BadInput(`--non-inferior: ${problem}`);
  }
}

/**
 * Refuses a request whose runs can't be compared with the baseline, before any model is called. The service would use
 * `dataset` and `judging`. Throws BadInput.
 */
export function refuseIncomparable(
  { runs, from }: Baseline,
  { suite, options = {} }: SubmissionInput,
  { dataset, judging }: Pick<SubmissionEstimate, "dataset" | "judging">,
): void {
  const known = suiteById(suite);
  const own = known?.optionsSchema.safeParse(suiteOptions(options));
  const whole = {
    ...runOptionsSchema.safeParse(options).data,
    ...(own?.data as object | undefined),
  };
  for (const { run } of runs) {
    const { samples } = run.dataset;
    const asked = { suite, dataset: { ...dataset, samples }, options: whole };
    // A baseline of an older version may lack options.
    const stored = { options: { ...whole, ...run.options } };
    const differing = [
      ...differingSamples(run, asked),
      ...(known === undefined || run.suite !== suite ? [] : differingOptions(known, stored, asked)),
    ];
    if (differing.length > 0)
      throw incomparable(run.id, from, `they differ in ${differing.join("; ")}`);
    if (hasSimulatedJudges(judging) && !hasSimulatedJudges(run.judging)) {
      throw new BadInput(
        `the baseline ${run.id} (${from}) was judged by ${judgeModels(run.judging)}, but this run would be judged by simulated judges: set the key of that judge's provider, such as OPENAI_API_KEY`,
      );
    }
  }
}

const judgeModels = (judging: Run["judging"]): string => {
  const routes = Object.values(judging?.judges ?? {}).flatMap((judge) => judge.routes);
  return [...new Set(routes.map(({ model }) => model))].join(", ");
};

function incomparable(id: string, from: string, why: string): BadInput {
  const prompt = why.includes("dataset version") ? `. ${promptInSamples}` : "";
  return new BadInput(
    `the baseline ${id} (${from}) can't be compared with this run: ${why}. Make a new baseline with --save-baseline${prompt}`,
  );
}

const promptInSamples =
  "If only a prompt changed, and it is part of the samples, write it into the config as prompts: its changes then keep the dataset";

const nameOf = ({ run }: ScoredRun): string => modelName(run);

/**
 * Gates of runs against the baseline of the same model and variant, or against the only baseline. Throws BadInput if
 * they can't be compared.
 */
export function gatesOf(
  { runs, from }: Baseline,
  tested: readonly ScoredRun[],
  rules: GateRules,
): Gate[] {
  refuseUnknownMetrics({ runs, from }, rules);
  return tested.map((one) => {
    const name = nameOf(one);
    const base = runs.length === 1 ? runs[0] : runs.find((run) => nameOf(run) === name);
    if (base === undefined) {
      const known = runs.map(nameOf).join("; ");
      throw new BadInput(`the baseline ${from} has no run of ${name}; it has ${known}`);
    }
    const outcomes = gateRuns(suiteOf(base), base, one, rules);
    if (!outcomes.ok) throw incomparable(base.run.id, from, outcomes.error);
    return {
      suite: base.run.suite,
      dataset: one.run.dataset.name,
      base: { run: base.run.id, name: nameOf(base), at: base.run.finishedAt, from },
      tested: { run: one.run.id, name },
      changes: changesOf(base.run, one.run),
      isSimulated: [base, one].some(({ run }) => hasSimulatedJudges(run.judging)),
      outcomes: labelled(outcomes.value, gatedMetrics(suiteOf(base), base)),
    };
  });
}
