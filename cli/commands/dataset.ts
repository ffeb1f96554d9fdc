import { z } from "zod";
import { type Dataset, datasetSchema } from "#shared/contracts/dataset.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { datasetsText, datasetText } from "../dataset/datasets-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { chosenSuite } from "../score/read-options.ts";
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
    const datasets = await listed(serviceOf(values, "submit"), values.suite);
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
    const all = await listed(serviceOf(values, "submit"), values.suite);
    const { dataset, others } = oneOf(all, reference);
    const json = () =>
      JSON.stringify({ ...dataset, otherVersions: others.map((other) => other.version) }, null, 2);
    stdout.write(`${values.json ? json() : datasetText(dataset, others)}\n`);
  },
});

async function listed(service: ServiceClient, suite: string | undefined): Promise<Dataset[]> {
  const query = suite === undefined ? "" : `?suite=${chosenSuite([suite]).id}`;
  const schema = z.object({ datasets: z.array(datasetSchema) });
  return (await service.get(`/v1/datasets${query}`, schema)).value.datasets;
}

function oneOf(
  all: readonly Dataset[],
  reference: string,
): { dataset: Dataset; others: Dataset[] } {
  const [name = "", version = ""] = reference.split("@");
  const named = all.filter((one) => one.name === name);
  const found = named.filter((one) => one.version.startsWith(version));
  const [dataset] = found;
  if (dataset === undefined) throw notThere(all, named, name, version);
  const suiteIds = [...new Set(found.map((one) => one.suite))];
  if (suiteIds.length > 1) {
    throw new BadInput(
      `there is a dataset "${name}" in ${suiteIds.join(" and ")}: choose with --suite`,
    );
  }
  return { dataset, others: named.filter((one) => one.suite === dataset.suite && one !== dataset) };
}

function notThere(
  all: readonly Dataset[],
  named: readonly Dataset[],
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
