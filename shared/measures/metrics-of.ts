import type { Metric } from "../contracts/metric.ts";
import type { View } from "../contracts/suite.ts";

/**
 * Makes catalogue entries that share unit, direction and format.
 * @example metricsOf("ratio", "higher", "score")("f1", "F1", "2 · precision · recall / …").format // "score"
 */
export const metricsOf =
  (unit: Metric["unit"], better: Metric["better"], format: Metric["format"]) =>
  (id: string, label: string, definition: string, short?: string): Metric => ({
    id,
    label,
    ...(short !== undefined && { short }),
    definition,
    unit,
    better,
    format,
  });

/** Names of views that can't be derived from their ids. */
const viewLabels: Readonly<Record<string, string>> = {
  production: "Production decision",
  choice: "Model choice",
};

/**
 * Tables of a suite for readers with different purposes; by id, the reader's question and the metrics.
 * @example viewsOf({ cost: ["What do the answers cost?", "costPer1kUsd", "f1"] })[0]?.label // "Cost"
 */
export const viewsOf = (
  views: Readonly<Record<string, readonly [purpose: string, ...metrics: string[]]>>,
): View[] =>
  Object.entries(views).map(([id, [purpose, ...metrics]]) => ({
    id,
    label: viewLabels[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    purpose,
    metrics,
  }));
