import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { intervalBasis } from "#shared/measures/report/figures/interval-basis.ts";
import { formatCount, printable, textTable, wideTable, wrapText } from "../terminal/text.ts";
import type { ComparedFiles } from "./compare-paths.ts";
import { comparisonParts, type PartedText, type PartTable } from "./comparison-parts.ts";

const wholes =
  "Based on the figures of whole files, as from assay score: a missing answer scores 0.";

/** The output as text for a terminal. Colours appear only if `stream` is a terminal that shows them. */
export function terminalText({ title, about, parts }: PartedText, stream: Writable): string {
  const paint = (style: "bold" | "dim", text: string) => styleText(style, text, { stream });
  const shown = parts.flatMap((part) => [
    "",
    paint("bold", part.title),
    ...layouts(part.table).flatMap(([head = "", ...rows]) => [
      paint("dim", head),
      ...rows.map(printable),
    ]),
    ...part.notes.flatMap((note) => wrapText(printable(note))).map((line) => paint("dim", line)),
  ]);
  const heading = [title, ...about].flatMap((line) => wrapText(printable(line)));
  return [...heading, ...shown].join("\n");
}

function layouts({ head, rows, isText, mayBreak = false }: PartTable): string[][] {
  return mayBreak ? wideTable([head, ...rows]) : [textTable([head, ...rows], isText)];
}

/** The comparison of files: the input, then a table for each question. */
export function filesText(suite: Suite, compared: ComparedFiles): PartedText {
  const { comparison, samples, malformed, warnings, files } = compared;
  const { samples: common, units } = comparison.metrics[0]!;
  const counts = [
    counted(samples, "sample"),
    ...(malformed.count > 0 ? [`${formatCount(malformed.count)} malformed, left out`] : []),
    ...(warnings.count > 0 ? [counted(warnings.count, "warning")] : []),
    `${formatCount(common)} compared in ${files.length} runs`,
  ];
  const basis = intervalBasis(units);
  const left = files.flatMap(({ name, missing, missingRepeats, unscored }) => [
    ...(missing > 0 ? [`${formatCount(missing)} without a row in ${name}`] : []),
    ...(missingRepeats > 0 ? [`${counted(missingRepeats, "missing repeat")} in ${name}`] : []),
    ...(unscored > 0 ? [`${formatCount(unscored)} that can't be scored in ${name}`] : []),
  ]);
  const dataset = `dataset ${comparison.dataset.name}`;
  return {
    title: `${suite.label} (${suite.id} ${suite.version}), ${dataset}: ${counts.join(", ")}`,
    about: [
      ...(basis === null ? [] : [basis.text]),
      ...(left.length > 0 ? [`left out: ${left.join(", ")}`] : []),
    ],
    parts: comparisonParts(suite, comparison, wholes),
  };
}
