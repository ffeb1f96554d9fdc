import type { Json } from "../../contracts/json.ts";
import type { Judge } from "../../contracts/judging/judge.ts";
import type { Metric } from "../../contracts/metric.ts";
import type { Run } from "../../contracts/run.ts";
import type { Suite } from "../../contracts/suite.ts";
import { servedIds } from "../performance/served-models.ts";
import { provenanceText } from "../report/run/provenance-text.ts";
import { suiteOptions } from "../suite-options.ts";
import {
  epochText,
  evaluationId,
  evaluationName,
  hostingOf,
  judgeHosting,
  modelId,
  recordedModel,
  resultId,
  SCHEMA_VERSION,
} from "./run-identity.ts";

/** Inputs of a record in addition to the run. */
interface RecordFacts {
  /** Address of the service: scheme and host. */
  origin: string;
  /** By metric id, the judge and its prompt; only for judges that call a model. */
  judged: ReadonlyMap<string, JudgedMetric>;
  /** Page of the dataset's rows; null if they are not public. */
  source: string | null;
}

/**
 * A finished run as an Every Eval Ever record: every metric that has a value, with its interval, n and scale. Times
 * are those of the run, so a run always gives the same record.
 * Source: evaleval/every_eval_ever, eval.schema.json 0.3.0.
 * @example evaluationRecord(run, suite, facts).evaluation_results[0].metric_config.metric_id // "assay.extraction.eqs"
 */
export function evaluationRecord(run: Run, suite: Suite, { origin, judged, source }: RecordFacts) {
  const finished = run.finishedAt ?? run.createdAt;
  return {
    schema_version: SCHEMA_VERSION,
    evaluation_id: evaluationId(run),
    evaluation_timestamp: epochText(run.startedAt ?? finished),
    retrieved_timestamp: epochText(finished),
    source_metadata: sourceOf(run, origin),
    eval_library: {
      name: "assay",
      version: `${suite.id}-${run.suiteVersion}`,
      additional_details: {
        suite: suite.label,
        scoring_version: run.scoringVersion,
        ...(run.codeRevision !== null && { code_revision: run.codeRevision }),
      },
    },
    model_info: modelOf(run),
    evaluation_results: suite.metrics.flatMap((metric) =>
      resultOf(run, suite, metric, judged.get(metric.id) ?? null, source),
    ),
  };
}

