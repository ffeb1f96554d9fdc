import { closeSync, existsSync } from "node:fs";
import { z } from "zod";
import { rowNoteSchema } from "#shared/contracts/datasets/dataset.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { command, jsonFlag } from "../../command-line/command.ts";
import { suiteFlag, suiteIds, suiteNamed } from "../../command-line/suite-choice.ts";
import { type CheckedDataset, checkDataset } from "../../dataset/check-dataset.ts";
import {
  type DatasetFigures,
  datasetFiguresSchema,
  FigureTally,
  type Spread,
} from "../../dataset/dataset-figures.ts";
import { GoldFindings } from "../../dataset/gold-findings.ts";
import { recognizeSuite } from "../../dataset/recognize-suite.ts";
import { SUITE_FLAG_HINT } from "../../dataset/source-rows.ts";
import { BadInput, NotPassed } from "../../errors.ts";
import type { OpenFile } from "../../files/open-file.ts";
import { joinedNotes, malformedLines, noteLine, WARNING } from "../../files/row-lines.ts";
import { openDataset } from "../../score/open-dataset.ts";
import type { UsableSample } from "../../score/read-samples.ts";
import { formatCount, printable, textTable } from "../../terminal/text.ts";

const FILE_HELP = "JSON Lines, a JSON array, or a folder samples/<id>/sample.json";

/** Maximum listed values of a tag, which may be different in every sample. */
const MAX_VALUES = 12;

const countsSchema = z.object({
  suite: z.string(),
  samples: z.int(),
  version: z.string(),
  malformed: z.int(),
  warnings: z.int(),
});
const statsJson = jsonFlag(countsSchema.extend(datasetFiguresSchema.shape));
const notesJson = jsonFlag(
  countsSchema.extend({
    malformed: z.array(rowNoteSchema),
    warnings: z.array(rowNoteSchema),
    findings: z.array(rowNoteSchema).meta({
      description: "samples with the text of others, and expected values that are not in the text",
    }),
    clusters: z.string().nullable().meta({ description: "what samples probably share" }),
  }),
);

/** `assay dataset stats`: describes a dataset. */
export const datasetStatsCommand = command({
  name: "dataset stats",
  summary: "describe a dataset: counts, tags, text lengths, complexity",
  description: [
    "Describes the samples of a dataset: counts, fields, tags, text lengths and figures of the suite, such as the complexity of schemas. Malformed samples are listed on standard error and left out.",
  ],
  positionals: [{ name: "file", help: FILE_HELP }],
  flags: { suite: suiteFlag, json: statsJson },
  examples: [
    "assay dataset stats samples.jsonl",
    "assay dataset stats samples.jsonl --suite extraction --json",
  ],
  async run(values, [path], { stdout, stderr }) {
    const suite =
      values.suite === undefined
        ? recognizeSuite(path, suites, SUITE_FLAG_HINT)
        : suiteNamed(values.suite);
    const file = openDataset(path);
    try {
      const tally = new FigureTally(suite);
      const checked = checkDataset(file, { suite, onSample: (sample) => tally.add(sample) });
      const figures = tally.finish();
      const left = malformedLines(path, checked);
      if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
      const json = () => statsJson.text({ ...countsOf(checked), ...figures });
      stdout.write(`${values.json ? json() : statsText(checked, figures)}\n`);
    } finally {
      closeSync(file.fd);
    }
  },
});

function countsOf({ suite, samples, version, malformed, warnings }: CheckedDataset) {
  return { suite, samples, version, malformed: malformed.count, warnings: warnings.count };
}

/** Statistics of a dataset, for a terminal. */
function statsText(
  { suite, samples, malformed, warnings, version }: CheckedDataset,
  { fields, tags, textLengths, figures, kinds }: DatasetFigures,
): string {
  const head = [
    ["suite", suite],
    ["samples", formatCount(samples)],

    ["malformed", formatCount(malformed.count)],
    ["warnings", formatCount(warnings.count)],
    ["version", version],
  ];
  const inFields = Object.entries(fields).map(([name, n]) => [name, formatCount(n)]);
  return [
    ...textTable(head, () => true),
    ...titled("Fields", [["field", "samples"], ...inFields]),
    ...titled("Characters of texts", spreadRows("field", textLengths)),
    ...titled("Samples", spreadRows("figure", figures)),
    ...titled("", countRows("figure", kinds)),
    ...titled("Tags", countRows("tag", tags)),
  ]
    .map(printable)
    .join("\n");
}

/** A table with a title; empty without rows below the header. */
function titled(title: string, rows: readonly string[][]): string[] {
  if (rows.length < 2) return [];
  const numbersFrom = rows[0]!.includes("value") ? 2 : 1;
  return [
    "",
    ...(title === "" ? [] : [title]),
    ...textTable(rows, (column) => column < numbersFrom),
  ];
}

