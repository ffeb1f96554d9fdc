import { metricValue } from "../../../measures/report/charts/blocks.ts";
import { figureText, intervalText } from "../../../measures/report/figures/figure-text.ts";
import { fewestSamples } from "../../../measures/report/figures/part-interval.ts";
import type { ComparedFigure, PartCell } from "../../../measures/report/parts/strength-blocks.ts";
import { distinguishingTags } from "../../../measures/report/parts/tag-blocks.ts";
import type { ExtractionBreakdown } from "../sum/breakdown/breakdown.ts";
import type { CellFigures, GroupFigures, TagsBreakdown } from "../sum/breakdown/breakdown-parts.ts";
import { type Figure, type ReportFacts, shownMetric } from "./report-facts.ts";

/** Label prefix of each kind of part in a list of all kinds. */
const kinds = [
  ["byType", "type "],
  ["byDepth", "depth "],
  ["byRequired", ""],
  ["byComplexity", "schemas: "],
] as const;

/** Scores of whole samples. */
const ofSamples = ["eqs", "exactMatch"];

/**
 * The parts of a run. By partial F1: fields by type, depth, requirement and name path, and samples by complexity
 * of their schema and by tag. By EQS and exact match: the same samples.
 * Source: docs/spec/extraction.md, sections 6 and 7.
 * @example comparedFigures(facts)[0]?.label // "Partial F1"
 */
export function comparedFigures({ metrics, breakdown }: ReportFacts): ComparedFigure[] {
  const [bins, tags] = [binGroups(breakdown), tagGroups(breakdown)];
  const cellsOf = (groups: readonly NamedGroup[], id: string) =>
    groups.map((group) => groupCell(group, id));
  return [
    {
      label: "Partial F1",
      value: metricValue(metrics, "partialF1"),
      format: "score",
      cells: [...fieldCells(breakdown), ...cellsOf(tags, "partialF1")],
    },
    ...ofSamples.map((id): ComparedFigure => {
      const { label, format } = shownMetric(id);
      const cells = cellsOf([...bins, ...tags], id);
      return { label, format, value: metricValue(metrics, id), cells };
    }),
  ];
}

/** Samples of one kind, and their label in a list of all kinds. */
interface NamedGroup {
  label: string;
  group: GroupFigures;
}

/**
 * The samples of each complexity bin.
 * @example binGroups(breakdown)[0]?.label // "schemas: simple"
 */
const binGroups = ({ complexity }: ExtractionBreakdown): NamedGroup[] =>
  complexity.bins.map((group) => ({ label: `schemas: ${group.name}`, group }));

/**
 * The samples of each value of a tag with more than one value.
 * @example tagGroups(breakdown)[0]?.label // "language: de"
 */
const tagGroups = ({ tags }: ExtractionBreakdown): NamedGroup[] =>
  comparableGroups(tags).flatMap(([key, groups]) =>
    groups.map((group) => ({ label: `${key}: ${group.name}`, group })),
  );

function groupCell({ label, group: { n, figures } }: NamedGroup, id: string): PartCell {
  const { value = null, interval = null } = figures[id] ?? {};
  return { label, n, value, interval };
}

function fieldCells({ fields }: ExtractionBreakdown): PartCell[] {
  return [
    ...kinds.flatMap(([kind, before]) =>
      fields[kind].map(({ name, partialF1: value, interval, n }) => ({
        label: `${before}${name}`,
        value,
        interval,
        n,
      })),
    ),
    ...fields.byPath.map(({ name, partialF1: value, interval, n }) => ({
      label: name || "(root)",
      value,
      interval,
      n,
    })),
  ];
}

/**
 * The values of each tag that has more than one value with ten samples or more: a single value has nothing to
 * compare with.
 * Source: docs/spec/extraction.md, section 6.
 * @example comparableGroups(breakdown.tags)[0]?.[0] // "language"
 */
export function comparableGroups({
  groups,
}: TagsBreakdown): [key: string, groups: TagsBreakdown["groups"]][] {
  return distinguishingTags(groups.map((group) => ({ ...group, tag: group.key })));
}

/** Fewest samples for a name path in a chart: with fewer, a share is mostly chance. */
const enoughSamples = 10;

/** Minimum share of the expected fields on such paths for a chart by path alone. */
const leastShare = 0.5;

