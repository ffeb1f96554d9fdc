import { writeFileSync } from "node:fs";
import {
  type Correction,
  correctionReasonSchema,
  correctsSchema,
} from "#shared/contracts/correction.ts";
import {
  datasetNameSchema,
  datasetVisibilitySchema,
  licenseSchema,
} from "#shared/contracts/dataset.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import {
  type DatasetUpload,
  type ImportedDataset,
  importDataset,
} from "../dataset/import-dataset.ts";
import { hubDataset } from "../dataset/source-rows.ts";
import { defaultCacheFolder } from "../hugging-face/page-cache.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { progressLine } from "../runs/progress-line.ts";
import { counted } from "../score/format-value.ts";
import { writeProblem } from "../score/open-file.ts";
import { refuseStdout } from "../score/output-file.ts";
import { malformedLines, warningLines } from "../score/row-lines.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { command } from "./command.ts";

const help = `assay dataset import hf:OWNER/NAME [--config C] [--split S] [--revision SHA] [options]
assay dataset import FILE [options]

Checks a dataset, and writes its samples to a file or uploads them to a service, or both. Samples that are
malformed are listed on standard error and left out.

  hf:OWNER/NAME     a dataset of Hugging Face, read by the rows API of its dataset viewer
  FILE              one JSON object a line, one JSON array, or a folder samples/<id>/sample.json
  --suite SUITE     ${suites.map(({ id }) => id).join(", ")}; without it, as the first rows tell
  --out FILE        write the samples there, one a line; - writes to standard output, and the summary to
                    standard error. Of Hugging Face, FILE.source.json names the commit
  --name NAME       upload the samples under this name
  --visibility V    of an upload: public (default); unlisted: reachable by its version, never listed; private:
                    listed, its samples and the answers to them for its owner alone
  --license L       of an upload: under which terms its rows may be used, as Apache-2.0; of Hugging Face,
                    what the dataset's card says
  --corrects V      of an upload: it puts samples of the newest version right, V or its first 6 digits: the
                    same ones in the same order. Boards are re-published: no model is asked anew
  --correction WHY  of a correction: what was wrong, for readers of the boards
  ${serverHelp}
  --json            print the summary as one JSON object
  --help            show this

Of Hugging Face alone:
  --config C        the configuration (subset), and
  --split S         the split; each is needed where there are several
  --revision SHA    the commit, 7 digits or more. The viewer serves the newest alone: another one is refused,
                    unless its whole SHA is given and the cache has it
  --cache-dir DIR   keeps what was read, by commit; without it $XDG_CACHE_HOME/assay/hugging-face, or
                    ~/.cache/assay/hugging-face

Columns become the suite's: in suite extraction, "item" the expected output, JSON in text what it says, and
"topic", "medium", "domain" and "language" tags. A row without an id gets one of its split and number. Cut-off
cells, and datasets of which the viewer has a part alone, are refused. A read that fails is tried again, as
long as the viewer asks for. A token is taken from the environment variable HF_TOKEN.

An upload needs a key with the scope submit, where the service wants one.
${keyHelp}

Exit code: 0 when something was imported, 2 for input that needs a change, and when a service can't be reached
or refuses.

Examples
  assay dataset import hf:paraloq/json_data_extraction --suite extraction --out paraloq.jsonl
  assay dataset import hf:paraloq/json_data_extraction --name paraloq --server http://localhost:8787
  assay dataset import samples.jsonl --name acme/invoices --visibility unlisted
  assay dataset import mended.jsonl --name acme/invoices --corrects 3f9a1c --correction "wrong totals"`;

const hubFlags = {
  config: { type: "string" },
  split: { type: "string" },
  revision: { type: "string" },
  "cache-dir": { type: "string" },
} as const;

