import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { soundAdvice } from "../../../measures/report/advice.ts";
import { brief } from "../../../measures/report/blocks.ts";
import { comparedByTag } from "../../../measures/report/compared-by-tag.ts";
import { glanceBlocks } from "../../../measures/report/glance-blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { metricRadar } from "../../../measures/report/metric-radar.ts";
import { measureReadings } from "../../../measures/report/reading.ts";
import { recommendationNote } from "../../../measures/report/recommendation-note.ts";
import { standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { toneGauge } from "../../../measures/report/tone-gauge.ts";
import { partIds, qualityMetricIds } from "../metric-ids.ts";
import { labelOf, qualityMetrics } from "../metrics.ts";
import { qualityAdvice } from "./advice-rules.ts";
import { qualityReadings } from "./readings.ts";
import { bars, type ReportFacts, steps } from "./report-facts.ts";

const headline = qualityMetrics[0]!;

/**
 * Overall quality on its scale, the five metrics, and which tags differ from the whole.
 * Source: specification of the quality suite, overall.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): ReportSection {
  const { metrics, options, breakdown } = facts;
  const formula = partIds
    .map((id) => `${options.weights[id]} · ${labelOf(id).toLowerCase()}`)
    .join(" + ");
  return {
    id: "summary",
    title: "Summary",
    intro: `Each metric follows from the text of a response alone. Overall = ${formula}.`,
    blocks: [
      ...brief<ReportBlock>([toneGauge(headline, metrics["overall"], steps)]),
      ...verdictBlocks(facts),
      ...brief<ReportBlock>([bars("Quality", qualityMetricIds, metrics)]),
      ...intervalNote(breakdown.units),
      metricRadar(
        "The five metrics",
        partIds.map((id) => ({ id })),
        metrics,
        qualityMetrics,
      ),
      ...standingBlocks([comparedByTag(headline, facts)]),
    ],
  };
}

function verdictBlocks(facts: ReportFacts): ReportBlock[] {
  const { value = null, n = 0 } = facts.metrics["overall"] ?? {};
  const measured = measureReadings(qualityReadings, facts.metrics, qualityMetrics);
  const [advice, parts] = [soundAdvice(qualityAdvice(facts)), comparedByTag(headline, facts)];
  return [
    recommendationNote({ measured, n, isScored: value !== null, advice, parts }),
    ...glanceBlocks(measured, { isOwn: true }),
  ];
}
