import type { Dataset, ListedDataset } from "#shared/contracts/dataset.ts";
import { printable } from "../printable.ts";
import { formatCount } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";

/** As many digits as tell versions apart. */
const VERSION_DIGITS = 12;

const head = ["name", "suite", "version", "samples", "malformed", "warnings", "created"];
const numbers = ["samples", "malformed", "warnings"];

/** Datasets as a table. */
export function datasetsText(datasets: readonly ListedDataset[]): string {
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
export function datasetText(dataset: Dataset, others: readonly ListedDataset[]): string {
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
