import { z } from "zod";
import {
  type Dataset,
  datasetNameSchema,
  datasetSchema,
  datasetVisibilitySchema,
} from "#shared/contracts/datasets/dataset.ts";
import { drawSchema } from "#shared/contracts/datasets/version-draw.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { command, jsonFlag, type Values, valueFlag } from "../../command-line/command.ts";
import { suiteIds } from "../../command-line/suite-choice.ts";
import { keptMapping } from "../../dataset/import-dataset.ts";
import { mappingOf } from "../../dataset/row-mapping.ts";
import { streamRows } from "../../dataset/stream-rows.ts";
import { BadInput } from "../../errors.ts";
import { keyVariable, serviceFlags, serviceOf } from "../../remote/service-flags.ts";
import { formatCount, printable } from "../../terminal/text.ts";
import { mappingFlags } from "./import-dataset.ts";

/** Maximum skipped lines that are listed. */
const NAMED = 20;

const resultSchema = datasetSchema.extend({
  leftOut: z
    .array(z.object({ line: z.int(), reason: z.string() }))
    .meta({ description: "lines that were not sent, because they could not be mapped" }),
});

const flags = {
  suite: valueFlag("SUITE", "Suite of the samples; by default the suite of the mapping", {
    choices: suiteIds,
  }),
  name: valueFlag("NAME", "Name of the dataset; required"),
  sample: valueFlag("N", "New samples to draw, 1 to 900; required"),
  anchor: valueFlag("N", "Samples that every version keeps: 0, or 20 to 100", { default: "50" }),
  keep: valueFlag("N", "Newest versions whose rows and answers are kept", { default: "30" }),
  visibility: valueFlag("LEVEL", "Who can see the versions", {
    choices: datasetVisibilitySchema.options,
    default: "unlisted",
  }),
  ...mappingFlags,
  ...serviceFlags,
  json: jsonFlag(resultSchema, "Print the new version as one JSON object"),
} as const;

/** `assay dataset stream`: adds a version of production rows to a dataset. */
export const datasetStreamCommand = command({
  name: "dataset stream",
  summary: "create a new version of a dataset from a file of production requests",
  description: [
    "Sends the rows of a file, such as yesterday's requests, to a service. The service leaves out rows of the previous file, draws some of the other rows, seeded by dataset and date, and stores them with the anchor as a new version. The other rows are not stored. Fails if no row is new.",
  ],
  positionals: [{ name: "file", help: "JSON Lines, plain or gzip (.gz)" }],
  flags,
  environment: keyVariable,
  notes: [
    "A row is recognized by its id, or by its content if it has no id. Expressions of a mapping are evaluated on this machine.",
    "A schedule on the dataset evaluates the newest version at each tick; assay schedule create --stream URL draws the versions, too.",
  ],
  examples: [
    "assay dataset stream yesterday.jsonl.gz --suite extraction --name acme/requests --sample 200",
    "assay dataset stream log.jsonl --mapping mapping.yaml --name acme/requests --sample 200 --keep 14",
  ],
  async run(values, [file], { stdout, stderr }) {
    const mapping = mappingOf(values);
    const suite = values.suite ?? mapping?.suite;
    if (suite == null) throw new BadInput("name the suite with --suite, or in the mapping");
    const query = new URLSearchParams({
      suite,
      name: nameOf(values),
      visibility: values.visibility ?? "unlisted",
      ...(mapping && { mapping: keptMapping(mapping) }),
    });
    for (const [name, value] of Object.entries(drawOf(values))) query.set(name, `${value}`);
    const service = serviceOf(values, "submit");
    const { rows, leftOut } = await streamRows(file, mapping);
    for (const { line, reason } of leftOut.slice(0, NAMED)) {
      stderr.write(`${printable(`${file}:${line}: ${reason}; left out`)}\n`);
    }
    const value = await service.upload(`/v1/dataset-stream?${query}`, rows, datasetSchema);
    const json = () => flags.json.text({ ...value, leftOut });
    stdout.write(`${values.json ? json() : versionText(value, leftOut.length)}\n`);
  },
});

type StreamValues = Values<typeof flags>;

function nameOf({ name }: StreamValues): string {
  if (name === undefined) throw new BadInput("name the dataset with --name OWNER/NAME");
  if (datasetNameSchema.safeParse(name).success) return name;
  throw new BadInput(
    `--name must be letters, digits and . _ - with at most one slash, not "${name}"`,
  );
}

/** Reads from flags how versions are drawn. Throws BadInput. */
function drawOf({ sample, anchor, keep }: StreamValues) {
  if (sample === undefined) throw new BadInput("say how many samples to draw with --sample N");
  const given = { "--sample": sample, "--anchor": anchor, "--keep": keep };
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const read = drawSchema.safeParse({
    samplesPerVersion: number(sample),
    anchor: number(anchor),
    keepVersions: number(keep),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const flag = { samplesPerVersion: "--sample", anchor: "--anchor", keepVersions: "--keep" }[
    String(issue?.path[0])
  ] as keyof typeof given;
  const why = issue?.code === "invalid_type" ? "must be a whole number" : issue?.message;
  throw new BadInput(`${flag} ${given[flag]}: ${why}`);
}

function versionText({ name, version, samples, stream }: Dataset, leftOut: number): string {
  if (stream === undefined) return `${name}@${version.slice(0, 12)}`;
  const { read, known, refused, drawn, anchor } = stream;
  return [
    `${name}@${version.slice(0, 12)}: ${counted(samples, "sample")}, ${formatCount(anchor)} of them the anchor`,
    `Drew ${formatCount(drawn)} of ${counted(read - known, "new row")}; ${counted(read, "row")} read, ${formatCount(known)} known${
      refused + leftOut === 0 ? "" : `, ${formatCount(refused + leftOut)} did not fit`
    }`,
  ]
    .map(printable)
    .join("\n");
}
