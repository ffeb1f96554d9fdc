import type { Estimates } from "../../../contracts/metric.ts";
import type { ReportBlock, SampleFilter } from "../../../contracts/report.ts";
import {
  asFolded,
  type Column,
  foldedLast,
  metricValue,
  type NamedMetric,
  note,
  type SectionParts,
  tableOf,
  withSamples,
} from "../charts/blocks.ts";
import { stepsLegend, type ToneSteps, toneOf } from "../charts/tone-steps.ts";
import { intervalText } from "../figures/figure-text.ts";
import { barsOfParts, belowParts, partInterval } from "../figures/part-interval.ts";
import type { ComparedFigure, PartCell } from "./strength-blocks.ts";

/** A part of a run, such as the answers with one value of a tag. */
interface Part {
  name: string;
  n: number;
  figures: Readonly<
    Record<string, { value: number; interval: readonly [number, number] | null } | undefined>
  >;
}

/** The answers with one value of a tag. */
type TagPart = Part & { tag: string };

/** The figures shown for parts: the first as bars with intervals, all of them in the table. */
export interface PartFigures {
  figures: readonly [NamedMetric, ...NamedMetric[]];
  steps: ToneSteps;
  /** What `n` counts. */
  things: string;
}

/** Maximum number of tags shown, and of values for each. */
const mostTags = 3;
const mostParts = 8;

/**
 * Parts of a run: their main figure as bars with intervals, and a table of all figures. Both show the first eight
 * parts; `which` describes the selection, `samplesOf` the samples of a part. Empty without parts.
 * @example partBlocks("User", users, { figures: [f1], steps, things: "Sessions" })[0]?.title // "F1 by user"
 */
export function partBlocks(
  name: string,
  parts: readonly Part[],
  { figures, steps, things }: PartFigures,
  which = "first",
  samplesOf?: (part: string) => SampleFilter,
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
      const linked = samplesOf && { samples: samplesOf(label) };
      return { label, value, interval: ends, n, tone: toneOf(value, steps), ...linked };
    }),
  });
  const [table, ...more] = tableOf(
    `Figures by ${by}${part}`,
    [
      ["name", name, "text"],
      valueColumn(main),
      [
        "interval",
        "95% interval",
        "figure",
        ({ n, figures: known }) =>
          intervalText(partInterval(n, known[main.id]?.interval ?? null), main.format),
      ],
      ...figures.slice(1).map(valueColumn),
      ["n", things, "count"],
    ],
    shown,
  );
  const [linked] =
    samplesOf === undefined ? [table] : withSamples([table], shown, (its) => samplesOf(its.name));
  return [bars, ...asFolded([{ ...linked, ...belowParts(bars.bars) }, more])];
}

const valueColumn = ({ id, label, format }: NamedMetric): Column<Part> => [
  id,
  label,
  format,
  ({ figures }) => figures[id]?.value ?? null,
];

/** If not all values are shown, those with most answers come first. */
const largestFirst = <Its extends Part>(parts: readonly Its[]): readonly Its[] =>
  parts.length <= mostParts ? parts : [...parts].sort((a, b) => b.n - a.n);

/**
 * Parts by tag, for the first three tags with more than one value; a sentence names the others.
 * @example tagBlocks([], { figures: [overall], steps, things: "Answers" }) // []
 */
export function tagBlocks(tags: readonly TagPart[], shown: PartFigures): ReportBlock[] {
  const byTag = distinguishingTags(tags);
  const left = byTag.slice(mostTags).map(([tag]) => tag);
  const text = `The run's breakdown in the API has ${left.join(", ")}, too.`;
  return [
    ...foldedLast(
      byTag.slice(0, mostTags).map(([tag, parts]) =>
        partBlocks(tag, largestFirst(parts), shown, "largest", (name) => ({
          tag: `${tag}:${name}`,
        })),
      ),
    ),
    ...(left.length === 0 ? [] : [note("More tags", text)]),
  ];
}

/**
 * The section of tags; it has no blocks if no tag has more than one value. `things` names the tagged items.
 * @example tagSection([], shown).blocks // []
 */
export const tagSection = (
  tags: readonly TagPart[],
  shown: PartFigures,
  things = "samples",
): SectionParts => ({
  id: "tags",
  title: "By tag",
  intro: `Figures by the tags of the dataset's ${things}.`,
  blocks: tagBlocks(tags, shown),
});

/**
 * The values of each tag with several values, with one of their figures. Empty without such tags.
 * @example tagCells(breakdown.tags, "f1")[0]?.label // "domain law"
 */
export const tagCells = (tags: readonly TagPart[], figure: string): PartCell[] =>
  distinguishingTags(tags).flatMap(([tag, parts]) =>
    parts.map(({ name, n, figures }) => {
      const { value = null, interval = null } = figures[figure] ?? {};
      return { label: `${tag} ${name}`, value, interval, n };
    }),
  );

/**
 * Groups of samples by tag, in input order, without tags that have a single value. Empty if no tag remains. Linear.
 * @example distinguishingTags([{ tag: "lang", name: "en" }]) // []
 */
export function distinguishingTags<Group extends { tag: string }>(
  groups: readonly Group[],
): [tag: string, groups: Group[]][] {
  return [...Map.groupBy(groups, ({ tag }) => tag)].filter(([, its]) => its.length > 1);
}

/**
 * Comparison of tag values: a metric over the run, and over the samples of each value. Null if it was not measured;
 * without cells if every tag has a single value.
 * @example comparedByTag(metric, facts).cells[0]?.label // "domain law"
 */
export const comparedByTag = (
  { id, label, format }: NamedMetric,
  { metrics, breakdown }: { metrics: Estimates; breakdown: { tags: readonly TagPart[] } },
): ComparedFigure => ({
  label,
  format,
  value: metricValue(metrics, id),
  cells: tagCells(breakdown.tags, id),
});