function spreadRows(what: string, spreads: Readonly<Record<string, Spread>>): string[][] {
  const rows = Object.entries(spreads).map(([name, { least, median, mean, most }]) => [
    name,
    formatCount(least),
    rounded(median),
    rounded(mean),
    formatCount(most),
  ]);
  return [[what, "least", "median", "mean", "most"], ...rows];
}

const rounded = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 100 ? formatCount(value) : value.toFixed(1);

function countRows(
  what: string,
  all: Readonly<Record<string, Readonly<Record<string, number>>>>,
): string[][] {
  const rows = Object.entries(all).flatMap(([name, counts]) => {
    const list = Object.entries(counts);
    const shown = list.slice(0, MAX_VALUES).map(([value, n]) => [name, value, formatCount(n)]);
    const rest = list.slice(MAX_VALUES);
    if (rest.length === 0) return shown;
    const sum = rest.reduce((total, [, n]) => total + n, 0);
    return [...shown, [name, `${formatCount(rest.length)} more values`, formatCount(sum)]];
  });
  return [[what, "value", "samples"], ...rows];
}

/** `assay dataset validate`: checks every sample of a dataset. */
export const datasetValidateCommand = command({
  name: "dataset validate",
  summary: "check every sample of a dataset",
  description: [
    "Lists malformed samples and warnings of a dataset: each reason once, with its lines (for an array or a folder, its rows); --json lists all. Then lists what is probably wrong with expected answers: samples with the same or nearly the same text, and values that are not in the text although values of the same field usually are.",
  ],
  positionals: [
    {
      name: "suite",
      help: "Recognized from the first rows by default",
      choices: suiteIds,
      optional: true,
    },
    { name: "file", help: FILE_HELP },
  ],
  flags: { json: notesJson },
  exitCodes: {
    0: "Every sample is valid, with or without warnings",
    1: "At least one sample is malformed",
    2: "The file cannot be read",
  },
  examples: [
    "assay dataset validate samples.jsonl",
    "assay dataset validate extraction samples.jsonl --json",
  ],
  async run(values, [suiteId, path], { stdout }) {
    const suite = suiteToValidate(suiteId, path);
    const file = openDataset(path);
    try {
      const gold = new GoldFindings(suite);
      const onSample = (sample: UsableSample) => gold.add(sample);
      const checked = checkDataset(file, { suite, onSample, maxNotes: Number.POSITIVE_INFINITY });
      const { malformed, warnings } = checked;
      const found = gold.finish();
      const json = () =>
        notesJson.text({
          ...countsOf(checked),
          malformed: malformed.kept,
          warnings: warnings.kept,
          findings: found.rows,
          clusters: found.clusters,
        });
      stdout.write(`${values.json ? json() : validText(file, checked, found)}\n`);
      if (malformed.count === 0) return;
      const all = formatCount(checked.samples + malformed.count);
      throw new NotPassed(
        `${path}: ${formatCount(malformed.count)} of ${all} samples are malformed`,
      );
    } finally {
      closeSync(file.fd);
    }
  },
});

function suiteToValidate(suiteId: string | undefined, path: string): Suite {
  if (suiteId !== undefined) return suiteNamed(suiteId);
  if (suiteById(path) !== undefined && !existsSync(path)) {
    throw new BadInput("<file> is required after the suite");
  }
  return recognizeSuite(path, suites, "as in assay dataset validate");
}

function validText(
  file: OpenFile,
  checked: CheckedDataset,
  { count, rows, clusters }: ReturnType<GoldFindings["finish"]>,
): string {
  const { samples, malformed, warnings } = checked;
  const notes = [counted(warnings.count, "warning"), counted(count, "finding")].join(", ");
  const counts = `${counted(samples, "sample")} valid, ${formatCount(malformed.count)} malformed, ${notes}`;
  const findings = rows.map((note) => `${noteLine(file, note)} (finding)`);
  const left = count - rows.length;
  const more = left > 0 ? [`${counted(left, "more finding")}`] : [];
  const shared =
    clusters === null
      ? []
      : [`${clusters}: if they belong together, import with --clusters likely`];
  return [...noteLines(file, checked), ...findings, ...more, ...shared, counts].join("\n");
}

/** The notes on a file's rows, joined by reason, in the file's order. */
const noteLines = (file: OpenFile, { malformed, warnings }: CheckedDataset): string[] =>
  [...joinedNotes(file, malformed.kept, ""), ...joinedNotes(file, warnings.kept, WARNING)]
    .toSorted((a, b) => a.line - b.line)
    .map(({ text }) => text);