function sourceOf(run: Run, origin: string) {
  return {
    source_name: "Assay",
    source_type: "evaluation_run",

    source_organization_name: origin.replace(/^https?:\/\//, ""),
    source_organization_url: origin,
    // Submitters may not be the makers of a model.
    evaluator_relationship: "other",
    additional_details: {
      provenance: run.provenance.kind,
      ...(run.provenance.runner && { runner: provenanceText(run.provenance) }),
      run: run.id,
      ...(run.links.report !== null && { report: `${origin}${run.links.report}` }),
    },
  };
}

function modelOf(run: Run) {
  const { model, provenance, hybrid } = run;
  const { parameters, quantization, license, url, simulated, asked = [] } = model;
  const known = {
    model_id: asked.join("; ") || null,
    served_model_ids: servedIds(model).join("; ") || null,
    parameters,
    quantization,
    license,
    url,
    cloud_host: hybrid?.cloudHost ?? null,
  };
  const details = Object.entries(known).filter((entry) => entry[1] !== null);
  return {
    ...recordedModel(model.name, modelId(model), hostingOf(run), {
      ...Object.fromEntries(details as [string, string][]),
      simulated: `${simulated}`,
    }),
    ...(provenance.endpointHost !== null && { inference_platform: provenance.endpointHost }),
  };
}

function resultOf(
  run: Run,
  suite: Suite,
  metric: Metric,
  judged: JudgedMetric | null,
  source: string | null,
) {
  const estimate = run.metrics?.[metric.id];
  if (estimate === undefined || estimate.value === null) return [];
  const { value, interval, n, coverage } = estimate;
  return [
    {
      evaluation_result_id: resultId(run, metric.id),
      evaluation_name: evaluationName(run),
      source_data: dataOf(run, source),
      metric_config: metricConfig(run, metric, judged),
      score_details: {
        score: value,
        details: { coverage: `${coverage}`, headline: `${metric.id === run.headline}` },
        uncertainty: { ...(interval !== null && intervalOf(interval)), num_samples: n },
      },
      generation_config: generationOf(run, suite),
    },
  ];
}

const hubDataset =
  /^https:\/\/huggingface\.co\/datasets\/([\w.-]+(?:\/[\w.-]+)??)(?:\/(?:tree|blob)\/.*)?\/?$/;

function dataOf({ dataset, progress }: Run, source: string | null) {
  const { name, version, samples } = dataset;
  const its = {
    dataset_name: name,
    additional_details: {
      version,
      samples: `${samples}`,
      evaluated: `${progress.total}`,
      ...(source !== null && { source }),
    },
  };
  const hf_repo = hubDataset.exec(source ?? "")?.[1];
  if (hf_repo !== undefined) {
    return { ...its, source_type: "hf_dataset", hf_repo, samples_number: samples };
  }
  return source === null
    ? { ...its, source_type: "other" }
    : { ...its, source_type: "url", url: [source] };
}

const method = "Wilson's score for rates, order statistics for percentiles, bootstrap for the rest";

const intervalOf = ([lower, upper]: readonly [number, number]) => ({
  confidence_interval: { lower, upper, confidence_level: 0.95, method },
});

/** Options for which the record schema has its own names. */
const ownNames = new Set(["temperature", "topP", "maxTokens"]);

/** Options under the names of the record schema; the others as text. */
function generationOf({ options, provenance }: Run, suite: Suite) {
  const { settings = {}, protocol } = provenance;
  // The model's settings override the run's options.
  const asked: Record<string, unknown> = { ...options, ...settings, protocol };
  const isCalled = provenance.kind !== "self-reported";
  // For answers that were submitted or came from a program, only the stated settings are known.
  const { temperature, topP, maxTokens } = isCalled ? asked : settings;
  const parsed = suite.optionsSchema.safeParse(suiteOptions(options));
  const prompt: Json = parsed.success ? suite.prompt(parsed.data) : null;
  const args = { temperature, top_p: topP, max_tokens: maxTokens };
  const others = Object.entries(asked)
    .filter(([name]) => !ownNames.has(name))
    .map(([name, value]) => [name, JSON.stringify(value)]);
  return {
    generation_args: {
      ...Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value === "number")),
      ...(prompt !== null && isCalled && { prompt_template: JSON.stringify(prompt) }),
    },
    additional_details: Object.fromEntries(others.filter(([, text]) => text !== undefined)),
  };
}

const units: Readonly<Record<Metric["unit"], string>> = {
  ratio: "proportion",
  level: "points",
  ms: "ms",
  count: "count",
  usd: "usd",
  tokens: "tokens",
};

/** Ends of a unit's scale. */
const bounds: Readonly<Partial<Record<Metric["unit"], readonly [number, number]>>> = {
  ratio: [0, 1],
  level: [1, 5],
};

/** Facts about a judged metric for the record. */
interface JudgedMetric {
  /** Its judge in the suite's code. */
  judge: Judge;
  /** The judge's prompt. */
  prompt: string;
}

/**
 * The config of a catalogue metric in a record, with its judges if a model was asked.
 * @example metricConfig(run, metric, null).lower_is_better // metric.better === "lower"
 */
function metricConfig(
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
    model_info: recordedModel(model, `${provider}/${model}`, judgeHosting(provider), {
      simulated: `${simulated}`,
    }),
    temperature: 0,
  }));
  // With "majority", only labels are voted on, not values; the schema has no term for that.
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
