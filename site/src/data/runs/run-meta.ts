import type { ListedRun } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { cardOfRun } from "../../cards/site-cards.ts";
import { formatValue } from "../../format/number.ts";
import { scoreText } from "../../format/score-text.ts";
import { metricOf, suiteLabel } from "../metrics.ts";

/** Title, description and picture of a run's page, with its score, for where the page is shared. */
export function runMeta(run: ListedRun) {
  const what = `${run.model.name} on ${suiteLabel(run.suite)}`;
  const metric = metricOf(run.suite, run.headline);
  const score = isUnanswered(run) ? undefined : run.metrics?.[run.headline];
  const sentences = [
    score && `${scoreText(metric, score)}.`,
    run.model.simulated && "Simulated model.",
    `Evaluation report of ${what}, dataset ${run.dataset.name}, ${provenanceText(run.provenance)}.`,
  ];
  return {
    title: score ? `${what}: ${metric.label} ${formatValue(score.value, metric.format)}` : what,
    description: sentences.filter(Boolean).join(" "),
    card: cardOfRun(run.id),
  };
}
