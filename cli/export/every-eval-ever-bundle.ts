import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { v4 as uuid } from "uuid";
import { z } from "zod";
import { wellFormed } from "#shared/contracts/text/well-formed.ts";
import type { Hosting } from "#shared/measures/every-eval-ever/run-identity.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { withOutput, writeWhole } from "../files/output-file.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { downloadedRows } from "./downloaded-rows.ts";

const modelSchema = z.looseObject({
  id: z.string(),
  additional_details: z.looseObject({
    deployment_type: z.string(),
    model_availability: z.string(),
    simulated: z.string().optional(),
  }),
});

const recordSchema = z.looseObject({
  evaluation_id: z.string(),
  model_info: modelSchema,
  evaluation_results: z.array(
    z.looseObject({
      source_data: z.looseObject({ dataset_name: z.string() }),
      metric_config: z.looseObject({
        llm_scoring: z
          .looseObject({ judges: z.array(z.looseObject({ model_info: modelSchema })) })
          .optional(),
      }),
    }),
  ),
});
type EvaluationRecord = z.infer<typeof recordSchema>;

/** The run to write and the destination. */
export interface BundleTask {
  service: ServiceClient;
  run: string;
  /** Folder of the bundle; files of an earlier export of the run are replaced. */
  folder: string;
  /** Undefined: from the service's data. */
  deployment: Hosting["deployment_type"] | undefined;
  weights: Hosting["model_availability"] | undefined;
  /** `owner/name` of the model in other tools; undefined: from the service's data. */
  model: string | undefined;
  stdout: Writable;
}

/** A written bundle. */
export interface WrittenBundle {
  /** Paths below the folder: the record, then its samples if they can be read. */
  files: string[];
  samples: number;
  /** Notes for the user. */
  notes: string[];
}

/**
 * Writes a run in the format of the Every Eval Ever datastore: `data/<collection>/<developer>/<model>/<uuid>.json` with
 * `<uuid>_samples.jsonl`, whose checksum is in the record. Throws BadInput.
 * Source: evaleval/every_eval_ever, validator/validation_core.py and converters/common/publication.py at 9bce413.
 */
export async function writeBundle(task: BundleTask): Promise<WrittenBundle> {
  const { service, run, folder } = task;
  const path = `/v1/runs/${encodeURIComponent(run)}/every-eval-ever`;
  const served = await service.get(`${path}.json`, recordSchema);
  const record = completed(served, task);
  const stem = recordStem(record);
  const samples = `${stem}_samples.jsonl`;
  try {
    mkdirSync(join(folder, stem, ".."), { recursive: true });
  } catch (error) {
    throw fileProblem(folder, error);
  }
  const saved = await saveSamples(
    task,
    `${path}.jsonl`,
    join(folder, samples),
    record.model_info.id,
  );
  const detailed =
    typeof saved === "string"
      ? {}
      : { detailed_evaluation_results: { ...detailsOf(samples), ...saved } };
  try {
    writeWhole(
      join(folder, `${stem}.json`),
      `${JSON.stringify({ ...record, ...detailed }, null, 2)}\n`,
    );
  } catch (error) {
    // The datastore refuses samples that no record names.
    rmSync(join(folder, samples), { force: true });
    throw error;
  }
  return {
    files: [`${stem}.json`, ...(typeof saved === "string" ? [] : [samples])],
    samples: typeof saved === "string" ? 0 : saved.total_rows,
    notes: [...(typeof saved === "string" ? [saved] : []), ...notesOn(record)],
  };
}

const detailsOf = (file_path: string) => ({ format: "jsonl", file_path, hash_algorithm: "sha256" });

