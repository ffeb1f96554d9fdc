import { verdictBlocks } from "../../../measures/report/advice/recommendation-note.ts";
import {
  asBrief,
  asFolded,
  metricBars,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { shareSteps, toneGauge } from "../../../measures/report/charts/tone-steps.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import {
  limitsOf,
  type Reading,
  serviceReadings,
} from "../../../measures/report/figures/reading.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { slotsMetrics } from "../metrics.ts";
import { slotsAdvice } from "./advice-rules.ts";
import { comparedFigures, type ReportFacts } from "./report-facts.ts";

const headline = slotsMetrics[0]!;

/**
 * F1 on its scale, its components, and which topics, users, sessions and tags differ from the whole.
 * Source: docs/spec/slots.md, metrics.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown, options } = facts;
  const remembered =
    options.memory === "cumulative"
      ? "The model was given what it had stored of the user's earlier sessions."
      : "Each session was read on its own.";
  const clusters =
    breakdown.units.kind === "clusters" ? " A cluster of samples is a user with all sessions." : "";
  const bars = metricBars("Slots stored", ["f1", "precision", "recall", "f1Macro"], metrics, {
    catalogue: slotsMetrics,
    steps: shareSteps,
  });
  const axes = ["precision", "recall", "valueF1", "tokenF1"].map((id) => ({ id }));
  return {
    id: "summary",
    title: "Summary",
    intro: `A slot is a field of a topic and counts as stored with any value. ${remembered}${clusters}`,
    blocks: [
      asBrief(toneGauge(headline, metrics["f1"], shareSteps)),
      verdictBlocks(metrics, {
        readings: slotsReadings,
        catalogue: slotsMetrics,
        headline: "f1",
        advice: slotsAdvice(facts),
        parts: comparedFigures(facts)[0],
      }),
      intervalNote(breakdown.units),
      strengthBlocks(comparedFigures(facts)),
      asFolded([asBrief(bars), metricRadar("Slots and values", axes, metrics, slotsMetrics)]),
    ],
  };
}

const share = (metric: string): Reading => ({ metric, limits: limitsOf(shareSteps) });

/**
 * How the suite reads its metrics: whether slots are stored, and with which values. The limits are a reading aid
 * of this project.
 */
export const slotsReadings: readonly Reading[] = [
  ...["f1", "precision", "recall", "valueF1"].map(
    (metric): Reading => ({ ...share(metric), decides: true }),
  ),
  share("tokenF1"),
  ...serviceReadings,
];
