import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { GaugeBlock } from "#shared/contracts/report.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { gaugeSvg, zoneOf } from "../charts/gauge.ts";
import { toneClass } from "../charts/parts/tone.ts";
import { paths } from "../data/paths.ts";
import { headlineOf, statusLabel } from "../data/runs/run-state.ts";
import { formatDate, formatDuration } from "../format/date.ts";
import { formatCount, formatInterval, formatValue } from "../format/number.ts";
import { SiteLink } from "./SiteLink.tsx";
import { headlineMetric, metricIn, rankNote, type ShownRun, statementUrl } from "./shown-run.ts";

interface Props {
  report: ShownRun;
  gauge: GaugeBlock | undefined;
}

/** Metrics of the strip, which the summary omits. */
export const stripMetrics = ["costPer1kUsd", "latencyP95"] as const;

const unmeasured = { costPer1kUsd: "no price", latencyP95: "not measured" };

/** The key figures of a run in one strip: score, rank, cost, time, samples, signature, date. */
export const RunStrip = ({ report, gauge }: Props) => {
  const { run } = report;
  return (
    <dl class="strip">
      <Score report={report} gauge={gauge} />
      {run.metrics !== null && !isUnanswered(run) && (
        <>
          <Rank report={report} />
          {stripMetrics.map((id) => (
            <MetricCell report={report} id={id} />
          ))}
        </>
      )}
      <Samples report={report} />
      {run.metrics !== null && <Signed report={report} />}
      <When report={report} />
    </dl>
  );
};

interface CellProps {
  term: Child;
  value: Child;
  /** Below the value. */
  note?: Child;
  /** Id of the metric that it shows. */
  metric?: string | undefined;
}

const Cell = ({ term, value, note, metric }: CellProps) => (
  <div data-score={metric}>
    <dt>{term}</dt>
    <dd>
      {value}
      {note && <small>{note}</small>}
    </dd>
  </div>
);

const intervalText = (
  interval: Estimate["interval"],
  format: Parameters<typeof formatInterval>[1],
) => (interval === null ? "no interval" : `95% interval ${formatInterval(interval, format)}`);

const Score = ({ report, gauge }: Props) => {
  const { run, suite, place } = report;
  const headline = headlineOf(run);
  const metric = headlineMetric(report);
  const name = (
    <SiteLink place={place} path={paths.metric(suite.id, metric.id)}>
      {metric.label}
    </SiteLink>
  );
  if (isUnanswered(run) || !headline) {
    const note = isUnanswered(run)
      ? `0 of ${formatCount(run.progress.total)} requests were answered`
      : null;
    return (
      <div class="strip-score">
        <dt>{isUnanswered(run) ? name : "Status"}</dt>
        <dd>
          <span class="value">{isUnanswered(run) ? "No answers" : statusLabel(run)}</span>
          {note && <small>{note}</small>}
        </dd>
      </div>
    );
  }
  const zone = gauge && zoneOf(gauge);
  return (
    <div class="strip-score score" data-score={metric.id}>
      <dt>{name}</dt>
      <dd>
        <span class="value">{formatValue(headline.value, metric.format)}</span>{" "}
        {zone && <span class={`pill ${toneClass(zone.tone)}`}>{zone.label}</span>}
        <small>{intervalText(headline.interval, metric.format)}</small>
        {gauge && raw(gaugeSvg(gauge))}
      </dd>
    </div>
  );
};

const Rank = ({ report: { run, place } }: Pick<Props, "report">) => {
  const { standing, rankedOn } = place;
  if (standing === null) {
    // Other runs change the rank, so a script asks the service.
    return rankedOn ? (
      <Cell
        term="Rank"
        value={
          <a
            href={rankedOn.path}
            data-api={place.apiOrigin}
            data-rank={rankedOn.id}
            data-run={run.id}
          >
            on the board
          </a>
        }
        note="\u00a0"
      />
    ) : null;
  }
  const { rank, ranked, rankInterval, board } = standing;
  return (
    <Cell
      term={
        <SiteLink place={place} path={board}>
          Rank
        </SiteLink>
      }
      value={`${formatCount(rank)} of ${formatCount(ranked)}`}
      note={rankNote(rankInterval)}
    />
  );
};

const MetricCell = ({
  report,
  id,
}: Pick<Props, "report"> & { id: (typeof stripMetrics)[number] }) => {
  const { run, suite, place } = report;
  const { label, format } = metricIn(suite.metrics, id);
  const { value = null, interval = null } = run.metrics?.[id] ?? {};
  return (
    <Cell
      term={
        <SiteLink place={place} path={paths.metric(suite.id, id)}>
          {label}
        </SiteLink>
      }
      value={
        value === null ? <span class="soft">{unmeasured[id]}</span> : formatValue(value, format)
      }
      note={value !== null && intervalText(interval, format)}
      metric={value === null ? undefined : id}
    />
  );
};

const Samples = ({ report: { run, sources } }: Pick<Props, "report">) => {
  const { done, total, failed } = run.progress;
  const lost = failed === 0 ? "none failed" : `${formatCount(failed)} failed`;
  const of = sources === undefined ? "" : `from ${formatCount(sources)} sources, `;
  return (
    <Cell
      term="Samples"
      value={done === total ? formatCount(total) : `${formatCount(done)} of ${formatCount(total)}`}
      note={`${of}${lost}`}
    />
  );
};

const Signed = ({ report }: Pick<Props, "report">) => {
  const href = statementUrl(report);
  return (
    <Cell
      term="Signed"
      value={href === undefined ? "no" : <a href={href}>yes</a>}
      note={href !== undefined && <code>assay verify</code>}
    />
  );
};

const When = ({ report: { run } }: Pick<Props, "report">) => {
  const { createdAt, startedAt, finishedAt } = run;
  const wallMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
  return (
    <Cell
      term={finishedAt ? "Finished" : "Submitted"}
      value={formatDate(finishedAt ?? createdAt)}
      note={wallMs !== null && `took ${formatDuration(wallMs)}`}
    />
  );
};
