import { stringify } from "yaml";
import { type Dataset, datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";

/** Facts that are not part of the run. */
export interface HubFacts {
  /** `owner/name` of the benchmark's dataset on Hugging Face; undefined: the run's dataset, if imported from there. */
  dataset: string | undefined;
  /** Id of the task in the dataset's `eval.yaml`; undefined: the suite's id. */
  task: string | undefined;
  /** Undefined: the headline. */
  metric: string | undefined;
  /** Configuration and split of the dataset; undefined: the defaults of Hugging Face. */
  config: string | undefined;
  split: string | undefined;
}

/**
 * A run's result for the folder `.eval_results` of its model on Hugging Face.
 * Throws BadInput for a run without the metric, or with a dataset that is not on Hugging Face.
 * Source: huggingface/hub-docs, eval_results.yaml at 242f4a1.
 */
export async function evalResultsYaml(
  service: ServiceClient,
  id: string,
  { dataset: named, task, metric }: HubFacts,
): Promise<string> {
  const { run, dataset } = await runOf(service, id);
  const [own, revision] = hubPage.exec(dataset?.source ?? "")?.slice(1) ?? [];
  const hubId = named ?? own;
  if (hubId === undefined) {
    throw new BadInput(
      `${run.dataset.name} is not from Hugging Face: name the benchmark's dataset there with --hub-dataset OWNER/NAME`,
    );
  }
  const chosen = metric ?? run.headline;
  const estimate = run.metrics?.[chosen];
  if (estimate === undefined || estimate.value === null) {
    const known = Object.entries(run.metrics ?? {}).filter(([, { value }]) => value !== null);
    const list = known.map(([name]) => name).join(", ");
    throw new BadInput(
      `run ${run.id} has no value of ${chosen}; its metrics: ${list || "none yet"}`,
    );
  }
  const { report } = run.links;
  const page =
    report !== null && service.origin.startsWith("https:") ? `${service.origin}${report}` : null;
  return inYaml([
    {
      dataset: {
        id: hubId,
        task_id: task ?? run.suite,
        ...(hubId === own && revision !== undefined && { revision }),
      },
      value: estimate.value,
      ...(run.finishedAt !== null && { date: run.finishedAt }),
      ...(page !== null && { source: { url: page, name: "Assay report" } }),
      notes: notesOn(run, chosen),
    },
  ]);
}

function notesOn(run: Run, metric: string): string {
  const label = suiteById(run.suite)?.metrics.find(({ id }) => id === metric)?.label ?? metric;
  const { interval = null, n } = run.metrics![metric]!;
  const ends = interval?.map((end) => Number(end.toPrecision(4))).join(" to ");
  return [
    label,
    ...(ends === undefined ? [] : [`95% interval ${ends}`]),
    `n ${n}`,
    run.provenance.kind === "self-reported"
      ? "self-reported answers"
      : provenanceText(run.provenance),
    ...(run.model.simulated ? ["simulated model"] : []),
  ].join(", ");
}

/**
 * `eval.yaml` of a run's dataset, which makes it a benchmark on Hugging Face. Throws BadInput.
 * Source: huggingface/hub-docs, docs/hub/eval-results.md at 242f4a1.
 */
export async function evalYaml(
  service: ServiceClient,
  id: string,
  { task, config, split }: HubFacts,
): Promise<string> {
  const { run } = await runOf(service, id);
  const suite = suiteById(run.suite);
  return inYaml({
    name: run.dataset.name,
    description: suite === undefined ? run.suite : `${suite.label}: ${suite.question}`,
    evaluation_framework: "assay",
    tasks: [
      {
        id: task ?? run.suite,
        ...(config !== undefined && { config }),
        ...(split !== undefined && { split }),
      },
    ],
  });
}

const hubPage =
  /^https:\/\/huggingface\.co\/datasets\/([\w.-]+(?:\/[\w.-]+)??)(?:\/(?:tree|blob)\/([0-9a-f]{40})(?:\/.*)?)?\/?$/;

/** A finished run and its dataset, which is null if deleted or not visible. */
async function runOf(
  service: ServiceClient,
  id: string,
): Promise<{ run: Run; dataset: Dataset | null }> {
  const run = await service.get(`/v1/runs/${encodeURIComponent(id)}`, runSchema);
  const { name, version } = run.dataset;
  const path = `/v1/datasets/${run.suite}/${name}@${version}`;
  const dataset = await service.get(path, datasetSchema).catch((error) => {
    if (error instanceof ServiceError && error.prospects.status === 404) return null;
    throw error;
  });
  return { run, dataset };
}

/** Quotes texts such as dates and `no`, which YAML 1.1 would not parse as text. */
const inYaml = (value: unknown): string => stringify(value, { version: "1.1", lineWidth: 0 });
