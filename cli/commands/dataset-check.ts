import { closeSync, existsSync } from "node:fs";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { toldSuite } from "../compare/told-suite.ts";
import { type CheckedDataset, checkDataset } from "../dataset/check-dataset.ts";
import { type DatasetFigures, FigureTally, type Spread } from "../dataset/dataset-figures.ts";
import { noteLines } from "../dataset/note-lines.ts";
import { AS_FLAG } from "../dataset/source-rows.ts";
import { NotPassed } from "../not-passed.ts";
import { printable } from "../printable.ts";
import { counted, formatCount } from "../score/format-value.ts";
import { openDataset } from "../score/open-dataset.ts";
import { malformedLines } from "../score/row-lines.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { textTable } from "../score/text-table.ts";
import { command } from "./command.ts";

const suiteIds = suites.map(({ id }) => id).join(", ");
const layouts = `one JSON object a line, one JSON array, or a folder samples/<id>/sample.json`;

/** `assay dataset stats`: what a dataset holds. */
export const datasetStatsCommand = command({
  name: "dataset stats",
  summary: "what a dataset holds: counts, tags, lengths of texts, complexity",
  help: `assay dataset stats FILE [--suite SUITE] [--json]

What the samples of a dataset are like: how many, which fields and tags they have, how long their texts are,
and what the suite states of them beside, as the complexity of schemas. Malformed samples are listed on
standard error and left out.

  FILE              ${layouts}
  --suite SUITE     ${suiteIds}; without it, as the first rows tell
  --json            print everything as one JSON object
  --help            show this

Examples
  assay dataset stats samples.jsonl
  assay dataset stats samples.jsonl --suite extraction --json`,
  flags: { suite: { type: "string" }, json: { type: "boolean" } },
  async run(values, [path, surplus], { stdout, stderr }) {
    if (path === undefined) throw new BadInput("name the dataset's file");
    if (surplus !== undefined)
      throw new BadInput(`one dataset at a time; "${surplus}" is too much`);
    const suite =
      values.suite === undefined ? toldSuite(path, suites, AS_FLAG) : chosenSuite([values.suite]);
    const file = openDataset(path);
    try {
      const tally = new FigureTally(suite);
      const checked = checkDataset(file, { suite, onSample: (sample) => tally.add(sample) });
      const figures = tally.finish();
      const left = malformedLines(path, checked);
      if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
      const json = () => JSON.stringify({ ...countsOf(checked), ...figures }, null, 2);
      stdout.write(`${values.json ? json() : statsText(checked, figures)}\n`);
    } finally {
      closeSync(file.fd);
    }
  },
});

/** `assay dataset validate`: whether every sample of a dataset can be used. */
export const datasetValidateCommand = command({
  name: "dataset validate",
  summary: "whether every sample of a dataset can be used",
  help: `assay dataset validate [suite] FILE [--json]

Lists every malformed sample of a dataset and every warning, each with file and line; of an array or a folder,
a line is a sample's place.

  [suite]           ${suiteIds}; without it, as the first rows tell
  FILE              ${layouts}
  --json            print them as one JSON object
  --help            show this

Exit code: 0 when every sample can be used, with warnings or without; 1 when one is malformed; 2 for a file
that can't be read.

Examples
  assay dataset validate samples.jsonl
  assay dataset validate extraction samples.jsonl --json`,
  flags: { json: { type: "boolean" } },
  async run(values, positionals, { stdout }) {
    const { suite, path } = toValidate(positionals);
    const file = openDataset(path);
    try {
      const checked = checkDataset(file, { suite, maxNotes: Number.POSITIVE_INFINITY });
      const { malformed, warnings } = checked;
      const json = () =>
        JSON.stringify(
          { ...countsOf(checked), malformed: malformed.kept, warnings: warnings.kept },
          null,
          2,
        );
      stdout.write(`${values.json ? json() : validText(path, checked)}\n`);
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

/** The file that is named alone or behind its suite. Throws BadInput. */
function toValidate([first, second, surplus]: string[]): { suite: Suite; path: string } {
  if (surplus !== undefined) throw new BadInput(`one dataset at a time; "${surplus}" is too much`);
  if (first === undefined) throw new BadInput("name the dataset's file");
  if (second !== undefined) return { suite: chosenSuite([first]), path: second };
  if (suiteById(first) !== undefined && !existsSync(first)) {
    throw new BadInput("name the dataset's file behind the suite");
  }
  return { suite: toldSuite(first, suites, "as in assay dataset validate"), path: first };
}

function countsOf({ suite, samples, version, malformed, warnings }: CheckedDataset) {
  return { suite, samples, version, malformed: malformed.count, warnings: warnings.count };
}

function validText(path: string, checked: CheckedDataset): string {
  const { samples, malformed, warnings } = checked;
  const counts = `${counted(samples, "sample")} can be used, ${formatCount(malformed.count)} malformed, ${counted(warnings.count, "warning")}`;
  return [...noteLines(path, checked), counts].join("\n");
}

/** Values of a tag listed at the most: one may be different in every sample. */
const MAX_VALUES = 12;

/** What a dataset holds, for a terminal. */
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

/** Nothing where the head stands alone. */
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
