import { basename } from "node:path";
import { z } from "zod";
import {
  type Correction,
  correctionReasonSchema,
  correctsSchema,
  type Dataset,
  datasetNameSchema,
  datasetSchema,
  datasetVisibilitySchema,
  licenseSchema,
  rowNoteSchema,
} from "#shared/contracts/datasets/dataset.ts";
import { likelyClustersText } from "#shared/contracts/datasets/likely-clusters.ts";
import type { Json } from "#shared/contracts/json.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { command, jsonFlag, type Values, valueFlag } from "../../command-line/command.ts";
import { suiteFlag, suiteNamed } from "../../command-line/suite-choice.ts";
import {
  type DatasetUpload,
  type ImportedDataset,
  importDataset,
} from "../../dataset/import-dataset.ts";
import { type ImportMapping, mappingOf } from "../../dataset/row-mapping.ts";
import { hubDataset } from "../../dataset/source-rows.ts";
import { BadInput } from "../../errors.ts";
import { refuseStdout, writeWhole } from "../../files/output-file.ts";
import { malformedLines, warningLines } from "../../files/row-lines.ts";
import { userCache } from "../../local/state-folder.ts";
import { keyVariable, serviceFlags, serviceOf } from "../../remote/service-flags.ts";
import { progressLine } from "../../terminal/progress-line.ts";
import { printable } from "../../terminal/text.ts";

const HUB = "Hugging Face only";

const hubFlags = {
  config: valueFlag("NAME", "Configuration (subset); required if there are several", {
    section: HUB,
  }),
  split: valueFlag("NAME", "Split; required if there are several", { section: HUB }),
  revision: valueFlag(
    "SHA",
    "Commit, at least 7 digits. The viewer serves only the newest one; another needs its full SHA and a cached copy",
    { section: HUB },
  ),
  "cache-dir": valueFlag("DIR", "Cache by commit", {
    section: HUB,
    default: "$XDG_CACHE_HOME/assay/hugging-face, or ~/.cache/assay/hugging-face",
  }),
} as const;

const MAPPING = "Rows of another shape";

/** Flags that map rows to samples of the suite. */
export const mappingFlags = {
  map: valueFlag(
    "FIELD=EXPRESSION",
    "Field of the suite from a field of the row, or an expression of JSONata: text=body,id=key, or 'text=title & \"\\n\" & body'. Only mapped fields are taken",
    { section: MAPPING, multiple: true },
  ),
  tag: valueFlag("TAG=EXPRESSION", "Tag of the samples: domain=category", {
    section: MAPPING,
    multiple: true,
  }),
  schema: valueFlag("FILE", "JSON Schema of all rows, for suite extraction", { section: MAPPING }),
  mapping: valueFlag(
    "FILE",
    "YAML with suite, map, tags, and where rows are; flags take precedence",
    {
      section: MAPPING,
    },
  ),
} as const;

const UPLOAD = "Upload";

const uploadFlags = {
  name: valueFlag("NAME", "Upload the samples under this name", { section: UPLOAD }),
  visibility: valueFlag(
    "LEVEL",
    "Unlisted: reachable by version, never listed; private: samples and answers visible only to the owner",
    { section: UPLOAD, choices: datasetVisibilitySchema.options, default: "unlisted" },
  ),
  license: valueFlag(
    "LICENSE",
    "License of the rows, such as Apache-2.0; for Hugging Face, by default the dataset card's",
    { section: UPLOAD },
  ),
  corrects: valueFlag(
    "VERSION",
    "Correct the newest version, given by at least 6 digits: same samples, same order. Boards are re-published without calling a model",
    { section: UPLOAD },
  ),
  correction: valueFlag(
    "TEXT",
    "What was wrong, for readers of the boards; required with --corrects",
    { section: UPLOAD },
  ),
  clusters: valueFlag(
    "ANSWER",
    "Which samples share a source, such as questions about one document: independent (none), likely (those that probably do), or the name of a tag. They are resampled together",
    { section: UPLOAD },
  ),
  server: { ...serviceFlags.server, section: UPLOAD },
} as const;

const notesSchema = z.object({
  count: z.int(),
  rows: z.array(rowNoteSchema).meta({ description: "the first of a long list" }),
});
const resultSchema = z.object({
  suite: z.string(),
  samples: z.int(),
  version: z.string(),
  source: z
    .object({ dataset: z.string(), config: z.string(), split: z.string(), revision: z.string() })
    .nullable()
    .meta({ description: "at Hugging Face; null: a file" }),
  malformed: notesSchema,
  warnings: notesSchema,
  out: z.string().nullable().meta({ description: "file of the samples; null: none" }),
  uploaded: datasetSchema.nullable(),
});

