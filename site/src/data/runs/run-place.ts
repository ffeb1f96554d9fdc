import type { ListedRun } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { cardOfRun } from "../../cards/site-cards.ts";
import { formatValue, scoreText } from "../../format/number.ts";
import { onSite, type ReportPlace } from "../../report/shown-run.ts";
import { boardOfRun, boardRanking, entriesOfBoard } from "../boards/boards.ts";
import { placeOfRun } from "../boards/run-standing.ts";
import { datasetPath } from "../datasets.ts";
import { metricOf, suiteLabel } from "../metrics.ts";
import { hasSamplesPage } from "../page-files.ts";
import { paths } from "../paths.ts";
import { nameOf } from "../results.ts";
import { settings } from "../settings.ts";
import { sweepOfRun } from "./sweeps.ts";

/** The run's place on its board, if it is among the first. */
export const placeOf = ({ id }: ListedRun) => {
  const board = boardOfRun(id);
  return board && placeOfRun(board, entriesOfBoard.get(board.board.id) ?? [], id);
};

/** What the page knows in addition to the report, without the run's place on its board. */
export function placeWithoutRank(run: ListedRun): Omit<ReportPlace, "standing"> {
  const sweep = sweepOfRun(run);
  const rankedOn = boardRanking(run.id);
  return {
    ...onSite,
    apiOrigin: settings.apiOrigin,
    sweep: sweep ? paths.sweep(sweep.submission) : null,
    dataset: datasetPath(run.suite, run.dataset.name),
    url: `${settings.siteOrigin}${paths.run(run.id)}`,
    ...(rankedOn && { rankedOn }),
    // Relative to this page, because it has hundreds of links to samples.
    ...(hasSamplesPage(run) && { samples: "samples/" }),
  };
}

/** All inputs of a report's part below the head: a new run on the board changes only the head. */
export const inputsOfReport = (run: ListedRun) => [nameOf(run), placeWithoutRank(run)];

/** Title, description and picture of a run's page with its score, for sharing. */
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
