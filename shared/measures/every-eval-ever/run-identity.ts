import type { Run } from "../../contracts/run.ts";

/** The version of the records' schema. Source: evaleval/every_eval_ever, eval.schema.json. */
export const SCHEMA_VERSION = "0.3.0";

type Named = Pick<Run, "id" | "suite" | "model" | "dataset">;

/**
 * A run's name among all evaluations: the same whenever it is written.
 * @example evaluationId(run) // "assay/extraction/acme/large/run_01"
 */
export const evaluationId = ({ id, suite, model }: Named): string =>
  `assay/${suite}/${model.slug}/${id}`;

/** A metric of a run among all results, by which records of samples are joined to it. */
export const resultId = (run: Named, metric: string): string => `${evaluationId(run)}/${metric}`;

/** The evaluation as other tools list it. */
export const evaluationName = ({ suite, dataset }: Named): string =>
  `assay.${suite}.${dataset.name}`;

/** Seconds of the Unix epoch as text. */
export const epochText = (iso: string): string => `${Math.floor(Date.parse(iso) / 1000)}`;

/**
 * A model in a record. Who runs it and whether its weights are open is not asked of submitters.
 * @example recordedModel("Large", "acme/large", {}).id // "acme/large"
 */
export function recordedModel(name: string, id: string, details: Readonly<Record<string, string>>) {
  const unknown = { deployment_type: "unknown", model_availability: "unknown" };
  return { name, id, additional_details: { ...unknown, ...details } };
}
