import { z } from "zod";
import {
  type Dataset,
  datasetNameSchema,
  datasetSchema,
  datasetVisibilityChangeSchema,
  deletedDatasetSchema,
  type ListedDataset,
  listedDatasetSchema,
  visibilitySchema,
} from "#shared/contracts/datasets/dataset.ts";
import { datasetTimelineSchema } from "#shared/contracts/drift/drift.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { command, jsonFlag, valueFlag } from "../../command-line/command.ts";
import { suiteIds } from "../../command-line/suite-choice.ts";
import { BadInput } from "../../errors.ts";
import { everyPage, type ServiceClient } from "../../remote/service-client.ts";
import { ServiceError } from "../../remote/service-error.ts";
import {
  keyVariable,
  serviceCommand,
  serviceFlags,
  serviceOf,
} from "../../remote/service-flags.ts";
import { timelineText } from "../../remote/timeline-text.ts";
import { formatCount, printable, textTable } from "../../terminal/text.ts";
import { plannedText, visibilityLevel } from "../share.ts";

const suite = valueFlag("SUITE", "Only datasets of this suite", { choices: suiteIds });
const shownSchema = datasetSchema.extend({
  otherVersions: z.array(z.string()).meta({ description: "of the same name, newest first" }),
});
const showFlags = { suite, ...serviceFlags, json: jsonFlag(shownSchema) } as const;
const suiteOfOne = {
  ...suite,
  help: "Suite of the dataset; required if datasets of two suites have the name",
};
const deleteFlags = {
  suite: suiteOfOne,
  yes: { type: "boolean", help: "Delete it; without this flag, only list what would be deleted" },
  ...serviceFlags,
  json: jsonFlag(
    deletedDatasetSchema.extend({
      deleted: z.boolean().meta({ description: "false: without --yes, nothing is" }),
    }),
  ),
} as const;
const scope = "submit";
const reference = {
  name: "dataset",
  help: "NAME or NAME@VERSION, the version by at least 6 digits; assay dataset list prints them",
} as const;

/** Enough digits to distinguish versions. */
const VERSION_DIGITS = 12;

const head = ["name", "suite", "version", "samples", "malformed", "warnings", "created"];
const numbers = ["samples", "malformed", "warnings"];

/** `assay dataset list`: the public datasets of a service. */
export const datasetListCommand = serviceCommand({
  name: "dataset list",
  summary: "list the public datasets of a service, or your own",
  description: [
    "Lists the public datasets of a service with all versions, newest first. With --mine, lists all datasets of your account instead.",
  ],
  flags: {
    suite,
    mine: { type: "boolean", help: "List your datasets, including unlisted and private ones" },
  },
  scope,
  result: z.array(listedDatasetSchema),
  call: (service, values) =>
    listed(service, { ...ofSuite(values.suite), ...(values.mine && { mine: "true" }) }),
  text: datasetsText,
});

function listed(
  service: ServiceClient,
  query: Readonly<Record<string, string>>,
): Promise<ListedDataset[]> {
  const text = new URLSearchParams(query).toString();
  return everyPage(service, `/v1/datasets${text && `?${text}`}`, "datasets", listedDatasetSchema);
}

const ofSuite = (suite: string | undefined): Record<string, string> =>
  suite === undefined ? {} : { suite };

/** Datasets as a table. */
function datasetsText(datasets: readonly ListedDataset[]): string {
  const rows = datasets.map((one) => [
    one.name,
    one.suite,
    one.version.slice(0, VERSION_DIGITS),
    formatCount(one.samples),
    formatCount(one.malformedCount),
    formatCount(one.warningCount),
    one.createdAt.slice(0, "2026-01-01".length),
  ]);
  const isText = (column: number) => !numbers.includes(head[column]!);
  return textTable([head, ...rows], isText)
    .map(printable)
    .join("\n");
}

/** `assay dataset show`: details of one dataset of a service. */
export const datasetShowCommand = command({
  name: "dataset show",
  summary: "show a dataset of a service: samples, warnings, versions",
  description: [
    "Shows a dataset of a service, your own or a public one: its samples, malformed samples, warnings and other versions. Without a version, shows the newest.",
  ],
  positionals: [reference],
  flags: showFlags,
  environment: keyVariable,
  examples: ["assay dataset show stock", "assay dataset show acme/invoices@3f9a1c --json"],
  async run(values, [named], { stdout }) {
    const service = serviceOf(values, scope);
    const { dataset: known, others } = await oneOf(service, values.suite, named);
    const path = pathOf(known.suite, `${known.name}@${known.version}`);
    const dataset = await service.get(path, datasetSchema);
    const otherVersions = others.map((other) => other.version);
    const json = () => showFlags.json.text({ ...dataset, otherVersions });
    stdout.write(`${values.json ? json() : datasetText(dataset, others)}\n`);
  },
});

