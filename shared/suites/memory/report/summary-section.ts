import { verdictBlocks } from "../../../measures/report/advice/recommendation-note.ts";
import {
  alsoNote,
  asBrief,
  asFolded,
  type BlockParts,
  note,
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
import { referenceBars } from "../../../measures/report/figures/reference-bars.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { comparedByTag } from "../../../measures/report/parts/tag-blocks.ts";
import { memoryMetrics } from "../metrics.ts";
import { references } from "../score/mcs.ts";
import { memoryAdvice } from "./advice-rules.ts";
import { levelLimits, type ReportFacts } from "./report-facts.ts";

const headline = memoryMetrics[0]!;

/**
 * The memory citation score on its scale, its largest components, what reduces it, and which tags differ from
 * the whole.
 * Source: docs/spec/memory.md, memory citation score.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown, options } = facts;
  const { weights } = options;
  const formula = [
    `${weights.memory.toFixed(2)} · memory F1`,
    `${weights.groundedness.toFixed(2)} · groundedness`,
    `${weights.safety.toFixed(2)} · safety`,
    `${weights.helpfulness.toFixed(2)} · helpfulness`,
    `${weights.others.toFixed(2)} · mean of the other eight`,
  ].join(" + ");
  const scoreText = `Memory citation score = ${formula}, with levels 1–5 converted by (x − 1)/4. Grounded, harmless text scores ${(weights.groundedness + weights.safety).toFixed(2)} without using any memory.`;
  return {
    id: "summary",
    title: "Summary",
    intro:
      "Mean over samples of the memory citation score, which weighs use of memory, groundedness, safety and helpfulness.",
    blocks: [
      asBrief(toneGauge(headline, metrics["mcs"], shareSteps)),
      verdictBlocks(metrics, {
        readings: memoryReadings,
        catalogue: memoryMetrics,
        headline: "mcs",
        advice: memoryAdvice(facts),
        parts: comparedByTag(headline, facts),
      }),
      intervalNote(breakdown.units),
      unscoredNote(breakdown),
      strengthBlocks([comparedByTag(headline, facts)]),
      alsoNote(breakdown.counts, [
        ["status error", "requests failed, score 0 and are not judged"],
        ["status empty", "answers are empty, with MCS 0 and a fixed value for each metric"],
        ["status refused", "answers are refusals, judged by their text"],
        ["truncated", "answers were cut off at the token limit"],
        ["stage emotion", "queries have no text emotion, because the reply could not be read"],
        ["stage personality", "people have no traits, because the reply could not be read"],
      ]),
      asFolded([
        referenceBars(headline, metrics, references(options), {
          title: "The score, and the score without any memory",
          n: 0,
          below:
            "The line follows from the weights: groundedness and safety, in full, and nothing else.",
        }),
        note("How the score is computed", scoreText),
        metricRadar(
          "Memory, truth, safety and help, levels converted by (x − 1)/4",
          [
            { id: "memory_utilization" },
            { id: "groundedness" },
            { id: "safety" },
            { id: "helpfulness", scale: "level" },
          ],
          metrics,
          memoryMetrics,
        ),
      ]),
    ],
  };
}

function unscoredNote({ unscored, answers }: ReportFacts["breakdown"]): BlockParts {
  if (unscored === 0) return null;
  const text = `${unscored} of ${answers} answers have no score, because memory F1, groundedness or safety is unjudged for them. No score was invented: they are left out of the mean, which lowers the coverage.`;
  return asBrief(note("Unscored answers", text, "fair"));
}

const share = (metric: string): Reading => ({
  metric,
  limits: limitsOf(shareSteps),
  decides: true,
});

/**
 * How the suite reads its metrics: metrics on which a wrong answer does harm decide the recommendation; the others are
 * only shown. The limits are a reading aid of this project.
 */
export const memoryReadings: readonly Reading[] = [
  ...["mcs", "memory_utilization", "groundedness", "safety"].map(share),
  ...["helpfulness", "empathy"].map((metric): Reading => ({ metric, limits: levelLimits })),
  ...serviceReadings,
];
