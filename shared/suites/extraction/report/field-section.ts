import type { Estimates } from "../../../contracts/metric.ts";
import type { BarsBlock, ScatterBlock } from "../../../contracts/report.ts";
import {
  type BlockParts,
  type Column,
  countedParts,
  metricValue,
  noteIf,
  type SectionParts,
  type StackPart,
  stackOf,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import {
  aboveBelowLegend,
  aboveBelowTone,
} from "../../../measures/report/parts/strength-blocks.ts";
import { measures, modes } from "../metrics.ts";
import { comparedParts } from "./compared-figures.ts";
import { lostIds, lostLabels, lostTotals, lostVerdicts, missedFields } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

type Breakdown = ReportFacts["breakdown"];

const categories = [
  ["exact", "Exact", "right", "The value is right: identical or nearly identical."],
  ["partial", "Partial", "close", "Close to the expected value; worth half."],
  ["incorrect", "Incorrect", "wrong", "A value for the right field, but not the right one."],
  ["spurious", "Spurious", "extra", "Predicted where nothing was expected."],
] as const;

const lostDefinitions = {
  invalidOutput:
    "Expected, but the output is not JSON, not valid against the schema, refused or empty; none of it counts.",
  failedRequest: "Expected, but the request failed.",
} as const;

const compositeParts = [
  ["excellent", "0.95 or more", "excellent", "Nearly the expected value."],
  ["good", "0.80 to 0.95", "good", "Close to it."],
  ["fair", "0.60 to 0.80", "fair", "Partly like it."],
  ["poor", "0.40 to 0.60", "poor", "Little like it."],
  ["veryPoor", "Below 0.40", "veryPoor", "Another value."],
] as const;

/** Maximum parts in one chart. */
const mostDots = 40;

/**
 * Categories of all fields, similarity of matched fields, precision, recall and F1 in the three modes, and precision
 * against recall by name path, or by type and depth if paths are rare.
 * Source: docs/spec/extraction.md, sections 4, 5 and 7.
 * @example fieldSection(facts).id // "fields"
 */
export function fieldSection({ metrics, breakdown }: ReportFacts): SectionParts {
  return {
    id: "fields",
    title: "Fields",
    intro:
      "The category of each field, with precision and recall in three modes: strict credits identical values, partial close ones by half, lenient close ones in full.",
    blocks: [
      stackOf("Fields by category", "fields", categoryParts(breakdown)),
      stackOf(
        "Matched fields by composite",
        "matched fields",
        countedParts(breakdown.fields.compositeBins, compositeParts),
      ),
      modeBars(metrics),
      partScatter(breakdown),
      modeTable(metrics),
      noteIf("Grouped fields", comparedParts(breakdown, mostDots).why),
    ],
  };
}

function categoryParts({ categories: counts, errorAnalysis: { lost } }: Breakdown): StackPart[] {
  const totals = lostTotals(lost);
  const missed = missedFields({
    missed: counts.missed,
    invalidOutput: totals.invalidOutput.fields,
    failedRequest: totals.failedRequest.fields,
  });
  const known = countedParts(counts, categories, (verdict) => ({ verdict }));
  const lostParts = lostIds.map((id): StackPart => {
    const { label, tone } = lostLabels[id];
    const samples = { verdict: lostVerdicts[id] };
    return [label, totals[id].fields, tone, lostDefinitions[id], samples];
  });
  return [
    ...known.slice(0, -1),
    ["Missed", missed, "missed", missedDefinition(lost !== null), { verdict: "missed" }],
    ...(lost === null ? [] : lostParts),
    ...known.slice(-1),
  ];
}

const missedDefinition = (isApart: boolean): string =>
  isApart
    ? "Expected, but missing from a valid output."
    : "Expected, but missing; all fields of an invalid output or a failed request.";

const modeBars = (metrics: Estimates): BarsBlock => ({
  kind: "bars",
  title: "F1 in the three modes",
  format: "score",
  legend: [],
  bars: modes.map((mode) => {
    const { value = null, interval = null, n = 0 } = metrics[`${mode.id}F1`] ?? {};
    return { label: mode.label, value, interval, n, tone: "neutral" };
  }),
});

const modeTable = (metrics: Estimates): BlockParts =>
  tableOf(
    "Precision and recall in the three modes",
    [
      ["mode", "Mode", "text", ({ label }) => label],
      ...measures
        .filter(({ id }) => id !== "F1")
        .flatMap(({ id }): Column<(typeof modes)[number]>[] => [
          [id, id, "score", (mode) => metricValue(metrics, `${mode.id}${id}`)],
          [
            `${id}Interval`,
            "95% interval",
            "figure",
            (mode) => intervalText(metrics[`${mode.id}${id}`]?.interval ?? null),
          ],
        ]),
    ],
    modes,
  );

function partScatter(breakdown: Breakdown): ScatterBlock | null {
  const { by, cells, why } = comparedParts(breakdown, mostDots);
  if (cells.length < 2) return null;
  return {
    kind: "scatter",
    title: `Precision against recall by ${by}`,
    x: { label: "Partial recall", format: "score", scale: "linear" },
    y: { label: "Partial precision", format: "score" },
    points: cells.map((cell) => ({
      x: cell.partialRecall,
      y: cell.partialPrecision,
      label: cell.label,
      tone: aboveBelowTone(cell.standing),
      ...(why === "" && { samples: { path: cell.label, verdict: "wrong" } }),
    })),
    legend: aboveBelowLegend,
  };
}