/** Adds facts from flags that the service cannot know. Throws BadInput if a required fact is missing. */
function completed(
  record: EvaluationRecord,
  { deployment, weights, model }: BundleTask,
): EvaluationRecord {
  const { model_info: info } = record;
  const details = {
    ...info.additional_details,
    ...(deployment !== undefined && { deployment_type: deployment }),
    ...(weights !== undefined && { model_availability: weights }),
  };
  if (record.evaluation_results.length === 0) {
    throw new BadInput("no metric of the run has a value, so there is nothing to record");
  }
  if (deployment === undefined && details.deployment_type === "unknown") {
    throw new BadInput(
      "the datastore requires who ran the model: add --deployment self_deployed or externally_managed (or unknown)",
    );
  }
  if (weights === undefined && details.model_availability === "unknown") {
    throw new BadInput(
      "the datastore requires whether the model's weights are available: add --weights open_weights or closed_weights (or unknown)",
    );
  }
  return { ...record, model_info: { ...info, id: model ?? info.id, additional_details: details } };
}

/**
 * The path of a record in the datastore without extension. The UUID is derived from the evaluation's id, so an export
 * of the same run replaces the earlier one.
 */
function recordStem({ evaluation_id, evaluation_results, model_info }: EvaluationRecord): string {
  const [developer = "", ...name] = model_info.id.split("/");
  const collection = `assay-${evaluation_results[0]?.source_data.dataset_name}`;
  const parts = [collection, developer, name.join("_")].map(portable);
  if (parts.includes("")) {
    throw new BadInput(
      `"${model_info.id}" is not a model of a developer: give --model-id OWNER/NAME`,
    );
  }
  const random = createHash("sha256").update(evaluation_id).digest().subarray(0, 16);
  return ["data", ...parts, uuid({ random })].join("/");
}

const reserved = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/** A name that is valid on every file system; `data` and device names are reserved. */
function portable(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the datastore rejects them
  const safe = name.replace(/[<>:"/\\|?*\x00-\x1f]/g, "_").replace(/[. ]+$/, "");
  return reserved.test(safe) || safe === "data" ? `_${safe}` : safe;
}

/** Saves the samples with the record's model id; returns why if they can't be read. */
async function saveSamples(
  { service, stdout }: BundleTask,
  path: string,
  out: string,
  model: string,
): Promise<{ checksum: string; total_rows: number } | string> {
  try {
    return await withOutput({ out, stdout }, [], async (output) => {
      const hash = createHash("sha256");
      let total_rows = 0;
      for await (const row of downloadedRows(service, path)) {
        const line = oneLine(JSON.stringify(wellFormed({ ...row, model_id: model })));
        hash.update(`${line}\n`);
        output?.add(line);
        total_rows++;
      }
      if (total_rows === 0) throw new NoSamples("no sample has a score");
      return { checksum: hash.digest("hex"), total_rows };
    });
  } catch (error) {
    const isRefused =
      error instanceof ServiceError && [403, 410].includes(error.prospects.status ?? 0);
    if (!isRefused && !(error instanceof NoSamples)) throw error;
    // The datastore refuses samples that no record names.
    rmSync(out, { force: true });
    return `without samples: ${(error as Error).message}`;
  }
}

class NoSamples extends Error {}

/** Escapes characters that end a line in Python, which the datastore uses. */
const oneLine = (json: string): string =>
  json.replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function notesOn({ model_info, evaluation_results }: EvaluationRecord): string[] {
  const judges = evaluation_results.flatMap(
    ({ metric_config }) => metric_config.llm_scoring?.judges ?? [],
  );
  const isUnknown = ({ additional_details: details }: EvaluationRecord["model_info"]) =>
    details.deployment_type === "unknown" || details.model_availability === "unknown";
  const vague = new Set(judges.flatMap(({ model_info: of }) => (isUnknown(of) ? of.id : [])));
  return [
    ...(model_info.additional_details.simulated === "true"
      ? ["the model is simulated: its results are no contribution to the datastore"]
      : []),
    ...(vague.size > 0
      ? [`unknown for judges (deployment_type or model_availability): ${[...vague].join(", ")}`]
      : []),
  ];
}
