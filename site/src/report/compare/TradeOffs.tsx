import type { Child } from "hono/jsx";
import type { Metric } from "#shared/contracts/metric.ts";
import { boundsText } from "#shared/measures/report/figures/figure-text.ts";
import { paretoSvg } from "../../charts/pareto.ts";
import type { ModelPoint } from "../../charts/parts/model-names.ts";
import { formatInterval, formatValue } from "../../format/number.ts";
import { ChartFigure } from "../blocks/ChartFigure.tsx";
import { Head } from "../blocks/Head.tsx";
import { ScrollTable } from "../ScrollTable.tsx";
import { type Compared, markedNames, metricOf, rankedRuns, runNames } from "./compared.ts";

const latencyMetric = "latencyP95";
const costMetric = "costPer1kUsd";

/** A value with the ends of its interval, in its unit. */
function withBounds(
  value: number,
  interval: readonly [number, number] | null,
  format: Metric["format"],
): string {
  const bounds = boundsText(interval, format);
  return bounds === null ? formatValue(value, format) : `${formatValue(value, format)} (${bounds})`;
}

/** The runs that have the headline and its cost or latency; `frontier` as found by the API. */
function tradesOf(compared: Compared, takes: string, frontier: readonly string[]) {
  const { comparison, figures, suite } = compared;
  const names = runNames(comparison);
  return rankedRuns(comparison).flatMap(({ run }) => {
    const { value = null, interval = null } = figures.get(run)?.[suite.headline] ?? {};
    const taken = figures.get(run)?.[takes]?.value ?? null;
    if (value === null || taken === null) return [];
    const label = names.get(run) ?? run;
    const bounds = figures.get(run)?.[takes]?.interval ?? null;
    return [{ label, x: taken, bounds, y: value, interval, isFrontier: frontier.includes(run) }];
  });
}

interface TradeFigureProps {
  x: Pick<Metric, "label" | "format">;
  y: Pick<Metric, "label" | "format">;
  trades: readonly ModelPoint[];
  below?: Child;
}

interface Props {
  compared: Compared;
  /** Id of the metric that costs time or money. */
  takes: string;
  /** As found by the API; null: no run has both. */
  frontier: readonly string[] | null;
}

/** A chart of scores against what they take, with the numbers behind it; `below` the chart a sentence. */
export const TradeFigure = ({ x, y, trades, below }: TradeFigureProps) => (
  <ChartFigure
    title={`${y.label} against ${x.label.toLowerCase()}`}
    svg={paretoSvg({ points: trades, x, y })}
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
      {trades.map((trade) => (
        <tr>
          <th scope="row">{trade.label}</th>
          <td>{withBounds(trade.x, trade.bounds, x.format)}</td>
          <td>{formatValue(trade.y, y.format)}</td>
          <td>{formatInterval(trade.interval, y.format)}</td>
          <td class="text">{trade.isFrontier ? "yes" : "no"}</td>
        </tr>
      ))}
    </tbody>
  </ChartFigure>
);

const Trade = ({ compared, takes, frontier }: Props) => {
  const [x, y] = [metricOf(compared, takes), metricOf(compared, compared.suite.headline)];
  const trades = tradesOf(compared, takes, frontier ?? []);
  return trades.length < 2 ? null : <TradeFigure x={x} y={y} trades={trades} />;
};

/** The runs on the frontier, in words. */
const Frontier = ({ compared, takes, frontier }: Props) => {
  const names = markedNames(compared.comparison);
  const [x, y] = [metricOf(compared, takes), metricOf(compared, compared.suite.headline)];
  return (
    <li>
      {y.label} against {x.label.toLowerCase()}:{" "}
      {frontier === null
        ? "not known, because no run has both"
        : frontier.map((run) => names.get(run) ?? run).join(", ")}
      .
    </li>
  );
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

/** Cost and latency of scores, and the best run by each metric, all of whole runs. */
export const TradeOffs = ({ compared }: { compared: Compared }) => {
  const { latency, cost } = compared.comparison.frontiers;
  return (
    <section aria-labelledby="trade-offs">
      <h2 id="trade-offs">Cost and latency of scores</h2>
      <p class="prose">
        Figures of whole runs, which are not tested. The runs on the line are the Pareto frontier:
        no other run is at least as good in both and better in one.
      </p>
      <ul class="prose">
        <Frontier compared={compared} takes={latencyMetric} frontier={latency} />
        <Frontier compared={compared} takes={costMetric} frontier={cost} />
      </ul>
      <div class="blocks">
        <Trade compared={compared} takes={latencyMetric} frontier={latency} />
        <Trade compared={compared} takes={costMetric} frontier={cost} />
      </div>
      <h3>Best by metric</h3>
      <BestBy compared={compared} />
    </section>
  );
};
