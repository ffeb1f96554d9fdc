import { type Scale, unitValue } from "../../../contracts/judging/judge.ts";
import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type { RadarBlock } from "../../../contracts/report.ts";

/** An axis: the metric, and its scale. */
export interface RadarAxis {
  id: string;
  /** Levels are drawn as (x − 1) / 4; default: a share. */
  scale?: Scale;
}

/**
 * Metrics on axes around one centre, each as a share 0–1, with labels from the catalogue.
 * @example metricRadar("At a glance", [{ id: "f1" }], metrics, catalogue).axes[0]?.label // "F1"
 */
export function metricRadar(
  title: string,
  axes: readonly RadarAxis[],
  metrics: Readonly<Record<string, Estimate>>,
  catalogue: readonly Metric[],
): RadarBlock {
  return {
    kind: "radar",
    title,
    axes: axes.map(({ id, scale = "ratio" }) => {
      const { value = null, interval = null } = metrics[id] ?? {};
      const share = (one: number) => unitValue(one, scale);
      return {
        label: catalogue.find((metric) => metric.id === id)?.label ?? id,
        value: value === null ? null : share(value),
        interval: interval === null ? null : [share(interval[0]), share(interval[1])],
      };
    }),
  };
}
