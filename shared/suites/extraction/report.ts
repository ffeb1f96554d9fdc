import type { Estimate } from "../../contracts/metric.ts";
import type { ReportBlock, ReportSection, TableBlock, Tone } from "../../contracts/report.ts";
import type { Summary } from "../../contracts/suite.ts";
import { breakdownSchema, type ExtractionBreakdown } from "./breakdown.ts";
import { modes } from "./metrics.ts";
import type { ExtractionOptions } from "./options.ts";
import { thresholds } from "./thresholds.ts";
import { eqsBands } from "./verdict.ts";

/**
 * The report of an extraction run: verdict, EQS by component, fields by category, F1 by mode, and how
 * outputs were read. Values that were not measured stay null.
 * Source: specification of the extraction suite, sections 5 and 6.
 * @example extractionReport(summary, { options })[0]?.id // "summary"
 */
export function extractionReport(
  summary: Summary,
  run: { options: ExtractionOptions },
): ReportSection[] {
  const breakdown = breakdownSchema.parse(summary.breakdown);
  return [
    verdictSection(summary, breakdown),
    componentSection(breakdown, run.options),
    fieldSection(summary, breakdown),
    outputSection(breakdown),
  ];
}

function verdictSection(summary: Summary, breakdown: ExtractionBreakdown): ReportSection {
  const eqs = summary.metrics["eqs"];
  return {
    id: "summary",
    title: "Summary",
    intro: "How good the extraction is as a whole, and what that is good enough for.",
    blocks: [
      {
        ...{ kind: "gauge", title: "EQS", min: 0, max: 1, format: "score" },
        ...{ value: eqs?.value ?? null, interval: eqs?.interval ?? null },
        zones: eqsBands.map((band) => ({ ...band })),
      },
      adviceBlock(breakdown),
      thresholdTable(breakdown),
    ],
  };
}

const adviceTones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

function adviceBlock({ recommendation, eqs, tier }: ExtractionBreakdown): ReportBlock {
  if (recommendation === null) {
    const text = "No answer was scored, so there is nothing to recommend.";
    return { kind: "note", title: "Recommendation", tone: "neutral", text };
  }
  const advice = `${recommendation[0]!.toUpperCase()}${recommendation.slice(1)}.`;
  const level =
    tier === null || tier === "fails"
      ? "At least one measure misses its minimum."
      : `Every measure meets the tier “${tier}”.`;
  return {
    ...{ kind: "note", title: "Recommendation", tone: adviceTones[recommendation] ?? "neutral" },
    text: `${advice} EQS is ${eqs.band?.toLowerCase()}. ${level}`,
  };
}

/** Limits differ in unit from row to row, so they are printed as text. */
function thresholdTable(breakdown: ExtractionBreakdown): TableBlock {
  const shown = (value: number | null, format: string) => {
    if (value === null) return null;
    if (format === "percent") return `${(value * 100).toFixed(1)}%`;
    return format === "ms" ? `${Math.round(value)} ms` : value.toFixed(3);
  };
  const columns = ["Measure", "Value", "Minimum", "Target", "Excellence", "Tier"];
  return {
    kind: "table",
    title: "Thresholds",
    columns: columns.map((label) => ({ id: label.toLowerCase(), label, format: "text" })),
    rows: thresholds.map((limits) => {
      const met = breakdown.thresholds.find((row) => row.metric === limits.metric);
      return {
        ...{ measure: limits.label, value: shown(met?.value ?? null, limits.format) },
        minimum: shown(limits.minimum, limits.format),
        target: shown(limits.target, limits.format),
        excellence: shown(limits.excellence, limits.format),
        tier: met?.tier ?? null,
      };
    }),
  };
}

const componentLabels = {
  validity: "Schema validity",
  partialF1: "Partial F1, mean of samples",
  typeAccuracy: "Type accuracy",
  noHallucination: "1 − hallucination rate",
} as const;

function componentSection(
  { eqs }: ExtractionBreakdown,
  { weights }: ExtractionOptions,
): ReportSection {
  const names = Object.keys(componentLabels) as (keyof typeof componentLabels)[];
  const columns = [
    { id: "component", label: "Component", format: "text" as const },
    ...["Value", "Weight", "Share of EQS"].map((label) => ({
      ...{ id: label.toLowerCase(), label, format: "score" as const },
    })),
  ];
  const rows = names.map((name) => {
    const value = eqs.components?.[name] ?? null;
    const share = value === null ? null : value * weights[name];
    return {
      component: componentLabels[name],
      value,
      weight: weights[name],
      "share of eqs": share,
    };
  });
  return {
    id: "components",
    title: "What EQS is made of",
    intro: "Means over all samples; an invalid output has 0 in each. The shares add up to EQS.",
    blocks: [{ kind: "table", title: "Components", columns, rows }],
  };
}

const categoryParts = [
  ["exact", "Exact", "excellent", "The value is right: the same, or as good as."],
  ["partial", "Partial", "good", "Close to the expected value; worth half."],
  ["incorrect", "Incorrect", "poor", "A value for the right field, but not the right one."],
  ["missed", "Missed", "missed", "Expected and not there; all fields of an invalid output."],
  ["spurious", "Spurious", "extra", "Predicted where nothing was expected."],
] as const;

function fieldSection(summary: Summary, { categories }: ExtractionBreakdown): ReportSection {
  return {
    id: "fields",
    title: "Fields",
    intro: "What became of each field, and what that makes of precision and recall.",
    blocks: [
      {
        ...{ kind: "stack", title: "Fields by category", unit: "fields" },
        parts: categoryParts.map(([id, label, tone, definition]) => ({
          ...{ label, tone, definition, count: categories[id] },
        })),
      },
      {
        ...{ kind: "bars", title: "F1 in the three modes", format: "score" },
        bars: modes.map((mode) => bar(mode.label, summary.metrics[`${mode.id}F1`])),
      },
    ],
  };
}

function bar(label: string, estimate: Estimate | undefined) {
  const { value = null, interval = null, n = 0 } = estimate ?? {};
  return { label, value, interval, n, tone: "neutral" as const };
}

function outputSection(breakdown: ExtractionBreakdown): ReportSection {
  const { parse, refused, empty, truncated, structuredModes, errors } = breakdown;
  const counts: [string, number][] = [
    ["Parsed at once", parse.clean],
    ["Recovered", parse.recovered],
    ["No JSON", parse.failed],
    ["Refused", refused],
    ["Empty", empty],
    ...Object.entries(errors).map(([name, count]): [string, number] => [
      `Request failed: ${name}`,
      count,
    ]),
    ["Cut off at the token limit (also counted above)", truncated],
  ];
  return {
    id: "outputs",
    title: "Outputs",
    intro: "How answers were read, and which way of asking for structure the endpoint accepted.",
    blocks: [
      countTable("Output handling", "Outcome", counts, breakdown.answers),
      countTable("Structured output", "Mode", Object.entries(structuredModes), breakdown.answers),
    ],
  };
}

function countTable(
  title: string,
  label: string,
  counts: readonly [string, number][],
  total: number,
): TableBlock {
  return {
    ...{ kind: "table", title },
    columns: [
      { id: "name", label, format: "text" },
      { id: "count", label: "Answers", format: "count" },
      { id: "share", label: "Share", format: "percent" },
    ],
    rows: counts.map(([name, count]) => ({
      name,
      count,
      share: total === 0 ? null : count / total,
    })),
  };
}