/** The listed version of a reference, and the other versions of its name and suite. */
async function oneOf(service: ServiceClient, suite: string | undefined, reference: string) {
  const [name = "", version = ""] = reference.split("@");
  const isName = datasetNameSchema.safeParse(name).success;
  const named = isName ? await seen(service, { ...ofSuite(suite), name }) : [];
  const found = named.filter((one) => one.version.startsWith(version));
  const [dataset] = found;
  if (dataset === undefined) {
    const all = named.length > 0 ? [] : await listed(service, ofSuite(suite));
    throw notThere(all, named, name, version);
  }
  const ids = [...new Set(found.map((one) => one.suite))];
  if (ids.length > 1) throw severalSuites(name, ids);
  return { dataset, others: named.filter((one) => one.suite === dataset.suite && one !== dataset) };
}

/** Own datasets, including unlisted ones, otherwise listed datasets. Without a required key, only listed datasets. */
async function seen(service: ServiceClient, query: Readonly<Record<string, string>>) {
  const own = await listed(service, { ...query, mine: "true" }).catch((error) => {
    if (error instanceof ServiceError && error.prospects.status === 401) return [];
    throw error;
  });
  return own.length > 0 ? own : listed(service, query);
}

function notThere(
  all: readonly ListedDataset[],
  named: readonly ListedDataset[],
  name: string,
  version: string,
): BadInput {
  if (named.length > 0) {
    const versions = named.map((one) => one.version.slice(0, 12)).join(", ");
    return new BadInput(`"${name}" has no version ${version}; it has ${versions}`);
  }
  const hint =
    suggestion(
      name,
      all.map((one) => one.name),
    ) || "; assay dataset list prints them";
  return new BadInput(`no dataset "${name}" of yours, and no public one${hint}`);
}

const severalSuites = (name: string, ids: readonly string[]): BadInput =>
  new BadInput(`suites ${ids.join(" and ")} have a dataset "${name}": choose with --suite`);

const pathOf = (suite: string, reference: string): string =>
  `/v1/datasets/${encodeURIComponent(suite)}/${encodeURIComponent(reference)}`;

/** One dataset, its malformed samples, warnings and other versions. */
function datasetText(dataset: Dataset, others: readonly ListedDataset[]): string {
  const { name, suite, version, samples, malformed, warnings, visibility, createdAt } = dataset;
  const { corrects, stream } = dataset;
  const facts = [
    ["name", name],
    ["suite", suite],
    ["version", version],
    ["visibility", visibility],

    ["created", createdAt],
    ["samples", formatCount(samples)],

    ["malformed", formatCount(malformed.length)],
    ["warnings", formatCount(warnings.length)],
    ...(corrects === undefined
      ? []
      : [
          [
            "corrects",
            `${formatCount(corrects.samples)} of ${corrects.version}: ${corrects.reason}`,
          ],
        ]),
    ...(stream === undefined
      ? []
      : [
          [
            "drawn",
            `${formatCount(stream.drawn)} of ${formatCount(stream.read - stream.known)} new rows, ${formatCount(stream.anchor)} samples are the anchor${stream.rowsDeletedAt === undefined ? "" : "; rows deleted"}`,
          ],
        ]),
    ...others.map((other) => ["other version", `${other.version} of ${other.createdAt}`]),
  ];
  const notes = [
    ...malformed.map((note) => ({ ...note, end: "; left out" })),
    ...warnings.map((note) => ({ ...note, end: " (warning)" })),
  ].map(
    ({ line, id, reason, end }) => `line ${line}${id === null ? "" : ` ${id}`}: ${reason}${end}`,
  );
  const noteLines = notes.length === 0 ? [] : ["", ...notes];
  return [...textTable(facts, () => true), ...noteLines].map(printable).join("\n");
}

/** `assay dataset timeline`: the versions of a stream with the scores of models. */
export const datasetTimelineCommand = serviceCommand({
  name: "dataset timeline",
  summary: "show the versions of a dataset over time, with models' scores",
  description: [
    "Shows how each version of a stream was drawn, and what each model scores on it. The anchor (the samples in all versions) shows changes of the model; the other samples also show changes of the traffic. Both are compared with a reference run. With your key, your unlisted versions are included.",
  ],
  positionals: [{ name: "dataset", help: "NAME, without a version" }],
  flags: { suite },
  examples: ["assay dataset timeline acme/requests"],
  scope,
  result: datasetTimelineSchema,
  async call(service, values, [dataset]) {
    const id = values.suite ?? (await suiteOf(service, dataset));
    const query = new URLSearchParams({ suite: id, dataset });
    return service.get(`/v1/dataset-timeline?${query}`, datasetTimelineSchema);
  },
  text: timelineText,
});

