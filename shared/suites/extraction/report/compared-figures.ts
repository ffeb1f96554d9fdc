import { metricValue } from "../../../measures/report/blocks.ts";
import type { ComparedFigure, StandingCell } from "../../../measures/report/standing-blocks.ts";
import type { ExtractionBreakdown } from "../sum/breakdown/breakdown.ts";
import type { GroupFigures } from "../sum/breakdown/breakdown-parts.ts";
import { shownMetric } from "./advice/measured.ts";
import type { ReportFacts } from "./report-facts.ts";
import { tellingGroups } from "./telling-groups.ts";

/** What the parts of each kind are called in a list of all kinds. */
const kinds = [
  ["byType", "type "],
  ["byDepth", "depth "],
  ["byRequired", ""],
  ["byComplexity", "schemas: "],
] as const;

/** What a sample earns as a whole. */
const ofSamples = ["eqs", "exactMatch"];

/**
 * The parts of a run: by partial F1 fields by type, depth, requirement and name path, samples by complexity of
 * their schema and by tag; by EQS and exact match the same samples.
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

/** Samples of one kind, and what they are called in a list of all kinds. */
export interface NamedGroup {
  label: string;
  group: GroupFigures;
}

/**
 * The samples of each complexity bin.
 * @example binGroups(breakdown)[0]?.label // "schemas: simple"
 */
export const binGroups = ({ complexity }: ExtractionBreakdown): NamedGroup[] =>
  complexity.bins.map((group) => ({ label: `schemas: ${group.name}`, group }));

/**
 * The samples of each value of a tag that tells samples apart.
 * @example tagGroups(breakdown)[0]?.label // "language: de"
 */
export const tagGroups = ({ tags }: ExtractionBreakdown): NamedGroup[] =>
  tellingGroups(tags).flatMap(([key, groups]) =>
    groups.map((group) => ({ label: `${key}: ${group.name}`, group })),
  );

function groupCell({ label, group: { n, figures } }: NamedGroup, id: string): StandingCell {
  const { value = null, interval = null } = figures[id] ?? {};
  return { label, n, value, interval };
}

function fieldCells({ fields }: ExtractionBreakdown): StandingCell[] {
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
