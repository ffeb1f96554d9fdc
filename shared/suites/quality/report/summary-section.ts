import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { brief } from "../../../measures/report/blocks.ts";
import { intervalNote } from "../../../measures/report/interval-basis.ts";
import { metricRadar } from "../../../measures/report/metric-radar.ts";
import { type StandingCell, standingBlocks } from "../../../measures/report/standing-blocks.ts";
import { toneGauge } from "../../../measures/report/tone-gauge.ts";
import { partIds, qualityMetricIds } from "../metric-ids.ts";
import { labelOf, qualityMetrics } from "../metrics.ts";
import { bars, type ReportFacts, steps } from "./report-facts.ts";

const headline = qualityMetrics[0]!;

/**
 * Overall quality on its scale, the five metrics, and which tags differ from the whole.
 * Source: specification of the quality suite, overall.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection({ metrics, breakdown, options }: ReportFacts): ReportSection {
  const formula = partIds
    .map((id) => `${options.weights[id]} · ${labelOf(id).toLowerCase()}`)
    .join(" + ");
  return {
    id: "summary",
    title: "Summary",
    intro: `Each metric follows from the text of a response alone. Overall = ${formula}.`,
    blocks: [
      ...brief<ReportBlock>([
        toneGauge(headline, metrics["overall"], steps),
        bars("Quality", qualityMetricIds, metrics),
      ]),
      ...intervalNote(breakdown.units),
      metricRadar(
        "The five metrics",
        partIds.map((id) => ({ id })),
        metrics,
        qualityMetrics,
      ),
      ...standingBlocks(tagCells(breakdown), {
        ...{ label: headline.label, value: metrics["overall"]?.value ?? null, format: "score" },
      }),
    ],
  };
}

/**
 * Values of tags with their overall quality.
 * @example tagCells(breakdown)[0]?.label // "domain science"
 */
export const tagCells = ({ tags }: Pick<ReportFacts["breakdown"], "tags">): StandingCell[] =>
  tags.map(({ tag, name, n, figures }) => {
    const { value = null, interval = null } = figures["overall"] ?? {};
    return { label: `${tag} ${name}`, value, interval, n };
  });
