import { parse } from "node:path";
import type { Writable } from "node:stream";
import { type Dataset, datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import type { DatasetSource, SubmissionInput } from "../config/plan.ts";
import {
  type DatasetImport,
  type DatasetUpload,
  type ImportedDataset,
  importDataset,
  partOf,
} from "../dataset/import-dataset.ts";
import { BadInput } from "../errors.ts";
import { userCache } from "../local/state-folder.ts";
import { isThisMachine } from "../remote/service-access.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { ownerAt } from "../remote/start-runs.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { printable } from "../terminal/text.ts";
import { listed } from "./push-runs.ts";

/** A dataset that may be on Hugging Face, with or without `hf:`. */
const hubReference = /^(hf:)?([\w.-]+\/[\w.-]+)$/;

/** Whether a dataset is a local file, by its name. */
export const isDatasetFile = (dataset: string): boolean =>
  /^\.{0,2}\/|\.(jsonl|ndjson|json|csv|tsv|parquet)$/i.test(dataset);

/** Parts of a request that depend on the service. */
export interface RequestNeeds {
  source: DatasetSource;
  /** Folder for reused answers in the config, or null. */
  answersFolder: string | null;
}

/**
 * Adapts a request to a service: uploads a dataset file, imports a dataset of Hugging Face if a local service lacks it,
 * and reuses stored answers only at a local service. `isStarted`: the service was started for the request. Prints
 * differences to the request on `stderr`. Throws BadInput.
 */
export async function fitRequest(
  service: ServiceClient,
  request: SubmissionInput,
  { source, answersFolder }: RequestNeeds,
  isStarted: boolean,
  stderr: Writable,
): Promise<SubmissionInput> {
  const say = (line: string) => void stderr.write(`${printable(line)}\n`);
  const dataset = await datasetThere(service, request, source, stderr);
  const { reuseAnswers, ...options } = request.options ?? {};
  if (reuseAnswers !== true) return { ...request, dataset };
  if (!isThisMachine(new URL(service.origin).hostname)) {
    say("enable_caching has no effect: only a service on this machine reuses answers");
    return { ...request, dataset, options };
  }
  if (answersFolder !== null && !isStarted) {
    say(
      `performance.cache_dir has no effect: the service at ${service.origin} is already running with its own folder for answers`,
    );
  }
  return { ...request, dataset };
}

/** The reference of a request's dataset at a service, after an import if needed. */
async function datasetThere(
  service: ServiceClient,
  request: Pick<SubmissionInput, "suite" | "dataset" | "visibility">,
  source: DatasetSource,
  stderr: Writable,
): Promise<string> {
  const { suite, dataset } = request;
  if (isDatasetFile(dataset)) return uploadedFile(service, request, stderr);
  const [, prefix, name] = hubReference.exec(dataset) ?? [];
  const isHere = isThisMachine(new URL(service.origin).hostname);
  if (name === undefined || (prefix === undefined && !isHere)) return dataset;
  const known = referenceOf(await versionsOf(service, suite, name), source);
  if (known !== null) return known;
  if (!isHere) {
    throw new BadInput(
      `${service.origin} has no dataset ${name}: add it with assay dataset import ${dataset} --name ${name} --server ${service.origin}`,
    );
  }
  const version = await imported(service, suite, name, source, stderr).catch((error) => {
    if (!(error instanceof BadInput) || error instanceof ServiceError) throw error;
    throw new BadInput(
      `${service.origin} has no dataset ${name} of suite ${suite}, and it can't be imported: ${error.message}`,
    );
  });
  return referenceOf(await versionsOf(service, suite, name), source) ?? `${name}@${version}`;
}

type NamedVersion = Pick<Dataset, "name" | "version" | "source">;

/** All listed versions of a name, the newest first; without any, the version that the service would use. */
async function versionsOf(
  service: ServiceClient,
  suite: string,
  name: string,
): Promise<NamedVersion[]> {
  const all = await listed(service, { suite, name });
  if (all.length > 0) return all;
  const own = await listed(service, { suite, name, mine: "true" });
  return own.length > 0 ? own : exactly(service, suite, name);
}

/** Finds an unlisted dataset of another account, which only admins can find by name. */
async function exactly(service: ServiceClient, suite: string, name: string) {
  const path = `/v1/datasets/${encodeURIComponent(suite)}/${encodeURIComponent(name)}`;
  try {
    return [await service.get(path, datasetSchema)];
  } catch (error) {
    if (error instanceof ServiceError && error.prospects.status === 404) return [];
    throw error;
  }
}

/** The newest version of the requested part, or of an unknown part; null without a match. */
function referenceOf(
  versions: readonly NamedVersion[],
  { config, split }: DatasetSource,
): string | null {
  const known = versions.find(({ source = "" }) => {
    const [, ofConfig, ofSplit] = /#([^/]*)\/([^/]*)$/.exec(source) ?? [];
    if (ofConfig === undefined || ofSplit === undefined || split === null) return true;
    const part = { config: config ?? decodeURIComponent(ofConfig), split };
    return source.endsWith(partOf(part));
  });
  if (known === undefined) return null;
  return known === versions[0] ? known.name : `${known.name}@${known.version}`;
}

/** Imports a dataset of Hugging Face into a service; returns its version. Throws BadInput. */
async function imported(
  service: ServiceClient,
  suite: string,
  name: string,
  { config, split, cacheFolder }: DatasetSource,
  stderr: Writable,
): Promise<string> {
  const source = `hf:${name}`;
  const { checked, hub, uploaded } = await uploadedRows(
    { source, config, split, cacheFolder: cacheFolder ?? userCache("hugging-face") },
    { service, suite, name, visibility: "public" },
    stderr,
  );
  const part = `${hub?.config}/${hub?.split}`;
  const other = split === null || split === hub?.split ? "" : `, its only split, not ${split}`;
  const what = `imported ${counted(checked.samples, "sample")} of ${part}${other}`;
  const at = `at commit ${hub?.revision.slice(0, 12)}`;
  stderr.write(`${printable(`${source}: ${what}, ${at}${malformedText(checked)}`)}\n`);
  return uploaded?.version ?? "";
}

/** Uploads a file as a dataset of the account, named after the file, with the visibility of the runs. */
async function uploadedFile(
  service: ServiceClient,
  { suite, dataset: path, visibility = "unlisted" }: Parameters<typeof datasetThere>[1],
  stderr: Writable,
): Promise<string> {
  const owner = await ownerAt(service);
  const words = parse(path).name.replace(/[^A-Za-z0-9._-]+/g, "-");
  const name = `${owner}/${words.replace(/^[^A-Za-z0-9]+/, "").slice(0, 60) || "dataset"}`;
  const { checked, uploaded } = await uploadedRows(
    { source: path, config: null, split: null, cacheFolder: "" },
    // Null keeps the visibility of an existing dataset, which may be more visible than an unlisted run.
    { service, suite, name, visibility: visibility === "unlisted" ? null : visibility },
    stderr,
  );
  const count = `${counted(checked.samples, "sample")}${malformedText(checked)}`;
  stderr.write(`${printable(`${path}: ${count}, as dataset ${name}, ${uploaded?.visibility}`)}\n`);
  return `${name}@${uploaded?.version}`;
}

const malformedText = ({ malformed: { count } }: ImportedDataset["checked"]): string =>
  count === 0 ? "" : `, ${count} malformed left out`;

async function uploadedRows(
  from: Pick<DatasetImport, "source" | "config" | "split" | "cacheFolder">,
  { suite, ...to }: Pick<DatasetUpload, "service" | "name" | "visibility"> & { suite: string },
  stderr: Writable,
): Promise<ImportedDataset> {
  const line = progressLine(stderr);
  return importDataset({
    ...from,
    takesOnly: true,
    revision: null,
    out: null,
    stdout: stderr,
    suite: suiteNamed(suite),
    upload: { ...to, license: null, correction: null, clusters: null },
    onProgress: (done, total) => line.show(`${from.source}: ${done} of ${total} rows`),
  }).finally(line.clear);
}
