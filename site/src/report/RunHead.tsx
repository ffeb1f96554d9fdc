import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { paths } from "../data/paths.ts";
import { headlineOf, statusLabel } from "../data/runs/run-state.ts";
import { formatCount, formatInterval, formatValue } from "../format/number.ts";
import { CautionLine } from "./CautionLine.tsx";
import { ModelMarks } from "./ModelMarks.tsx";
import { SiteLink } from "./SiteLink.tsx";
import { headlineMetric, type ShownRun } from "./shown-run.ts";

/** The evaluated model, and the number that ranks it. */
export const RunHead = ({ report }: { report: ShownRun }) => {
  const { run, suite, place } = report;
  const headline = headlineOf(run);
  const metric = headlineMetric(report);
  return (
    <header class="run-head">
      <p class="soft">{suite.label} report</p>
      <h1>
        <SiteLink place={place} path={paths.model(run.model.slug)}>
          {run.model.name}
        </SiteLink>
      </h1>
      <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
      {headline && <CautionLine suite={suite} place={place} />}
      {isUnanswered(run) ? (
        <p class="score">
          <span class="value">No answers</span>
          <span>
            0 of {formatCount(run.progress.total)} requests were answered, so there is no{" "}
            <SiteLink place={place} path={paths.metric(run.suite, metric.id)}>
              {metric.label}
            </SiteLink>
          </span>
        </p>
      ) : headline ? (
        <p class="score" data-score={metric.id}>
          <span class="value">{formatValue(headline.value, metric.format)}</span>
          <span>
            <SiteLink place={place} path={paths.metric(run.suite, metric.id)}>
              {metric.label}
            </SiteLink>
            , 95% interval {formatInterval(headline.interval, metric.format)},{" "}
            {formatCount(headline.n)} samples
          </span>
        </p>
      ) : (
        <p class="score">
          <span class="value">{statusLabel(run)}</span>
        </p>
      )}
    </header>
  );
};
