import { Buffer } from "node:buffer";
import type { Writable } from "node:stream";
import { bounds } from "#shared/contracts/bounds.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import {
  type Dataset,
  datasetSchema,
  type ListedDataset,
  listedDatasetSchema,
  type Visibility,
} from "#shared/contracts/datasets/dataset.ts";
import type { Run } from "#shared/contracts/run.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runsOf, runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { everyPage } from "../remote/service-client.ts";
import { idempotentCall, ownerAt, startedSchema } from "../remote/start-runs.ts";

/** Request settings, which do not matter for scoring. */
const asking = [
  "concurrency",
  "timeoutMs",
  "maxRetries",
  "maxCostUsd",
  "sweep",
  "reuseAnswers",
  "plannedTest",
];

/** Destination of locally created answers. */
export interface PushTarget {
  service: ServiceClient;
  /** Whether a missing dataset is uploaded. */
  mayUpload: boolean;
  visibility: Visibility;
}

/** Result of publishing one run. */
export interface PushedRun {
  /** Id of the local run; `run` is the published run. */
  from: string;
  run: Run;
}

/**
 * Publishes the answers of finished runs, as self-reported ones, and waits until they are scored. The idempotency
 * key is derived from the content, so that repeated attempts within a day publish a run once. Throws BadInput.
 */
export async function pushRuns(
  here: ServiceClient,
  { service, mayUpload, visibility }: PushTarget,
  runs: readonly Run[],
  stderr: Writable,
): Promise<PushedRun[]> {
  const pushed: PushedRun[] = [];
  for (const run of runs.filter(({ status }) => status === "finished")) {
    const { version, name } = run.dataset;
    const own = { suite: run.suite, name, version, visibility };
    const there = await publishedDataset(here, service, own, {
      mayUpload,
      isDry: false,
      print: (line) => void stderr.write(`${line}\n`),
    });
    const head = pushedHead(run, there, visibility);
    const key = contentHash({
      run: run.id,
      finishedAt: run.finishedAt,
      head: JSON.stringify(head),
    });
    const { id, runs: made } = await idempotentCall(key, (headers) =>
      service.stream("/v1/submissions", answersBody(here, run, head), startedSchema, headers),
    );
    const advice = `${service.origin} continues; assay status ${id} --wait --server ${service.origin} follows it`;
    const ids = made.map((one) => one.id);
    await followSubmission(service, ids, advice, stderr);
    for (const one of await runsOf(service, ids)) pushed.push({ from: run.id, run: one });
  }
  return pushed;
}

/** A version of a dataset, and its visibility if uploaded. */
type Version = Pick<Dataset, "suite" | "name" | "version" | "visibility">;

interface Upload {
  mayUpload: boolean;
  /** Only checks, without an upload. */
  isDry: boolean;
  print?: (line: string) => void;
}

/**
 * The reference of a dataset with the same samples at a service, by the hash of their content; uploaded there if
 * requested. Throws BadInput if the service does not have it.
 */
async function publishedDataset(
  here: ServiceClient,
  there: ServiceClient,
  { suite, name, version, visibility }: Version,
  { mayUpload, isDry, print = () => {} }: Upload,
): Promise<string> {
  const same = await listed(there, { suite, version });
  const known = same.find((one) => one.name === name) ?? same[0];
  const reference = `${known?.name ?? name}@${version}`;
  if (known !== undefined || (isDry && mayUpload)) return reference;
  if (!mayUpload) {
    throw new BadInput(
      `${there.origin} has no dataset with the samples of ${name} (version ${version.slice(0, 12)}): add --push-dataset to upload it, as unlisted unless --visibility says otherwise`,
    );
  }
  const own = new URLSearchParams({ suite, dataset: `${name}@${version}` });
  const rows = await new Response(await here.download(`/v1/dataset.jsonl?${own}`)).arrayBuffer();
  const owner = await ownerAt(there);
  // Names of an account's datasets start with the account.
  const named = name.startsWith(`${owner}/`) ? name : `${owner}/${name.split("/").at(-1)}`;
  const query = new URLSearchParams({ suite, name: named, visibility });
  const value = await there.upload(`/v1/datasets?${query}`, Buffer.from(rows), datasetSchema);
  if (value.version !== version) {
    throw new BadInput(
      `${there.origin} calculates version ${value.version.slice(0, 12)} of ${name}, not ${version.slice(0, 12)}: does it run this version?`,
    );
  }
  print(`uploaded the dataset ${value.name} to ${there.origin}, ${value.visibility}`);
  return `${value.name}@${version}`;
}

