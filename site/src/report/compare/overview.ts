import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { View } from "#shared/contracts/suite.ts";
import { orientedPairs, starsOf } from "#shared/measures/comparison/words/oriented-pairs.ts";
import { type Compared, metricOf, rankedRuns } from "./compared.ts";

export interface OverviewColumn {
  metric: Metric;
  /** Number of common samples on which it is measured; null: it is measured on whole runs and not tested. */
  samples: number | null;
}

function testedCell(tested: MetricComparison, run: string) {
  const standing = tested.standings.find((one) => one.run === run);
  const best = tested.standings[0]?.run;
  const pair = orientedPairs(tested).find(({ first, second }) => first === best && second === run);
  return {
    value: standing?.value ?? null,
    interval: standing?.interval ?? null,
    /** Stars if it differs significantly from the best of its column. */
    stars: starsOf(pair?.significantAt ?? null),
  };
}

/** The metrics of a view for each run, sorted by the headline; tested metrics use the common samples. */
export function overviewOf(compared: Compared, view: Pick<View, "metrics">) {
  const { comparison, figures } = compared;
  const testedOf = (id: string) => comparison.metrics.find(({ metric }) => metric === id);
  const isMeasured = (id: string) =>
    testedOf(id) !== undefined ||
    [...figures.values()].some((metrics) => (metrics[id]?.value ?? null) !== null);
  const ids = view.metrics.filter(isMeasured);
  return {
    columns: ids.map((id) => ({
      metric: metricOf(compared, id),
      samples: testedOf(id)?.samples ?? null,
    })),
    rows: rankedRuns(comparison).map((run) => ({
      run,
      cells: ids.map((id) => {
        const tested = testedOf(id);
        if (tested) return testedCell(tested, run.run);
        const { value = null, interval = null } = figures.get(run.run)?.[id] ?? {};
        return { value, interval, stars: "" };
      }),
    })),
    /** Metrics of the view that no run has. */
    unmeasured: view.metrics.filter((id) => !isMeasured(id)).map((id) => metricOf(compared, id)),
  };
}
