import { asObject } from "../../../contracts/json.ts";
import type { Metric } from "../../../contracts/metric.ts";
import type { Run } from "../../../contracts/run.ts";
import type { PlannedResult } from "../../../contracts/submissions/planned-test.ts";
import { differenceText } from "../figures/figure-text.ts";

type PlannedRun = Pick<
  Run,
  "options" | "dataset" | "progress" | "parent" | "status" | "plannedResult"
>;
type Catalogue = readonly Pick<Metric, "id" | "label" | "format">[];

/** A test that was planned before the first answer. */
export interface ShownPlan {
  /** Id of the baseline run. */
  against: string;
  text: string;
  /** The verdict with its figures, or why there is none. */
  result: string;
  /** Name of the parity whose verdict on the two runs is corrected for other runs; null: none. */
  parity: string | null;
  /** Deviations from the plan; empty: none. */
  deviations: string[];
  /** Differences between the two runs; empty: none, or unknown. */
  changes: string[];
}

const verdicts = {
  "no-worse": "no worse",
  worse: "worse",
  "not-shown": "not shown to be no worse",
  "too-few-samples": "too few samples can be compared",
} as const;

/**
 * The planned test of a run with its result and deviations; null without one. `metrics`: the suite's catalogue.
 * @example plannedTest(run, suite.metrics)?.text // "EQS no worse than run_01 by more than 0.02, on 72 samples of version 3f9a1c2b7d10"
 */
export function plannedTest(run: PlannedRun, metrics: Catalogue): ShownPlan | null {
  const { options, dataset, progress, parent, status, plannedResult } = run;
  const { metric, margin, against, samples } = asObject(options["plannedTest"]);
  if (typeof against !== "string") return null;
  const { total, done, failed } = progress;
  const version = dataset.version.slice(0, 12);
  const shown = metrics.find(({ id }) => id === metric);
  const count = Number(samples ?? total);
  const compared = plannedResult?.result?.samples ?? count;
  const { changes = [], tests, retries = 0, parity } = plannedResult ?? {};
  const deviations = [
    ...(status !== "finished" ? [`the run is ${status}`] : []),
    ...(done < total ? [`${done} of ${total} answers were evaluated`] : []),
    ...(failed > 0 ? [`${failed} of ${total} requests failed, and count as 0`] : []),
    ...(retries > 0 ? [`failed or missing parts were requested again (retries: ${retries})`] : []),
    ...(compared < count ? [`${compared} of ${count} samples were compared`] : []),
    ...(parent !== null ? ["it was scored again after its answers were known"] : []),
  ];
  const which =
    tests === undefined || tests.of < 2
      ? ""
      : `; test ${tests.number} of ${tests.of} that its account planned against that run`;
  const text = `${shown?.label ?? metric} no worse than ${against} by more than ${margin}, on ${count} samples of version ${version}${which}`;
  const alone =
    parity === undefined
      ? ""
      : `; not corrected for other runs, unlike the verdict in parity ${parity}`;
  const result = `${resultText(run, shown?.format)}${alone}`;
  return { against, text, result, deviations, changes, parity: parity ?? null };
}

function resultText(
  { status, plannedResult }: Pick<PlannedRun, "status" | "plannedResult">,
  format: Metric["format"] = "score",
): string {
  if (plannedResult === undefined) return status === "finished" ? "not known" : "not yet";
  const { result, note } = plannedResult;
  return result === null ? (note ?? "not yet") : figuresText(result, format);
}

function figuresText(
  { verdict, difference, interval, samples }: NonNullable<PlannedResult["result"]>,
  format: Metric["format"],
): string {
  const ends = interval?.map((end) => differenceText(end, format)).join(" to ");
  const around = ends === undefined ? "" : `, 95% interval ${ends}`;
  return `${verdicts[verdict]}: difference ${differenceText(difference, format)}${around}, on ${samples} samples`;
}
