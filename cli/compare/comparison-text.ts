import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Suite } from "#shared/contracts/suite.ts";
import { intervalBasis } from "#shared/measures/report/interval-basis.ts";
import { printable } from "../printable.ts";
import { counted, formatCount } from "../score/format-value.ts";
import type { ComparedFiles } from "./compare-paths.ts";
import { differencesText, effectsText, standingsText } from "./headline-text.ts";
import { bestText, differingText, otherMetricsText } from "./overview-text.ts";
import type { TextPart } from "./text-part.ts";
import { wrapped } from "./wrapped.ts";

type Paint = (style: "bold" | "dim", text: string) => string;

/**
 * The comparison for a terminal: what was compared, then a table for each question. Colours appear only
 * where `stream` is a terminal that shows them.
 */
export function comparisonText(suite: Suite, compared: ComparedFiles, stream: Writable): string {
  const paint: Paint = (style, text) => styleText(style, text, { stream });
  const { comparison } = compared;
  const [headline] = comparison.metrics;
  const metric = suite.metrics.find(({ id }) => id === suite.headline);
  if (headline === undefined || metric === undefined) throw new Error("nothing was compared");
  const parts = [
    standingsText(headline, metric),
    differencesText(headline, metric),
    effectsText(headline, metric),
    otherMetricsText(suite, comparison.metrics),
    bestText(suite, comparison),
    differingText(suite, comparison),
  ];
  return [
    ...headerLines(suite, compared),
    ...parts.flatMap((part) => (part === null ? [] : partLines(part, paint))),
  ].join("\n");
}

function headerLines(
  suite: Suite,
  { comparison, samples, malformed, warnings, files }: ComparedFiles,
): string[] {
  const { samples: common, units } = comparison.metrics[0]!;
  const counts = [
    counted(samples, "sample"),
    ...(malformed.count > 0 ? [`${formatCount(malformed.count)} malformed, left out`] : []),
    ...(warnings.count > 0 ? [counted(warnings.count, "warning")] : []),
    `${formatCount(common)} compared in ${files.length} runs`,
  ];
  const basis = intervalBasis(units);
  const left = files.flatMap(({ name, missing, unscored }) => [
    ...(missing > 0 ? [`${formatCount(missing)} without a row in ${name}`] : []),
    ...(unscored > 0 ? [`${formatCount(unscored)} that can't be scored in ${name}`] : []),
  ]);
  const dataset = `dataset ${comparison.dataset.name}`;
  return [
    ...wrapped(`${suite.label} (${suite.id} ${suite.version}), ${dataset}: ${counts.join(", ")}`),
    ...(basis === null ? [] : wrapped(basis.text)),
    ...(left.length > 0 ? wrapped(`left out: ${left.join(", ")}`) : []),
  ].map(printable);
}

function partLines({ title, tables, notes }: TextPart, paint: Paint): string[] {
  return [
    "",
    paint("bold", title),
    ...tables.flatMap(([head = "", ...rows]) => [paint("dim", head), ...rows.map(printable)]),
    ...notes.map((note) => paint("dim", printable(note))),
  ];
}