/** The parts that charts compare. */
interface ComparedParts {
  /** Their kind as it ends a title: "field", or "type and depth". */
  by: string;
  /** Parts with their labels in the chart. */
  cells: (CellFigures & { label: string })[];
  /** Why these parts are compared instead of name paths; empty for name paths. */
  why: string;
}

/**
 * Up to `most` name paths in ten samples or more, the most frequent first. If less than half of the expected fields are
 * on such paths, as in a dataset of many schemas, field types and depths come before them. Linear except for sorting.
 * @example comparedParts(breakdown, 12).by // "field"
 */
export function comparedParts(
  { fields, categories }: Pick<ReportFacts["breakdown"], "fields" | "categories">,
  most: number,
): ComparedParts {
  const frequent = fields.byPath.filter(({ n }) => n >= enoughSamples);
  const paths = frequent
    .map((cell) => ({ ...cell, label: cell.name || "(root)" }))
    .sort((a, b) => b.expected - a.expected);
  const share = shareOn(frequent, categories);
  if (share >= leastShare) {
    const part = paths.length > most ? `, the ${most} most frequent` : "";
    return { by: `field${part}`, cells: paths.slice(0, most), why: "" };
  }
  const all = [
    ...fields.byType.map((cell) => ({ ...cell, label: `type ${cell.name}` })),
    ...fields.byDepth.map((cell) => ({ ...cell, label: `depth ${cell.name}` })),
  ];
  const large = all.filter(({ n }) => n >= enoughSamples);
  const groups = large.length > 0 ? large : all;
  const room = Math.max(0, most - groups.length);
  const few = paths.length === 0 || room === 0;
  return {
    by: few ? "type and depth" : "type, depth and frequent field",
    cells: [...groups, ...paths.slice(0, room)],
    why: ` ${rareText(share)}, so fields are grouped by type and depth${few ? "" : ", in addition to frequent paths"}.`,
  };
}

const rareText = (share: number): string =>
  share === 0
    ? `No name path is in ${enoughSamples} samples or more`
    : `Name paths in ${enoughSamples} samples or more have only ${(share * 100).toFixed(1)}% of the expected fields`;

/** 1 if no field was expected, because there is nothing to group. */
function shareOn(
  cells: readonly CellFigures[],
  { exact, partial, incorrect, missed }: ReportFacts["breakdown"]["categories"],
): number {
  const all = exact + partial + incorrect + missed;
  return all === 0 ? 1 : cells.reduce((sum, { expected }) => sum + expected, 0) / all;
}

/** A group of samples with its worst figure. */
interface WorstGroup extends NamedGroup {
  figure: Figure & { interval: [number, number] };
}

/**
 * The worst complexity bin or value of a tag by a metric, of those clearly worse than the whole run (20 samples or
 * more, 95% interval on the worse side of the run's value); null if there is none. Linear.
 * Source: docs/spec/extraction.md, sections 6 and 7.
 * @example worstGroup(facts, "validity")?.label // "schemas: complex"
 */
export function worstGroup({ metrics, breakdown }: ReportFacts, id: string): WorstGroup | null {
  const whole = metrics[id]?.value ?? null;
  const metric = shownMetric(id);
  if (whole === null) return null;
  const sign = metric.better === "higher" ? 1 : -1;
  const worse = [...binGroups(breakdown), ...tagGroups(breakdown)].flatMap(
    (named): WorstGroup[] => {
      const { n, figures } = named.group;
      const { value, interval } = figures[id] ?? {};
      if (n < fewestSamples || value === undefined || !interval) return [];
      const nearest = sign > 0 ? interval[1] : interval[0];
      if (sign * (nearest - whole) >= 0) return [];
      const cell = `${metric.label}, ${named.label}`;
      return [{ ...named, figure: { cell, format: metric.format, value, interval, n } }];
    },
  );
  const [worst = null] = worse.sort((a, b) => sign * (a.figure.value - b.figure.value));
  return worst;
}

/**
 * A sentence on where a metric is clearly worst, with a space before it; empty if there is no such part.
 * @example worstText(facts, "validity") // " Worst for schemas: complex, 58.3% (95% interval …, n = 24)."
 */
export function worstText(facts: ReportFacts, id: string): string {
  const worst = worstGroup(facts, id);
  if (worst === null) return "";
  const { value, interval, format, n } = worst.figure;
  return ` Worst for ${worst.label}, ${figureText(value, format)} (95% interval ${intervalText(interval, format)}, n = ${figureText(n, "count")}): start there.`;
}
