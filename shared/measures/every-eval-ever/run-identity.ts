import type { Run } from "../../contracts/run.ts";

/** The version of the records' schema. Source: evaleval/every_eval_ever, eval.schema.json. */
export const SCHEMA_VERSION = "0.3.0";

type Named = Pick<Run, "id" | "suite" | "model" | "dataset">;

/**
 * A run's globally unique id; the same in every export.
 * @example evaluationId(run) // "assay/extraction/acme/large/run_01"
 */
export const evaluationId = ({ id, suite, model }: Named): string =>
  `assay/${suite}/${model.slug}/${id}`;

/** Id of a run's result for a metric, which sample records refer to. */
export const resultId = (run: Named, metric: string): string => `${evaluationId(run)}/${metric}`;

/** Name of the evaluation in other tools. */
export const evaluationName = ({ suite, dataset }: Named): string =>
  `assay.${suite}.${dataset.name}`;

/** A time in seconds of the Unix epoch, as text. */
export const epochText = (iso: string): string => `${Math.floor(Date.parse(iso) / 1000)}`;

/**
 * A model in a record. Submitters are not asked who runs it or whether its weights are open.
 * @example recordedModel("Large", "acme/large", {}).id // "acme/large"
 */
export function recordedModel(name: string, id: string, details: Readonly<Record<string, string>>) {
  const unknown = { deployment_type: "unknown", model_availability: "unknown" };
  return { name, id, additional_details: { ...unknown, ...details } };
}
