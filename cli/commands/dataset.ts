import {
  type Dataset,
  datasetNameSchema,
  datasetSchema,
  deletedDatasetSchema,
  type ListedDataset,
  listedDatasetSchema,
} from "#shared/contracts/dataset.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { printable } from "../printable.ts";
import { everyPage } from "../remote/every-page.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { formatCount } from "../score/format-value.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { textTable } from "../score/text-table.ts";
import { suggestion } from "../suggestion.ts";
import { command } from "./command.ts";

const flags = { ...serviceFlags, suite: { type: "string" }, json: { type: "boolean" } } as const;
const common = `  --suite SUITE     only of this suite: ${suites.map(({ id }) => id).join(", ")}
  ${serverHelp}
  --json            print what the service has, as JSON
  --help            show this

Unlisted datasets are not among them.
${keyHelp}`;

/** `assay dataset list`: the public datasets of a service. */
export const datasetListCommand = command({
  name: "dataset list",
  summary: "list the public datasets of a service",
  help: `assay dataset list [--suite SUITE] [options]

The public datasets of a service with all their versions, the newest version first.

${common}`,
  flags,
  async run(values, [surplus], { stdout }) {
    if (surplus !== undefined) {
      throw new BadInput(`"${surplus}" is too much; assay dataset show ${surplus} shows one`);
    }
    const datasets = await listed(serviceOf(values, "submit"), ofSuite(values.suite));
    stdout.write(`${values.json ? JSON.stringify(datasets, null, 2) : datasetsText(datasets)}\n`);
  },
});

/** `assay dataset show`: what a service knows of one dataset. */
export const datasetShowCommand = command({
  name: "dataset show",
  summary: "what a service knows of a dataset: samples, remarks, versions",
  help: `assay dataset show NAME[@VERSION] [--suite SUITE] [options]

One public dataset of a service: its samples, what was left out or tolerated, and its other versions. Without
a version, which its first 6 digits name, the newest.

${common}

Examples
  assay dataset show stock
  assay dataset show acme/invoices@3f9a1c --json`,
  flags,
  async run(values, [reference, surplus], { stdout }) {
    if (reference === undefined)
      throw new BadInput("name the dataset; assay dataset list has them");
    if (surplus !== undefined)
      throw new BadInput(`one dataset at a time; "${surplus}" is too much`);
    const service = serviceOf(values, "submit");
    const { dataset: known, others } = await oneOf(service, values.suite, reference);
    const path = pathOf(known.suite, `${known.name}@${known.version}`);
    const { value: dataset } = await service.get(path, datasetSchema);
    const json = () =>
      JSON.stringify({ ...dataset, otherVersions: others.map((other) => other.version) }, null, 2);
    stdout.write(`${values.json ? json() : datasetText(dataset, others)}\n`);
  },
});

/** `assay dataset delete`: takes a dataset, or one version of it, from a service. */
export const datasetDeleteCommand = command({
  name: "dataset delete",
  summary: "delete a dataset of yours, or one version of it",
  help: `assay dataset delete NAME[@VERSION] [--suite SUITE] [options]

Deletes a dataset with all of its versions, or the version whose first 6 digits are given, for good. Runs on it
stay, with the samples that they show; its boards leave all lists, and schedules that name it fail from then on.

  --suite SUITE     the suite that it belongs to; needed where datasets of two suites have the name
  ${serverHelp}
  --json            print what was deleted, as JSON
  --help            show this

${keyHelp}

Examples
  assay dataset delete acme/invoices@3f9a1c`,
  flags,
  async run(values, [reference, surplus], { stdout }) {
    if (reference === undefined)
      throw new BadInput("name the dataset, or one version: NAME@VERSION");
    if (surplus !== undefined)
      throw new BadInput(`one dataset at a time; "${surplus}" is too much`);
    const service = serviceOf(values, "submit");
    const suite = values.suite === undefined ? null : chosenSuite([values.suite]).id;
    const path = pathOf(suite ?? (await suiteOf(service, reference)), reference);
    const { value } = await service.delete(path, deletedDatasetSchema);
    const text = () =>
      value.versions
        .map((version) => `${value.name}@${version.slice(0, 12)} is deleted`)
        .join("\n");
    stdout.write(`${values.json ? JSON.stringify(value, null, 2) : text()}\n`);
  },
});

const pathOf = (suite: string, reference: string): string =>
  `/v1/datasets/${encodeURIComponent(suite)}/${encodeURIComponent(reference)}`;

/** The suite that has a dataset of the name: of one's own, unlisted ones as well, else of those that are listed. */
async function suiteOf(service: ServiceClient, reference: string): Promise<string> {
  const [name = ""] = reference.split("@");
  const own = await listed(service, { name, mine: "true" });
  const found = own.length > 0 ? own : await listed(service, { name });
  const suiteIds = [...new Set(found.map(({ suite }) => suite))];
  if (suiteIds.length > 1) throw severalSuites(name, suiteIds);
  if (suiteIds[0] === undefined) throw new BadInput(`there is no dataset "${name}" of yours`);
  return suiteIds[0];
}

const severalSuites = (name: string, suiteIds: readonly string[]): BadInput =>
  new BadInput(`there is a dataset "${name}" in ${suiteIds.join(" and ")}: choose with --suite`);

function listed(
  service: ServiceClient,
  query: Readonly<Record<string, string>>,
): Promise<ListedDataset[]> {
  const text = new URLSearchParams(query).toString();
  return everyPage(service, `/v1/datasets${text && `?${text}`}`, "datasets", listedDatasetSchema);
}

const ofSuite = (suite: string | undefined): Record<string, string> =>
  suite === undefined ? {} : { suite: chosenSuite([suite]).id };

/** The listed version that a reference names, and the others of its name and suite. */
async function oneOf(service: ServiceClient, suite: string | undefined, reference: string) {
  const [name = "", version = ""] = reference.split("@");
  const isName = datasetNameSchema.safeParse(name).success;
  const named = isName ? await listed(service, { ...ofSuite(suite), name }) : [];
  const found = named.filter((one) => one.version.startsWith(version));
  const [dataset] = found;
  if (dataset === undefined) {
    const all = named.length > 0 ? [] : await listed(service, ofSuite(suite));
    throw notThere(all, named, name, version);
  }
  const suiteIds = [...new Set(found.map((one) => one.suite))];
  if (suiteIds.length > 1) throw severalSuites(name, suiteIds);
  return { dataset, others: named.filter((one) => one.suite === dataset.suite && one !== dataset) };
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
    ) || "; assay dataset list has them";
  return new BadInput(`there is no public dataset "${name}"${hint}`);
}

/** As many digits as tell versions apart. */
const VERSION_DIGITS = 12;

const head = ["name", "suite", "version", "samples", "malformed", "warnings", "created"];
const numbers = ["samples", "malformed", "warnings"];

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

/** One dataset, its remarks and its other versions. */
function datasetText(dataset: Dataset, others: readonly ListedDataset[]): string {
  const { name, suite, version, samples, malformed, warnings, visibility, createdAt } = dataset;
  const { corrects } = dataset;
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
    ...others.map((other) => ["other version", `${other.version} of ${other.createdAt}`]),
  ];
  const notes = [
    ...malformed.map((note) => ({ ...note, end: "; left out" })),
    ...warnings.map((note) => ({ ...note, end: " (warning)" })),
  ].map(
    ({ line, id, reason, end }) => `line ${line}${id === null ? "" : ` ${id}`}: ${reason}${end}`,
  );
  const told = notes.length === 0 ? [] : ["", ...notes];
  return [...textTable(facts, () => true), ...told].map(printable).join("\n");
}
