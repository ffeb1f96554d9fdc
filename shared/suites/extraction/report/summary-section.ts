import type { ReportBlock, ReportSection, TableBlock, Tone } from "../../../contracts/report.ts";
import { brief } from "../../../measures/report/blocks.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import { thresholds } from "../thresholds.ts";
import { eqsBands } from "../verdict.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * EQS on its scale, what it is good enough for, and which thresholds are met.
 * Source: specification of the extraction suite, section 6.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection({ metrics, breakdown }: ReportFacts): ReportSection {
  const eqs = metrics["eqs"];
  return {
    id: "summary",
    title: "Summary",
    intro: "How good the extraction is as a whole, and what that is good enough for.",
    blocks: brief<ReportBlock>([
      {
        ...{ kind: "gauge", title: "EQS", min: 0, max: 1, format: "score" },
        ...{ value: eqs?.value ?? null, interval: eqs?.interval ?? null },
        zones: eqsBands.map((band) => ({ ...band })),
      },
      adviceBlock(breakdown),
      thresholdTable(breakdown),
      ...resamplingNote(breakdown),
    ]),
  };
}

const adviceTones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

function adviceBlock({ recommendation, eqs, thresholds: met }: ExtractionBreakdown): ReportBlock {
  if (recommendation === null) {
    const text = "No answer was scored, so there is nothing to recommend.";
    return { kind: "note", title: "Recommendation", tone: "neutral", text };
  }
  const advice = `${recommendation}.`;
  return {
    ...{ kind: "note", title: "Recommendation", tone: adviceTones[recommendation] ?? "neutral" },
    text: `By EQS (${eqs.band?.toLowerCase()}) and hallucination rate alone: ${advice} ${tierText(met)}`,
  };
}

function tierText(met: ExtractionBreakdown["thresholds"]): string {
  const failed = thresholds
    .filter(({ metric }) => met.find((row) => row.metric === metric)?.tier === "fails")
    .map(({ label }) => label);
  if (failed.length > 0) return `Below the minimum: ${failed.join(", ")}.`;
  const tier = (["minimum", "target", "excellence"] as const).find((one) =>
    met.some((row) => row.tier === one),
  );
  return `Every measure meets the tier “${tier}”.`;
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

/** Said wherever something else than single samples is resampled. */
function resamplingNote({ units, clusters }: ExtractionBreakdown): ReportBlock[] {
  if (units.kind === "samples") return [];
  const text =
    clusters === null
      ? `A run of this size is kept in ${units.count} random groups of samples: intervals resample these, percentiles of time are within 0.1%, and paired comparisons go by group.`
      : `Intervals resample the ${clusters} clusters that samples belong to, since samples of one cluster are not independent.`;
  return [{ kind: "note", title: "Intervals", tone: "neutral", text }];
}
