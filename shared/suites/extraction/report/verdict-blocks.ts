import type { NoteBlock, ReportBlock, TableBlock, Tone } from "../../../contracts/report.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import { thresholds } from "../thresholds.ts";

/**
 * What a run of `n` samples is good enough for, and which thresholds it meets.
 * Source: specification of the extraction suite, section 6.
 * @example verdictBlocks(breakdown, 72)[1]?.title // "Thresholds"
 */
export function verdictBlocks(breakdown: ExtractionBreakdown, n: number): ReportBlock[] {
  return [recommendationNote(breakdown, n), thresholdTable(breakdown)];
}

const tones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

/** A recommendation that rests on fewer samples is none. */
const leastSamples = 20;

function recommendationNote(
  { recommendation, eqs, thresholds: met }: ExtractionBreakdown,
  n: number,
): NoteBlock {
  if (recommendation === null) {
    const text = "No answer was scored, so there is nothing to recommend.";
    return { kind: "note", title: "Recommendation", tone: "neutral", text };
  }
  if (n < leastSamples) {
    const text = `The run rests on ${n} ${n === 1 ? "sample" : "samples"}, too few to recommend anything: ${leastSamples} are the least.`;
    return { kind: "note", title: "Recommendation", tone: "neutral", text };
  }
  const failed = failedLabels(met);
  const tone = failed.length > 0 ? "poor" : (tones[recommendation] ?? "neutral");
  const verdict = `By EQS (${eqs.band?.toLowerCase()}) and hallucination rate alone: ${recommendation}.`;
  const text =
    failed.length > 0
      ? `Below the minimum: ${failed.join(", ")}. ${verdict}`
      : `${verdict} ${tierText(met)}`;
  return { kind: "note", title: "Recommendation", tone, text };
}

const failedLabels = (met: ExtractionBreakdown["thresholds"]): string[] =>
  thresholds
    .filter(({ metric }) => met.find((row) => row.metric === metric)?.tier === "fails")
    .map(({ label }) => label);

function tierText(met: ExtractionBreakdown["thresholds"]): string {
  const tier = (["minimum", "target", "excellence"] as const).find((one) =>
    met.some((row) => row.tier === one),
  );
  const known = met.every(({ tier: its }) => its !== null)
    ? "Every measure"
    : "Every known measure";
  return `${known} meets the tier “${tier}”.`;
}

/** Limits differ in unit from row to row, so they are printed as text. */
function thresholdTable(breakdown: ExtractionBreakdown): TableBlock {
  const figures = ["Value", "Minimum", "Target", "Excellence"];
  const columnOf = (label: string, format: "text" | "figure") => ({
    ...{ id: label.toLowerCase(), label, format },
  });
  return {
    kind: "table",
    title: "Thresholds",
    columns: [
      columnOf("Measure", "text"),
      ...figures.map((label) => columnOf(label, "figure")),
      columnOf("Tier", "text"),
    ],
    rows: thresholds.map((limits) => {
      const met = breakdown.thresholds.find((row) => row.metric === limits.metric);
      return {
        ...{ measure: limits.label, value: figureText(met?.value ?? null, limits.format) },
        minimum: figureText(limits.minimum, limits.format),
        target: figureText(limits.target, limits.format),
        excellence: figureText(limits.excellence, limits.format),
        tier: met?.tier ?? null,
      };
    }),
  };
}
