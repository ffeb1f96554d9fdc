import type { Judge } from "../../contracts/judging/judge.ts";
import type { Metric } from "../../contracts/metric.ts";
import type { Run } from "../../contracts/run.ts";
import { recordedModel } from "./recorded-model.ts";

const units: Readonly<Record<Metric["unit"], string>> = {
  ratio: "proportion",
  level: "points",
  ms: "ms",
  count: "count",
  usd: "usd",
  tokens: "tokens",
};

/** The ends of what a unit can be. */
const bounds: Readonly<Partial<Record<Metric["unit"], readonly [number, number]>>> = {
  ratio: [0, 1],
  level: [1, 5],
};

/** What a record says of a metric that is judged. */
export interface JudgedMetric {
  /** Its judge in the suite's code. */
  judge: Judge;
  /** The judge's prompt. */
  prompt: string;
}

/**
 * A metric of the catalogue in a record; with who judged it, where a model was asked.
 * @example metricConfig(run, metric, null).lower_is_better // metric.better === "lower"
 */
export function metricConfig(
  run: Pick<Run, "suite" | "judging" | "options">,
  metric: Metric,
  judged: JudgedMetric | null,
): object {
  const [min, max] = bounds[metric.unit] ?? [0, "Infinity"];
  return {
    evaluation_description: metric.definition,
    metric_id: `assay.${run.suite}.${metric.id}`,
    metric_name: metric.label,
    metric_unit: units[metric.unit],
    lower_is_better: metric.better === "lower",
    score_type: "continuous",
    min_score: min,
    max_score: max,
    ...scoringBy(run, judged),
  };
}

function scoringBy(
  { judging, options }: Pick<Run, "judging" | "options">,
  judged: JudgedMetric | null,
) {
  const its = judged && judging?.judges[judged.judge.id];
  if (!its || its.routes.length === 0) return {};
  const judges = its.routes.map(({ provider, model, simulated }) => ({
    model_info: recordedModel(model, `${provider}/${model}`, { simulated: `${simulated}` }),
    temperature: 0,
  }));
  // Of a majority, labels are voted on and values are not; there is no word for that.
  const isMedian = judges.length > 1 && options["panelRule"] !== "majority";
  return {
    llm_scoring: {
      judges,
      input_prompt: judged.prompt,
      ...(isMedian && { aggregation_method: "median" }),
      additional_details: { prompt_hash: its.promptHash, chosen_by: its.by },
    },
  };
}
