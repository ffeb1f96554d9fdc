import type { FieldTable } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import { judgmentColumns, judgmentParts, judgmentRows } from "../../../judges/metric-detail.ts";
import type { MemorySample } from "../sample.ts";
import type { MemoryDetail } from "../score/score.ts";

/**
 * Judgments of an answer, one a row: each metric by each judge, and one row for a metric with a fixed value, or
 * without a judgment.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example fieldTable.rows(shown)[0]?.["metric"] // "memory_utilization"
 */
export const fieldTable: FieldTable<MemorySample, MemoryDetail> = {
  columns: [
    { id: "metric", description: "id in the suite's catalogue" },
    { id: "scale", description: "level: 1–5; ratio: 0–1" },
    ...judgmentColumns,
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    return judges.flatMap(({ id, scale }) => {
      const its = detail.metrics[id];
      return its === undefined ? [] : judgmentRows({ metric: id, scale }, its);
    });
  },
  parts: judgmentParts("metric"),
};