const flags = {
  suite: suiteFlag,
  out: valueFlag(
    "FILE",
    "Write the samples to FILE as JSON Lines; - writes to standard output and moves the summary to standard error. For Hugging Face, FILE.source.json names the commit",
  ),
  json: jsonFlag(resultSchema, "Print the summary as one JSON object"),
  ...mappingFlags,
  preview: {
    type: "boolean",
    help: "Show the first three samples and what would be left out, and write nothing",
    section: MAPPING,
  },
  ...uploadFlags,
  ...hubFlags,
} as const;

type ImportValues = Values<typeof flags>;

/** `assay dataset import`: imports a dataset from Hugging Face or a file. */
export const datasetImportCommand = command({
  name: "dataset import",
  summary: "import a dataset from Hugging Face or a file, to a file or a service",
  description: [
    "Checks a dataset and writes its samples to a file, uploads them to a service, or both. Malformed samples are listed on standard error and left out.",
  ],
  positionals: [
    {
      name: "source",
      help: "hf:OWNER/NAME, a dataset of Hugging Face read by its dataset viewer; or a file: JSON Lines, a JSON array, CSV, Parquet; or a folder samples/<id>/sample.json",
    },
  ],
  flags,
  environment: {
    ...keyVariable,
    HF_TOKEN: "Access token of Hugging Face",
  },
  notes: [
    'Columns are mapped to the suite\'s fields: in suite extraction, "item" becomes the expected output (JSON in text is parsed), and "topic", "medium", "domain" and "language" become tags. A row without an id gets one from its split and number. Datasets with truncated cells, and datasets that the viewer serves only in part, are refused. Failed reads are retried after the delay that the viewer asks for.',
    "An upload needs a key with the scope submit, if the service requires keys.",
  ],
  examples: [
    "assay dataset import hf:paraloq/json_data_extraction --suite extraction --out paraloq.jsonl",
    "assay dataset import hf:paraloq/json_data_extraction --name paraloq --server http://localhost:8787",
    "assay dataset import samples.jsonl --name acme/invoices --visibility unlisted",
    'assay dataset import fixed.jsonl --name acme/invoices --corrects 3f9a1c --correction "wrong totals"',
  ],
  async run(values, [source], { stdout, stderr }) {
    refuseHubFlags(source, values);
    const { json = false, preview: isPreview = false } = values;
    const out = isPreview ? null : (values.out ?? null);
    if (json) refuseStdout("out", out);
    const { mapping, task } = importTask(source, values);
    const line = progressLine(stderr);
    const imported = await importDataset({
      ...task,
      out,
      stdout,
      upload: isPreview ? null : uploadOf(values),
      onProgress: (done, total) => line.show(`${done} of ${total} rows`),
    }).finally(line.clear);
    const { checked } = imported;
    if (out !== null && out !== "-") writeSource(out, source, imported, mapping);
    const notes = [
      ...malformedLines(source, checked),
      ...(json ? [] : warningLines(source, checked.warnings)),
    ];
    if (notes.length > 0) stderr.write(`${notes.join("\n")}\n`);
    const shown = isPreview ? imported.first.map(previewText) : [];
    const printed = json
      ? flags.json.text(importedJson(imported, out))
      : [...shown, importedText(imported, out)].join("\n");
    (out === "-" ? stderr : stdout).write(`${printed}\n`);
  },
});

/** The source of an import from flags. */
function importTask(source: string, values: ImportValues) {
  const { config = null, split = null, revision = null } = values;
  const mapping = mappingOf(values);
  const suite = values.suite ?? mapping?.suite ?? null;
  const task = {
    source,
    config,
    split,
    revision,
    mapping,
    suite: suite === null ? null : suiteNamed(suite),
    inputs: [values.mapping, values.schema].filter((path) => path !== undefined),
    cacheFolder: values["cache-dir"] ?? userCache("hugging-face"),
  };
  return { mapping, task };
}

function refuseHubFlags(source: string, values: ImportValues): void {
  if (hubDataset(source) !== null) return;
  const given = Object.keys(hubFlags).find((name) => values[name as keyof typeof hubFlags]);
  if (given !== undefined) throw new BadInput(`--${given} applies only to hf:OWNER/NAME`);
}

