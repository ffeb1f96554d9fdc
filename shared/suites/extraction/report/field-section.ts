import type {
  BarsBlock,
  ReportSection,
  ScatterBlock,
  TableBlock,
} from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import { standingLegend, standingTone } from "../../../measures/report/standing-tones.ts";
import type { CellFigures } from "../breakdown-parts.ts";
import { measures, modes } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

const categoryParts = [
  ["exact", "Exact", "right", "The value is right: the same, or as good as."],
  ["partial", "Partial", "close", "Close to the expected value; worth half."],
  ["incorrect", "Incorrect", "wrong", "A value for the right field, but not the right one."],
  ["missed", "Missed", "missed", "Expected and not there; all fields of an invalid output."],
  ["spurious", "Spurious", "extra", "Predicted where nothing was expected."],
] as const;

const compositeParts = [
  ["excellent", "Excellent", "excellent", "Composite from 0.95."],
  ["good", "Good", "good", "From 0.80."],
  ["fair", "Fair", "fair", "From 0.60."],
  ["poor", "Poor", "poor", "From 0.40."],
  ["veryPoor", "Very poor", "veryPoor", "Below 0.40."],
] as const;

/** Name paths drawn beside each other: those with the most fields. */
const mostPaths = 40;

/**
 * What became of all fields, how close the matched ones are, precision, recall and F1 in the three modes, and
 * precision against recall by name path.
 * Source: specification of the extraction suite, sections 4, 5 and 7.
 * @example fieldSection(facts).id // "fields"
 */
export function fieldSection({ metrics, breakdown }: ReportFacts): ReportSection {
  return {
    id: "fields",
    title: "Fields",
    intro:
      "What became of each field, and what that makes of precision (of what the model gave) and recall (of what was to be found). Strict credits identical values alone; partial credits close ones by half, lenient those with a composite of 0.3 or more in full.",
    blocks: [
      {
        ...{ kind: "stack", title: "Fields by category", unit: "fields" },
        parts: categoryParts.map(([id, label, tone, definition]) => ({
          ...{ label, tone, definition, count: breakdown.categories[id] },
        })),
      },
      {
        ...{ kind: "stack", title: "Matched fields by composite", unit: "matched fields" },
        parts: compositeParts.map(([id, label, tone, definition]) => ({
          ...{ label, tone, definition, count: breakdown.fields.compositeBins[id] },
        })),
      },
      modeBars(metrics),
      ...pathScatter(breakdown.fields.byPath),
      ...modeTable(metrics),
    ],
  };
}

function modeBars(metrics: ReportFacts["metrics"]): BarsBlock {
  return {
    ...{ kind: "bars", title: "F1 in the three modes", format: "score", legend: [] },
    bars: modes.map((mode) => {
      const { value = null, interval = null, n = 0 } = metrics[`${mode.id}F1`] ?? {};
      return { label: mode.label, value, interval, n, tone: "neutral" };
    }),
  };
}

function modeTable(metrics: ReportFacts["metrics"]) {
  const parts = measures.filter(({ id }) => id !== "F1");
  return tableOf(
    "Precision and recall in the three modes",
    [
      ["mode", "Mode", "text"],
      ...parts.flatMap(({ id }): [string, string, "score" | "figure"][] => [
        [id, id, "score"],
        [`${id}Interval`, "95% interval", "figure"],
      ]),
    ],
    modes.map((mode): TableBlock["rows"][number] => ({
      mode: mode.label,
      ...Object.fromEntries(
        parts.flatMap(({ id }): [string, number | string | null][] => {
          const { value = null, interval = null } = metrics[`${mode.id}${id}`] ?? {};
          return [
            [id, value],
            [`${id}Interval`, intervalText(interval)],
          ];
        }),
      ),
    })),
  );
}

/** Nothing for a single path, which the bars show. */
function pathScatter(paths: readonly CellFigures[]): ScatterBlock[] {
  if (paths.length < 2) return [];
  const shown = [...paths].sort((a, b) => b.expected - a.expected).slice(0, mostPaths);
  const part = shown.length < paths.length ? `, the ${shown.length} most frequent` : "";
  return [
    {
      ...{ kind: "scatter", title: `Precision against recall by name path${part}` },
      x: { label: "Partial recall", format: "score", scale: "linear" },
      y: { label: "Partial precision", format: "score" },
      points: shown.map((cell) => ({
        ...{ x: cell.partialRecall, y: cell.partialPrecision },
        ...{ label: cell.name || "(root)", tone: standingTone(cell.standing) },
      })),
      legend: standingLegend,
    },
  ];
}