const flags = {
  ...serviceFlags,
  ...hubFlags,
  suite: { type: "string" },
  out: { type: "string" },
  name: { type: "string" },
  visibility: { type: "string" },
  license: { type: "string" },
  corrects: { type: "string" },
  correction: { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = Parameters<typeof datasetImportCommand.run>[0];

/** `assay dataset import`: takes a dataset from Hugging Face or a file. */
export const datasetImportCommand = command({
  name: "dataset import",
  summary: "take a dataset from Hugging Face or a file, to a file or a service",
  help,
  flags,
  async run(values, [source, surplus], { stdout, stderr }) {
    if (source === undefined) throw new BadInput("name a dataset: hf:OWNER/NAME, or a file");
    if (surplus !== undefined)
      throw new BadInput(`one dataset at a time; "${surplus}" is too much`);
    refuseHubFlags(source, values);
    const { out = null, json = false, config = null, split = null, revision = null } = values;
    if (json) refuseStdout("out", out);
    const line = progressLine(stderr);
    const imported = await importDataset({
      source,
      config,
      split,
      revision,
      out,
      stdout,
      upload: uploadOf(values),
      suite: values.suite === undefined ? null : chosenSuite([values.suite]),
      cacheFolder: values["cache-dir"] ?? defaultCacheFolder(),
      tell: (done, total) => line.show(`${done} of ${total} rows`),
    }).finally(line.clear);
    const { checked, hub } = imported;
    if (hub !== null && out !== null && out !== "-")
      writeSource(out, { ...hub, version: checked.version });
    const told = [
      ...malformedLines(source, checked),
      ...(json ? [] : warningLines(source, checked.warnings)),
    ];
    if (told.length > 0) stderr.write(`${told.join("\n")}\n`);
    const printed = json
      ? JSON.stringify(importedJson(imported, out), null, 2)
      : importedText(imported, out);
    (out === "-" ? stderr : stdout).write(`${printed}\n`);
  },
});

function refuseHubFlags(source: string, values: Values): void {
  if (hubDataset(source) !== null) return;
  const given = Object.keys(hubFlags).find((name) => values[name as keyof typeof hubFlags]);
  if (given !== undefined) throw new BadInput(`--${given} is of datasets hf:OWNER/NAME alone`);
}

function uploadOf(values: Values) {
  const { name, visibility, license = null, server, corrects, correction } = values;
  if (name === undefined) {
    const ofUpload = { server, visibility, license: values.license, corrects, correction };
    const alone = Object.entries(ofUpload).find(([, given]) => given !== undefined);
    if (alone !== undefined) throw new BadInput(`--${alone[0]} is of an upload: give it a --name`);
    return null;
  }
  if (!datasetNameSchema.safeParse(name).success) {
    const form = "letters, digits and . _ - with at most one slash, 100 of them at most";
    throw new BadInput(`--name takes ${form}; not "${name}"`);
  }
  const seen = datasetVisibilitySchema.safeParse(visibility ?? "public");
  if (!seen.success)
    throw new BadInput(`--visibility takes public, unlisted or private, not "${visibility}"`);
  if (license !== null && !licenseSchema.safeParse(license).success) {
    throw new BadInput(`--license takes up to 100 visible characters, not "${license}"`);
  }
  const service = serviceOf(values, "submit");
  return { service, name, visibility: seen.data, license, correction: correctionOf(values) };
}

function correctionOf({ corrects, correction }: Values): DatasetUpload["correction"] {
  if (corrects === undefined && correction === undefined) return null;
  if (corrects === undefined || correction === undefined) {
    throw new BadInput("--corrects names a version and --correction says why: give both");
  }
  if (!correctsSchema.safeParse(corrects).success) {
    throw new BadInput(`--corrects takes 6 to 64 hex digits of a version, not "${corrects}"`);
  }
  if (!correctionReasonSchema.safeParse(correction).success) {
    throw new BadInput(`--correction takes up to 500 visible characters, not "${correction}"`);
  }
  return { corrects, correction };
}

/** The samples themselves have no place for where they come from. */
function writeSource(out: string, source: object): void {
  const path = `${out}.source.json`;
  try {
    writeFileSync(path, `${JSON.stringify(source, null, 2)}\n`);
  } catch (error) {
    throw writeProblem(path, error);
  }
}

/** What an import came to, for a terminal; `out` is where the samples went. */
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
      : [`The service has it as ${uploaded.name}@${uploaded.version.slice(0, 12)}`]),
    ...correctionText(uploaded?.corrects),
    ...whereText(out, uploaded !== null),
  ].join("\n");
}

function correctionText(corrects: Correction | undefined): string[] {
  if (corrects === undefined) return [];
  const { samples, version } = corrects;
  return [
    `It corrects ${counted(samples, "sample")} of version ${version.slice(0, 12)}`,
    "Boards of that version are re-published within minutes; GET /v1/republications says what became of them",
  ];
}

function whereText(out: string | null, isUploaded: boolean): string[] {
  if (out === "-") return ["The samples are on standard output"];
  if (out !== null) return [`The samples are in ${out}`];
  return isUploaded
    ? []
    : ["Nothing was written: --out FILE keeps the samples, --name NAME uploads them"];
}

/** What an import came to, as one JSON object. */
function importedJson({ checked, hub, uploaded }: ImportedDataset, out: string | null): object {
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
