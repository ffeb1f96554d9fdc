import type { MatrixBlock, ReportBlock, SeriesBlock } from "../../../contracts/report.ts";
import {
  asFolded,
  type BlockParts,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { boxesOf } from "../../../measures/report/charts/feature-boxes.ts";
import { pointScatter, pointsText } from "../../../measures/report/charts/point-scatter.ts";
import { figureText, pText } from "../../../measures/report/figures/figure-text.ts";
import { partBars } from "./part-section.ts";
import type { ReportFacts } from "./report-facts.ts";
import { groupTable } from "./tag-section.ts";

const featureLabels = {
  totalFields: "Fields",
  requiredFields: "Required fields",
  optionalFields: "Optional fields",
  maxDepth: "Depth",
  typeDiversity: "Types",
  enumFields: "Fields with an enum",
  formatFields: "Fields with a format",
  hasArrays: "Share with arrays",
  hasNestedObjects: "Share with nested objects",
} as const;

const bins = ["simple", "medium", "complex"] as const;

/**
 * Results by complexity of the schema, and correlations with F1 and latency.
 * Source: docs/spec/extraction.md, section 7.
 * @example complexitySection(facts).id // "complexity"
 */
export function complexitySection({ breakdown, points }: ReportFacts): SectionParts {
  const { complexity, fields } = breakdown;
  return {
    id: "complexity",
    title: "Complexity of schemas",
    intro:
      "Complex: more than 15 fields or deeper than 2; simple: under 5 fields and no deeper than 1; else medium. Correlations are Pearson's, over samples.",
    blocks: [
      partBars("Partial F1 by complexity of the schema", fields.byComplexity),
      pointScatter("Partial F1 against fields of the schema", points, {
        x: {
          label: "Fields of the schema",
          format: "count",
          of: ({ features }) => numberOr(features["totalFields"]),
        },
        y: {
          label: "Partial F1",
          format: "score",
          of: ({ features }) => numberOr(features["partialF1"]),
        },
      }),
      binBoxes(points),
      correlationMap(complexity.correlations),
      asFolded(groupTable("Results by complexity", "Schemas", complexity.bins)),
      asFolded(correlationTable(complexity.correlations)),
      asFolded(featureTable(complexity.features)),
    ],
  };
}

const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);

function binBoxes(points: ReportFacts["points"]): ReportBlock[] {
  if (points === null) return [];
  const groups = bins.map((bin) => ({
    label: bin,
    values: points.points.flatMap(({ features }) => {
      const value = numberOr(features["partialF1"]);
      return features["bin"] === bin && value !== null ? [value] : [];
    }),
  }));
  const drawn = groups.filter(({ values }) => values.length > 0);
  const shown = drawn.reduce((sum, { values }) => sum + values.length, 0);
  const title = `Spread of partial F1 by complexity${pointsText(points, shown)}`;
  return boxesOf(title, { label: "Partial F1", format: "score" }, drawn);
}

type Correlations = ReportFacts["breakdown"]["complexity"]["correlations"];

/** Names that fit in a column heading. */
const shortNames: Readonly<Record<string, string>> = {
  "total fields": "Fields",
  "schema depth": "Depth",
  "required fields": "Required fields",
  "characters of the text": "Length of text",
  "characters of the output": "Length of output",
};

/** Untested pairs have no number; empty if no pair has one. */
function correlationMap(correlations: Correlations): MatrixBlock | null {
  const measured = correlations.filter(({ r }) => r !== null);
  if (measured.length === 0) return null;
  const rows = [...new Set(correlations.map(({ measure }) => measure))];
  const columns = [...new Set(correlations.map(({ by }) => by))];
  const rOf = (row: string, column: string) =>
    measured.find(({ measure, by }) => measure === row && by === column)?.r ?? null;
  return {
    kind: "matrix",
    title: "Correlations, Pearson’s r",
    rows: { label: "Measure", names: rows },
    columns: { label: "With", names: columns.map((by) => shortNames[by] ?? by) },
    cells: rows.map((row) => columns.map((column) => rOf(row, column))),
    format: "score",
    scale: "diverging",
  };
}

const correlationTable = (correlations: Correlations): BlockParts =>
  tableOf(
    "Correlations",
    [
      ["measure", "Measure", "text"],
      ["by", "With", "text"],
      ["r", "r", "score"],
      ["p", "p", "figure", ({ p }) => pText(p)],
      ["n", "Samples", "count"],
    ],
    correlations,
  );

function featureTable(features: ReportFacts["breakdown"]["complexity"]["features"]): BlockParts {
  if (features === null) return null;
  return tableOf(
    "Schemas of this run, means",
    [
      ["feature", "Feature", "text", (name) => featureLabels[name]],
      ["mean", "Mean", "count", (name) => features[name]],
    ],
    Object.keys(featureLabels) as (keyof typeof featureLabels)[],
  );
}

type Bins = NonNullable<ReportFacts["breakdown"]["calibration"]>["bins"];

/**
 * How well a model's confidence predicts its accuracy: a reliability diagram with its numbers; null without
 * confidences.
 * Source: docs/spec/extraction.md, section 11.
 * @example calibrationSection(facts)?.id // "calibration"
 */
export function calibrationSection({ breakdown }: ReportFacts): SectionParts | null {
  const { calibration } = breakdown;
  if (calibration === null) return null;
  return {
    id: "calibration",
    title: "Calibration",
    intro: `Confidence (from token probabilities) against partial F1 of ${calibration.n} answers: below the line, a model is overconfident. Expected calibration error: ${figureText(calibration.error, "score")}.`,
    blocks: [
      diagram(calibration.bins),
      asFolded(
        tableOf(
          "Confidence and accuracy",
          [
            ["bin", "Confidence", "text", ({ from, to }) => `${from.toFixed(1)}–${to.toFixed(1)}`],
            ["n", "Answers", "count"],
            ["confidence", "Mean confidence", "score"],
            ["accuracy", "Mean partial F1", "score"],
          ],
          calibration.bins,
        ),
      ),
    ],
  };
}

function diagram(bins: Bins): SeriesBlock {
  const known = bins.flatMap(({ confidence, accuracy }) =>
    confidence === null ? [] : [{ x: confidence, y: accuracy }],
  );
  const points = [{ x: 0, y: null }, ...known, { x: 1, y: null }];
  return {
    kind: "series",
    title: "Partial F1 by confidence",
    x: { label: "Mean confidence of a tenth", format: "score" },
    y: { label: "Mean partial F1", format: "score" },
    series: [
      { label: "Answers", tone: "neutral", points },
      {
        label: "Perfect calibration",
        tone: "kind3",
        points: points.map(({ x }) => ({ x, y: x })),
      },
    ],
  };
}
