import type { BarsBlock } from "../../../contracts/report.ts";
import {
  asFolded,
  type BlockParts,
  intervalColumn,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { barsOfParts } from "../../../measures/report/figures/part-interval.ts";
import {
  aboveBelowLegend,
  aboveBelowTone,
} from "../../../measures/report/parts/strength-blocks.ts";
import type { CellFigures } from "../sum/breakdown/breakdown-parts.ts";
import type { ReportFacts } from "./report-facts.ts";

const charts = [
  ["byType", "Partial F1 by field type"],
  ["byDepth", "Partial F1 by depth"],
  ["byRequired", "Partial F1 of required and optional fields"],
] as const;

const partLabels = { byType: "", byDepth: "depth ", byRequired: "" };

/**
 * Fields by type, depth and requirement.
 * Source: docs/spec/extraction.md, section 7.
 * @example partSection(facts).id // "parts"
 */
export function partSection({ breakdown: { fields } }: ReportFacts): SectionParts {
  const parts = charts.flatMap(([place]) =>
    fields[place].map((cell) => ({ ...cell, name: `${partLabels[place]}${cell.name}` })),
  );
  return {
    id: "parts",
    title: "Fields by kind",
    intro:
      "Fields by expected type, depth (0: root) and whether the schema requires them; coloured if the 95% interval does not contain the partial F1 of all fields.",
    blocks: [
      charts.map(([place, title]) => partBars(title, fields[place])),
      asFolded(partTable(parts)),
    ],
  };
}

/**
 * Partial F1 of the parts of a run; coloured if they clearly differ from the run.
 * @example partBars("By type", fields.byType).bars[0]?.label // "string"
 */
export function partBars(title: string, cells: readonly CellFigures[]): BarsBlock {
  return barsOfParts({
    kind: "bars",
    title,
    format: "score",
    legend: aboveBelowLegend,
    bars: cells.map(({ name, partialF1, interval, n, standing }) => ({
      label: name,
      value: partialF1,
      interval,
      n,
      tone: aboveBelowTone(standing),
    })),
  });
}

const partTable = (parts: readonly CellFigures[]): BlockParts =>
  tableOf(
    "Precision, recall and F1 by kind",
    [
      ["name", "Fields", "text"],
      ["n", "Samples", "count"],
      ["expected", "Expected", "count"],
      ["partialPrecision", "Precision", "score"],
      ["partialRecall", "Recall", "score"],
      ["strictF1", "Strict F1", "score"],
      ["partialF1", "Partial F1", "score"],
      ["lenientF1", "Lenient F1", "score"],
      ["omissionRate", "Omission", "percent"],
    ],
    parts,
  );

/**
 * How similar the repeats of a sample are; null without repeats.
 * Source: docs/spec/extraction.md, section 11.
 * @example consistencySection(facts)?.id // "consistency"
 */
export function consistencySection({ breakdown, metrics }: ReportFacts): SectionParts | null {
  const { consistency } = breakdown;
  if (consistency === null) return null;
  return {
    id: "consistency",
    title: "Consistency",
    intro: `How alike the repeats of ${consistency.samples} samples are.`,
    blocks: tableOf(
      "Repeats",
      [
        ["measure", "Measure", "text"],
        ["value", "Value", "score"],
        intervalColumn<{ id: string }>(({ id }) => metrics[id]?.interval ?? null),
        ["n", "n", "count"],
      ],
      [
        {
          id: "outputConsistency",
          measure: "Repeats equal to the most frequent output",
          value: consistency.modalShare,
          n: consistency.samples,
        },
        {
          id: "fieldConsistency",
          measure: "Pairs of repeats that agree on a field",
          value: consistency.fieldAgreement,
          n: consistency.fields,
        },
        {
          id: "valueDeviation",
          measure: "Standard deviation of a numeric field",
          value: consistency.valueDeviation,
          n: consistency.numericFields,
        },
      ],
    ),
  };
}
