import { asObject } from "../../../contracts/json.ts";
import type { Run } from "../../../contracts/run.ts";

type PlannedRun = Pick<Run, "options" | "dataset" | "progress" | "parent" | "status">;

/** A test that was planned before the first answer. */
export interface ShownPlan {
  /** Id of the run that it is against. */
  against: string;
  text: string;
  /** What differs from the plan; empty: nothing. */
  deviations: string[];
}

/**
 * The planned test of a run, and what differs from it; null without one.
 * @example plannedTest(run)?.text // "eqs no worse than run_01 by more than 0.02, on 72 samples of version 3f9a1c2b7d10"
 */
export function plannedTest({
  options,
  dataset,
  progress,
  parent,
  status,
}: PlannedRun): ShownPlan | null {
  const { metric, margin, against } = asObject(options["plannedTest"]);
  if (typeof against !== "string") return null;
  const { total, done, failed } = progress;
  const version = dataset.version.slice(0, 12);
  const deviations = [
    ...(status !== "finished" ? [`the run is ${status}`] : []),
    ...(done < total ? [`${done} of ${total} samples were evaluated`] : []),
    ...(failed > 0 ? [`${failed} of ${total} requests failed, and count as 0`] : []),
    ...(parent !== null ? ["it was scored again after its answers were known"] : []),
  ];
  const text = `${metric} no worse than ${against} by more than ${margin}, on ${total} samples of version ${version}`;
  return { against, text, deviations };
}
