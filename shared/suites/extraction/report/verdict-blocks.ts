import type { NoteBlock, ReportBlock, TableBlock, Tone } from "../../../contracts/report.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import { thresholds } from "../thresholds.ts";

/**
 * What a run is good enough for, and which thresholds it meets.
 * Source: specification of the extraction suite, section 6.
 * @example verdictBlocks(breakdown)[1]?.title // "Thresholds"
 */
export function verdictBlocks(breakdown: ExtractionBreakdown): ReportBlock[] {
  return [recommendationNote(breakdown), thresholdTable(breakdown)];
}

const tones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

function recommendationNote({
  recommendation,
  eqs,
  thresholds: met,
}: ExtractionBreakdown): NoteBlock {
  if (recommendation === null) {
    const text = "No answer was scored, so there is nothing to recommend.";
    return { kind: "note", title: "Recommendation", tone: "neutral", text };
  }
  const verdict = `${recommendation}.`;
  return {
    ...{ kind: "note", title: "Recommendation", tone: tones[recommendation] ?? "neutral" },
    text: `By EQS (${eqs.band?.toLowerCase()}) and hallucination rate alone: ${verdict} ${tierText(met)}`,
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
  const columns = ["Measure", "Value", "Minimum", "Target", "Excellence", "Tier"];
  return {
    kind: "table",
    title: "Thresholds",
    columns: columns.map((label) => ({ id: label.toLowerCase(), label, format: "text" })),
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
