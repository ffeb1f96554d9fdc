import type { Ports } from "../platform/ports.ts";
import type { RunWork } from "./run-work.ts";

/**
 * A sample of a run by its place in the plan, as its suite takes it. Throws where the stored row is
 * malformed.
 */
export async function sampleBody(
  ports: Pick<Ports, "datasets">,
  { run, plan, suite }: Pick<RunWork, "run" | "plan" | "suite">,
  sample: number,
): Promise<unknown> {
  const row = await ports.datasets.row(
    run.suite,
    run.datasetVersion,
    plan.positions[sample] as number,
  );
  const checked = checkedRows.get(row as object) ?? suite.checkSample(row);
  if (!checked.ok) throw new Error(`stored row of ${run.datasetName} is malformed`);
  checkedRows.set(row as object, checked);
  return checked.value.sample;
}

/** Rows live in the dataset cache; checking compiles schemas, so once per cached row is enough. */
const checkedRows = new WeakMap<object, ReturnType<RunWork["suite"]["checkSample"]>>();