/** Datasets of a service that match a query, the newest version first. */
export const listed = (
  service: ServiceClient,
  query: Record<string, string>,
): Promise<ListedDataset[]> =>
  everyPage(service, `/v1/datasets?${new URLSearchParams(query)}`, "datasets", listedDatasetSchema);

/** A submission of a run's answers, without the answers. */
function pushedHead(run: Run, dataset: string, visibility: Visibility) {
  const { name, url, license, parameters, quantization, simulated } = run.model;
  const card = { url, license, parameters, quantization, promptHash: run.promptHash };
  const { hybridOptions = [] } = suiteById(run.suite) ?? {};
  const left = new Set([...asking, ...hybridOptions]);
  return {
    suite: run.suite,
    dataset,
    visibility,
    options: Object.fromEntries(Object.entries(run.options).filter(([key]) => !left.has(key))),
    model: {
      name,
      ...Object.fromEntries(Object.entries(card).filter(([, value]) => value !== null)),
      ...(simulated && { simulated }),
      ...(run.prices && { prices: run.prices }),
    },
  };
}

/** Generates the submission as JSON while the answers are read. Throws BadInput if it is too large. */
async function* answersBody(
  here: ServiceClient,
  run: Run,
  { model, ...head }: ReturnType<typeof pushedHead>,
): AsyncGenerator<string> {
  const path = `/v1/runs/${encodeURIComponent(run.id)}/answers.jsonl`;
  const { name, ...card } = model;
  const opening = JSON.stringify({ ...head, models: [{ name, ...card, answers: [] }] });
  const at = opening.lastIndexOf("[]") + 1;
  yield opening.slice(0, at);
  let bytes = opening.length;
  let isFirst = true;
  for await (const line of linesOf(await here.download(path))) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bounds.bodyBytes) {
      throw new BadInput(
        `${run.id}: its answers take more than ${bounds.bodyBytes >> 20} MB, the limit of a service: publish fewer with --sample`,
      );
    }
    yield isFirst ? line : `,${line}`;
    isFirst = false;
  }
  yield opening.slice(at);
}

/** Non-empty lines of a stream. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}

/** Checks before any model is called whether its answers can be published. Throws BadInput. */
export async function refuseUnpushable(
  here: ServiceClient,
  { service, mayUpload }: PushTarget,
  { suite, dataset }: Pick<SubmissionInput, "suite" | "dataset">,
): Promise<void> {
  if (here.origin === service.origin) {
    throw new BadInput(`--push ${service.origin}: the models are already evaluated there`);
  }
  // An unlisted dataset is looked up after the run, which states its version.
  const own = await namedDataset(here, suite, dataset);
  if (own !== null) await publishedDataset(here, service, own, { mayUpload, isDry: true });
}

/** The listed dataset with a name, or name@version; null if not found. */
async function namedDataset(
  service: ServiceClient,
  suite: string,
  reference: string,
): Promise<ListedDataset | null> {
  const [name = "", version = ""] = reference.split("@");
  const all = await listed(service, { suite, name });
  return all.find((one) => one.version.startsWith(version)) ?? null;
}

/** The published runs as a table. */
export function pushedText(pushed: readonly PushedRun[]): string {
  if (pushed.length === 0) return "nothing was published: no run finished";
  const from = pushed.map((one) => `${one.run.id} has the answers of ${one.from}`);
  return ["published, as self-reported:", runsText(pushed.map(({ run }) => run)), ...from].join(
    "\n",
  );
}
