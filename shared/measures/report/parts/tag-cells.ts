import type { Estimate, Metric } from "../../../contracts/metric.ts";
import { metricValue } from "../charts/blocks.ts";
import type { ComparedFigure, PartCell } from "./strength-blocks.ts";

/** Answers with one value of a tag. */
interface TagPart {
  tag: string;
  name: string;
  n: number;
  figures: Readonly<
    Record<string, { value: number; interval: readonly [number, number] | null } | undefined>
  >;
}

/**
 * The values of each tag with more than one, with one of their figures. Empty without such tags.
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
 * Groups of samples by tag, in input order, without tags of a single value, which distinguish nothing.
 * Empty without such a tag. Linear.
 * @example distinguishingTags([{ tag: "lang", name: "en" }]) // []
 */
export function distinguishingTags<Group extends { tag: string }>(
  groups: readonly Group[],
): [tag: string, groups: Group[]][] {
  const byTag = new Map<string, Group[]>();
  for (const group of groups) {
    const known = byTag.get(group.tag);
    if (known === undefined) byTag.set(group.tag, [group]);
    else known.push(group);
  }
  return [...byTag].filter(([, its]) => its.length > 1);
}

/**
 * Comparison of tag values: a metric over the run, and over the samples of each value. Null if it was not
 * measured; without cells if every tag has a single value.
 * @example comparedByTag(metric, facts).cells[0]?.label // "domain law"
 */
export const comparedByTag = (
  { id, label, format }: Pick<Metric, "id" | "label" | "format">,
  facts: {
    metrics: Readonly<Record<string, Estimate>>;
    breakdown: { tags: Parameters<typeof tagCells>[0] };
  },
): ComparedFigure => ({
  label,
  format,
  value: metricValue(facts.metrics, id),
  cells: tagCells(facts.breakdown.tags, id),
});
