import {
  recommendation,
  verdictBlocks,
} from "../../../measures/report/advice/recommendation-note.ts";
import {
  asBrief,
  asFolded,
  type BlockParts,
  metricNamed,
  note,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { glanceTable } from "../../../measures/report/charts/glance-blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { shareSteps, toneGauge } from "../../../measures/report/charts/tone-steps.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import {
  limitsOf,
  measureReadings,
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
      options.rankBy === "accuracy"
        ? verdictBlocks(metrics, {
            readings: pairsReadings(options),
            catalogue: pairsMetrics,
            headline: "accuracy",
            advice: pairsAdvice(facts),
            parts,
          })
        : consistencyBlocks(facts),
      intervalNote(breakdown.units),
      strengthBlocks([parts]),
      asFolded(metricRadar("Verdicts", axes, metrics, pairsMetrics)),
    ],
  };
}

/** A judge that is always wrong can be consistent. */
function consistencyBlocks({ metrics, options }: ReportFacts): BlockParts {
  const measured = measureReadings(pairsReadings(options), metrics, pairsMetrics);
  return [
    recommendation(
      "None: without labels, nothing says whether the verdicts are right, and consistency alone recommends no judge.",
    ),
    glanceTable(measured, { isOwn: true }),
  ];
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
    : [share("consistency")]),
  ...serviceReadings,
];
