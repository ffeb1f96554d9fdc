import { verdictBlocks } from "../../../measures/report/advice/recommendation-note.ts";
import {
  asBrief,
  type BlockParts,
  metricNamed,
  note,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { toneGauge } from "../../../measures/report/charts/tone-gauge.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import {
  limitsOf,
  type Reading,
  serviceReadings,
} from "../../../measures/report/figures/reading.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { comparedByTag } from "../../../measures/report/parts/tag-blocks.ts";
import { pairsMetrics } from "../metrics.ts";
import type { PairsOptions } from "../options.ts";
import { pairsAdvice, type ReportFacts } from "./advice-rules.ts";

/**
 * The figure that ranks the judge on its scale, what it is fit for, and which tags differ from the whole.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown, options } = facts;
  const ranking = metricNamed(pairsMetrics, options.rankBy);
  const parts = comparedByTag(ranking, facts);
  const axes = pairsReadings(options).flatMap(({ metric: id }) =>
    id === "latencyP95" ? [] : [{ id }],
  );
  return {
    id: "summary",
    title: "Summary",
    intro:
      "The model under test is the judge: it sees each pair in both orders, and says which answer is better.",
    blocks: [
      asBrief(toneGauge(ranking, metrics[ranking.id], shareSteps)),
      noLabels(facts),
      verdictBlocks(metrics, {
        readings: pairsReadings(options),
        catalogue: pairsMetrics,
        headline: ranking.id,
        advice: pairsAdvice(facts),
        parts,
      }),
      intervalNote(breakdown.units),
      metricRadar("Verdicts", axes, metrics, pairsMetrics),
      strengthBlocks([parts]),
    ],
  };
}

function noLabels({ breakdown: { counts, answers }, options }: ReportFacts): BlockParts {
  const none = counts["label none"] ?? 0;
  if (none === 0 || options.rankBy === "consistency") return null;
  const which = none === answers ? "The pairs have" : `${none} of ${answers} pairs have`;
  const text = `${which} no label, so nothing says whether their verdicts are right: they have no score. The option rankBy: consistency ranks judges by the agreement of both orders instead.`;
  return asBrief(note("No labels", text, "fair"));
}

const share = (metric: string): Reading => ({ metric, limits: limitsOf(shareSteps) });

/** How the suite reads its metrics. The limits are a reading aid of this project. */
export const pairsReadings = ({ rankBy }: Pick<PairsOptions, "rankBy">): readonly Reading[] => [
  ...(rankBy === "accuracy"
    ? [{ ...share("accuracy"), decides: true as const }, share("bothRight"), share("consistency")]
    : [{ ...share("consistency"), decides: true as const }]),
  ...serviceReadings,
];
