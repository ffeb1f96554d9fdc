import type { Metric } from "../../../contracts/metric.ts";
import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { asFolded, foldedLast, tableOf } from "../charts/blocks.ts";
import { stepsLegend, type ToneSteps, toneOf } from "../charts/tone-steps.ts";

import { intervalText } from "../figures/figure-text.ts";
import { barsOfParts, belowParts, partInterval } from "../figures/part-interval.ts";
import { distinguishingTags } from "./tag-cells.ts";

/** A part of a run, such as the answers with one value of a tag. */
interface Part {
  name: string;
  n: number;
  figures: Readonly<
    Record<string, { value: number; interval: readonly [number, number] | null } | undefined>
  >;
}

/** Which figures of parts are shown: the first as bars with intervals, all of them in the table. */
export interface PartFigures {
  figures: readonly [Pick<Metric, "id" | "label" | "format">, ...PartFigure[]];
  steps: ToneSteps;
  /** What `n` counts. */
  things: string;
}
type PartFigure = Pick<Metric, "id" | "label" | "format">;

/** Tags that are shown, and of each its values. */
const mostTags = 3;
const mostParts = 8;

/**
 * Parts of a run side by side: their main figure as bars with intervals, and a table of all figures, both of
 * the first eight, of which `which` says what they are. Nothing without parts.
 * @example partBlocks("User", users, { figures: [f1], steps, things: "Sessions" })[0]?.title // "F1 by user"
 */
export function partBlocks(
  name: string,
  parts: readonly Part[],
  { figures, steps, things }: PartFigures,
  which = "first",
): ReportBlock[] {
  if (parts.length === 0) return [];
  const [main] = figures;
  const by = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const shown = parts.slice(0, mostParts);
  const part = parts.length > mostParts ? `, the ${which} ${mostParts} of ${parts.length}` : "";
  const bars = barsOfParts({
    kind: "bars",
    title: `${main.label} by ${by}${part}`,
    format: main.format,
    legend: stepsLegend(steps, main.format),
    bars: shown.map(({ name: label, n, figures: known }) => {
      const { value = null, interval = null } = known[main.id] ?? {};
      const ends: [number, number] | null = interval === null ? null : [interval[0], interval[1]];
      return { label, value, interval: ends, n, tone: toneOf(value, steps) };
    }),
  });
  const [table, ...more] = tableOf(
    `Figures by ${by}${part}`,
    [
      ["name", name, "text"],
      [main.id, main.label, main.format],
      ["interval", "95% interval", "figure"],
      ...figures
        .slice(1)
        .map(({ id, label, format }): [string, string, typeof format] => [
          ...([id, label, format] as const),
        ]),
      ["n", things, "count"],
    ],
    shown.map(({ name: label, n, figures: known }): TableBlock["rows"][number] => ({
      ...Object.fromEntries(figures.map(({ id }) => [id, known[id]?.value ?? null])),
      name: label,
      n,
      interval: intervalText(partInterval(n, known[main.id]?.interval ?? null), main.format),
    })),
  );
  return [bars, ...asFolded<ReportBlock>([{ ...table, ...belowParts(bars.bars) }, ...more])];
}

/** Of more values than are shown those of most answers come first. */
const largestFirst = <Its extends Part>(parts: readonly Its[]): readonly Its[] =>
  parts.length <= mostParts ? parts : [...parts].sort((a, b) => b.n - a.n);

/**
 * Parts by tag with more than one value, for the first three such tags; a sentence names the others.
 * @example tagBlocks([], { figures: [overall], steps, things: "Answers" }) // []
 */
export function tagBlocks(
  tags: readonly (Part & { tag: string })[],
  shown: PartFigures,
): ReportBlock[] {
  const byTag = distinguishingTags(tags);
  const left = byTag.slice(mostTags).map(([tag]) => tag);
  const text = `The run's breakdown in the API has ${left.join(", ")}, too.`;
  return [
    ...foldedLast(
      byTag
        .slice(0, mostTags)
        .flatMap(([tag, parts]) => partBlocks(tag, largestFirst(parts), shown, "largest")),
    ),
    ...(left.length === 0
      ? []
      : [{ kind: "note", title: "More tags", tone: "neutral", text } as const]),
  ];
}
