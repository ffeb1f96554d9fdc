import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { boundsText } from "#shared/measures/report/figures/figure-text.ts";
import type { IntervalScale } from "../charts/parts/interval-scale.ts";
import type { BoardColumn } from "../data/boards/board-columns.ts";
import type { StepDown } from "../data/boards/win-matrix.ts";
import { latencyMetric } from "../data/metrics.ts";
import { formatValue } from "../format/number.ts";
import { isEstimated } from "../report/shown-run.ts";
import { IntervalMark } from "./IntervalMark.tsx";

interface Props {
  column: BoardColumn;
  entry: LeaderboardEntry;
  scale: IntervalScale;
  step: StepDown[string] | undefined;
  /** Load during the measurement of latency, if the column does not state it. */
  load: string | undefined;
}

/** A value with its interval; the interval of the headline is also drawn. */
export const BoardCell = (props: Props) =>
  props.column.isDrawn ? <DrawnCell {...props} /> : <FigureCell {...props} />;

function FigureCell({ column: { metric, fold }, entry, load }: Props) {
  const estimate = entry.metrics[metric.id];
  // The dollar sign is already next to the value.
  const interval =
    boundsText(estimate?.interval ?? null, metric.format)?.replaceAll("$", "") ?? null;
  const people = entry.people?.[metric.id];
  const isMissing = interval === null && isEstimated(metric) && (estimate?.value ?? null) !== null;
  return (
    <td class={fold || undefined}>
      {formatValue(estimate?.value, metric.format)}
      {metric.id === latencyMetric && load && ` ${load}`}
      {(interval || isMissing) && (
        <>
          {" "}
          <small>{interval ?? "no interval"}</small>
        </>
      )}
      {people && (
        <small>
          {" "}
          people: {formatValue(people.value, metric.format)}{" "}
          {boundsText(people.interval, metric.format)}
          {people.toHalve !== null && `; half as wide with ${people.toHalve} rated answers`}
        </small>
      )}
    </td>
  );
}

function DrawnCell({ column: { metric }, entry, scale, step }: Props) {
  const estimate = entry.metrics[metric.id];
  const interval = boundsText(estimate?.interval ?? null, metric.format);
  return (
    <td class="drawn text">
      <strong>{formatValue(estimate?.value, metric.format)}</strong>{" "}
      {step && (
        <span
          class="step"
          role="img"
          title={`differs from ${step.above}, the model above: p < ${step.significantAt}`}
        >
          {step.significantAt === 0.01 ? "**" : "*"}
        </span>
      )}{" "}
      <small>{estimate ? (interval ?? "no interval") : "no answers"}</small>
      {estimate && <IntervalMark estimate={estimate} scale={scale} />}
    </td>
  );
}
