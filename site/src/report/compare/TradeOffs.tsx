import type { Child } from "hono/jsx";
import type { Metric } from "#shared/contracts/metric.ts";
import { boundsText } from "#shared/measures/report/figures/figure-text.ts";
import { type Pareto, paretoSvg } from "../../charts/pareto.ts";
import { formatInterval, formatValue } from "../../format/number.ts";
import { ChartFigure } from "../blocks/ChartFigure.tsx";
import { Head, ScrollTable } from "../ScrollTable.tsx";
import { costMetric, latencyMetric } from "../shown-run.ts";
import { type Compared, markedNames, metricOf, rankedRuns, runNames } from "./compared.ts";

/** A value with the ends of its interval, in its unit. */
function withBounds(
  value: number,
  interval: readonly [number, number] | null,
  format: Metric["format"],
): string {
  const bounds = boundsText(interval, format);
  return bounds === null ? formatValue(value, format) : `${formatValue(value, format)} (${bounds})`;
}

/** A chart of scores against cost or time, with its numbers; `below`: a sentence below it. */
export const TradeFigure = ({ x, y, points, below }: Pareto & { below?: Child }) => (
  <ChartFigure
    title={`${y.label} against ${x.label.toLowerCase()}`}
    svg={paretoSvg({ points, x, y })}
    below={below}
  >
    <Head
      columns={[
        "Model",
        { num: x.label },
        { num: y.label },
        { num: "95% interval" },
        "On the line",
      ]}
    />
    <tbody>
      {points.map((point) => (
        <tr>
          <th scope="row">{point.label}</th>
          <td>{withBounds(point.x, point.bounds, x.format)}</td>
          <td>{formatValue(point.y, y.format)}</td>
          <td>{formatInterval(point.interval, y.format)}</td>
          <td class="text">{point.isFrontier ? "yes" : "no"}</td>
        </tr>
      ))}
    </tbody>
  </ChartFigure>
);

interface Props {
  compared: Compared;
  /** Id of the metric that costs time or money. */
  takes: string;
  /** The frontier as found by the API; null if no run has both values. */
  frontier: readonly string[] | null;
}

/** The runs that have the headline and its cost or latency. */
const Trade = ({ compared: { comparison, figures, suite }, takes, frontier }: Props) => {
  const names = runNames(comparison);
  const points = rankedRuns(comparison).flatMap(({ run }) => {
    const { value: y = null, interval = null } = figures.get(run)?.[suite.headline] ?? {};
    const { value: x = null, interval: bounds = null } = figures.get(run)?.[takes] ?? {};
    if (x === null || y === null) return [];
    const isFrontier = frontier?.includes(run) === true;
    return [{ label: names.get(run) ?? run, x, bounds, y, interval, isFrontier }];
  });
  if (points.length < 2) return null;
  const [x, y] = [metricOf({ suite }, takes), metricOf({ suite }, suite.headline)];
  return <TradeFigure x={x} y={y} points={points} />;
};

const BestBy = ({ compared }: { compared: Compared }) => {
  const { comparison, suite } = compared;
  const names = markedNames(comparison);
  const perCost = `${suite.headline}PerCost`;
  const labelOf = (id: string) =>
    id === perCost
      ? `${metricOf(compared, suite.headline).label} per USD of 1,000 answers`
      : metricOf(compared, id).label;
  return (
    <ScrollTable label="Best run by metric" columns={["Metric", { num: "Best value" }, "Run"]}>
      <tbody>
        {comparison.bestBy.map(({ metric, value, runs }) => (
          <tr data-score={metric === perCost ? undefined : metric}>
            <th scope="row">{labelOf(metric)}</th>
            <td class="num">
              {withBounds(
                value,
                compared.figures.get(runs[0] ?? "")?.[metric]?.interval ?? null,
                metric === perCost ? "count" : metricOf(compared, metric).format,
              )}
            </td>
            <td>{runs.map((run) => names.get(run) ?? run).join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
};

/** Cost and latency in relation to scores, and the best run by each metric, all for whole runs. */
export const TradeOffs = ({ compared }: { compared: Compared }) => {
  const { latency, cost } = compared.comparison.frontiers;
  return (
    <section aria-labelledby="trade-offs">
      <h2 id="trade-offs">Cost and latency of scores</h2>
      <p class="prose">
        Figures of whole runs, which are not tested; a chart needs two runs that have both. The runs
        on the line are the Pareto frontier: no other run is at least as good in both and better in
        one.
      </p>
      <div class="blocks">
        <Trade compared={compared} takes={latencyMetric} frontier={latency} />
        <Trade compared={compared} takes={costMetric} frontier={cost} />
      </div>
      <h3>Best by metric</h3>
      <BestBy compared={compared} />
    </section>
  );
};
