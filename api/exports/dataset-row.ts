import type { RunWork } from "../engine/run-work.ts";
import type { Ports } from "../platform/ports.ts";

/** The dataset's row of a place in the run. */
export function datasetRow(
  ports: Pick<Ports, "datasets">,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  seq: number,
): Promise<unknown> {
  const position = plan.positions[Math.floor(seq / plan.repeats)] ?? 0;
  return ports.datasets.row(run.suite, run.datasetVersion, position);
}