/** `assay dataset delete`: deletes a dataset of a service, or one of its versions. */
export const datasetDeleteCommand = command({
  name: "dataset delete",
  summary: "delete one of your datasets, or one of its versions",
  description: [
    "Lists which versions of a dataset would be deleted, all or the one named; with --yes, deletes them permanently. Runs on it are kept, with the samples that they show; its boards are removed from all lists, and schedules that use it will fail. Refused while finished runs of other accounts are on its boards.",
  ],
  positionals: [reference],
  flags: deleteFlags,
  environment: keyVariable,
  examples: [
    "assay dataset delete acme/invoices@3f9a1c",
    "assay dataset delete acme/invoices@3f9a1c --yes",
  ],
  async run(values, [named], { stdout }) {
    const service = serviceOf(values, scope);
    const { yes: deleted = false, json } = values;
    const { value, text } = await (deleted ? remove : planRemoval)(service, values.suite, named);
    stdout.write(`${json ? deleteFlags.json.text({ ...value, deleted }) : text}\n`);
  },
});

async function remove(service: ServiceClient, suite: string | undefined, named: string) {
  const path = pathOf(suite ?? (await suiteOf(service, named)), named);
  const value = await service.delete(path, deletedDatasetSchema);
  const lines = value.versions.map((version) => `${shortName(value.name, version)} deleted`);
  return { value, text: lines.map(printable).join("\n") };
}

async function planRemoval(service: ServiceClient, suite: string | undefined, named: string) {
  const [name = "", wanted = ""] = named.split("@");
  const all = await ownVersions(service, suite, name);
  const going = all.filter(({ version }) => version.startsWith(wanted));
  const [first] = going;
  if (first === undefined) throw notThere([], all, name, wanted);
  const lines = going.map(
    ({ version, samples, visibility }) =>
      `${shortName(name, version)} would be deleted: ${counted(samples, "sample")}, ${visibility}`,
  );
  const versions = going.map(({ version }) => version);
  lines.push("Runs on it would be kept. Nothing was deleted: add --yes");
  const value = { suite: first.suite, name, versions };
  return { value, text: lines.map(printable).join("\n") };
}

const shortName = (name: string, version: string): string =>
  `${name}@${version.slice(0, VERSION_DIGITS)}`;

/** `assay dataset visibility`: changes who sees a dataset of a service. */
export const datasetVisibilityCommand = serviceCommand({
  name: "dataset visibility",
  summary: "make a dataset public, unlisted or private",
  description: [
    "Shows what others would see of your dataset, or of one version; with --yes, changes its visibility. Runs on it that are more visible become as visible as the dataset. While finished runs of other accounts are on its boards, only admins can make it less visible. A private dataset leaves boards, lists and exports at once, and the site with its next build.",
  ],
  positionals: [reference, { name: "level", help: visibilitySchema.options.join(", ") }],
  flags: {
    suite: suiteOfOne,
    yes: { type: "boolean", help: "Change it; without this flag, only show what others would see" },
  },
  examples: [
    "assay dataset visibility acme/invoices public",
    "assay dataset visibility acme/invoices private --yes",
  ],
  scope,
  result: datasetVisibilityChangeSchema,
  async call(service, values, [named, level]) {
    const body = { visibility: visibilityLevel(level) };
    const path = pathOf(values.suite ?? (await suiteOf(service, named)), named);
    const query = values.yes ? "" : "?dryRun=true";
    return service.patch(`${path}${query}`, body, datasetVisibilityChangeSchema);
  },
  text: (change, { yes }, [named]) =>
    yes
      ? printable(`${named} is ${change.to}`)
      : plannedText(named, change.from.join(" and "), change),
});

async function suiteOf(service: ServiceClient, reference: string): Promise<string> {
  const [name = ""] = reference.split("@");
  const [first] = await ownVersions(service, undefined, name);
  return first!.suite;
}

/** All versions of a name in one suite: own datasets, including unlisted ones, otherwise listed datasets. */
async function ownVersions(
  service: ServiceClient,
  suite: string | undefined,
  name: string,
): Promise<ListedDataset[]> {
  const found = await seen(service, { ...ofSuite(suite), name });
  const ids = [...new Set(found.map(({ suite }) => suite))];
  if (ids.length > 1) throw severalSuites(name, ids);
  if (found.length === 0) throw new BadInput(`you have no dataset "${name}"`);
  return found;
}
