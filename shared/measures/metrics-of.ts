import type { Metric } from "../contracts/metric.ts";

/**
 * Makes catalogue entries that share unit, direction and format.
 * @example metricsOf("ratio", "higher", "score")("f1", "F1", "2 · precision · recall / …").format // "score"
 */
export const metricsOf =
  (unit: Metric["unit"], better: Metric["better"], format: Metric["format"]) =>
  (id: string, label: string, definition: string): Metric => ({
    id,
    label,
    definition,
    unit,
    better,
    format,
  });