function uploadOf(values: ImportValues) {
  const { name, visibility, license = null, server, corrects, correction, clusters } = values;
  if (name === undefined) {
    const ofUpload = {
      server,
      visibility,
      license: values.license,
      corrects,
      correction,
      clusters,
    };
    const alone = Object.entries(ofUpload).find(([, given]) => given !== undefined);
    if (alone !== undefined)
      throw new BadInput(`--${alone[0]} applies only to uploads: add --name`);
    return null;
  }
  if (!datasetNameSchema.safeParse(name).success) {
    const form = "letters, digits and . _ - with at most one slash, 100 of them at most";
    throw new BadInput(`--name must be ${form}; not "${name}"`);
  }
  if (license !== null && !licenseSchema.safeParse(license).success) {
    throw new BadInput(`--license must be at most 100 visible characters, not "${license}"`);
  }
  const service = serviceOf(values, "submit");
  return {
    service,
    name,
    visibility: visibility ?? null,
    license,
    correction: correctionOf(values),
    clusters: clusters ?? null,
  };
}

function correctionOf({ corrects, correction }: ImportValues): DatasetUpload["correction"] {
  if (corrects === undefined && correction === undefined) return null;
  if (corrects === undefined || correction === undefined) {
    throw new BadInput("give both --corrects and --correction, or neither");
  }
  if (!correctsSchema.safeParse(corrects).success) {
    throw new BadInput(`--corrects must be 6 to 64 hex digits of a version, not "${corrects}"`);
  }
  if (!correctionReasonSchema.safeParse(correction).success) {
    throw new BadInput(`--correction must be at most 500 visible characters, not "${correction}"`);
  }
  return { corrects, correction };
}

/** Maximum length of a text in a preview. */
const LONGEST = 300;

/** A sample with long texts truncated. */
function previewText(row: Json): string {
  const cut = (_: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST
      ? `${value.slice(0, LONGEST)}… (${value.length} characters)`
      : value;
  return JSON.stringify(row, cut, 2).split("\n").map(printable).join("\n");
}

/** Writes the source next to the samples, which have no field for it. Writes nothing for an unmapped file. */
function writeSource(
  out: string,
  source: string,
  { hub, checked: { version } }: ImportedDataset,
  mapping: ImportMapping | null,
): void {
  if (hub === null && mapping === null) return;
  const from = hub ?? { file: basename(source) };
  const kept = { ...from, ...(mapping && { mapping: mapping.text }), version };
  writeWhole(`${out}.source.json`, `${JSON.stringify(kept, null, 2)}\n`);
}

/** Summary of an import, as one JSON object. */
function importedJson(
  { checked, hub, uploaded }: ImportedDataset,
  out: string | null,
): z.infer<typeof resultSchema> {
  const { suite, samples, malformed, warnings, version } = checked;
  return {
    suite,
    samples,
    version,
    source: hub,
    malformed: { count: malformed.count, rows: malformed.kept },
    warnings: { count: warnings.count, rows: warnings.kept },
    out,
    uploaded,
  };
}

/** Summary of an import, for a terminal; `out`: the file of the samples. */
function importedText(imported: ImportedDataset, out: string | null): string {
  const { checked, hub, uploaded } = imported;
  const { suite, samples, malformed, warnings, version } = checked;
  const left = malformed.count === 0 ? "" : `, ${malformed.count} malformed left out`;
  const noted = warnings.count === 0 ? "" : `, ${counted(warnings.count, "warning")}`;
  return [
    `Imported ${counted(samples, "sample")} of suite ${suite}${left}${noted}`,
    ...(hub === null
      ? []
      : [`From ${hub.dataset}, ${hub.config}/${hub.split}, at commit ${hub.revision}`]),
    `Version ${version}`,
    ...(uploaded === null
      ? []
      : [`Name at the service: ${uploaded.name}@${uploaded.version.slice(0, 12)}`]),
    ...(uploaded !== null && uploaded.version !== version
      ? ["Samples were tagged by their source there, so the version is another"]
      : []),
    ...correctionText(uploaded?.corrects),
    ...clustersText(uploaded),
    ...whereText(out, uploaded !== null),
  ].join("\n");
}

function correctionText(corrects: Correction | undefined): string[] {
  if (corrects === undefined) return [];
  const { samples, version } = corrects;
  return [
    `It corrects ${counted(samples, "sample")} of version ${version.slice(0, 12)}`,
    "Boards of that version are re-published within minutes; see GET /v1/republications",
  ];
}

/** The service's question about samples that may share sources. */
function clustersText(uploaded: Dataset | null): string[] {
  if (!uploaded?.likelyClusters) return [];
  return [
    `${likelyClustersText(uploaded.likelyClusters, uploaded.samples)}`,
    "If they belong together, intervals are too narrow: import again with --clusters likely. If not: --clusters independent",
  ];
}

function whereText(out: string | null, isUploaded: boolean): string[] {
  if (out === "-") return ["The samples are on standard output"];
  if (out !== null) return [`The samples are in ${out}`];
  return isUploaded
    ? []
    : ["Nothing was written: --out FILE saves the samples, --name NAME uploads them"];
}
