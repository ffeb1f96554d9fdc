import type { Json } from "../../../contracts/json.ts";
import type { FieldRow, FieldTable } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import type { MemorySample } from "../sample.ts";
import type { MemoryDetail } from "../score/score.ts";

type Judged = MemoryDetail["metrics"][string];

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
    { id: "score", description: "value of all judges together; empty: unjudged" },
    { id: "unjudged", description: "why there is no value" },
    { id: "judge", description: "model; empty: no judge was asked" },
    { id: "provider", description: "provider of the model" },
    { id: "judgeScore", description: "value by this judge" },
    { id: "judgment", description: "the judgment with its reasoning, as JSON" },
    { id: "message", description: "error" },
    { id: "isFallback", description: "asked instead of the metric's own judge" },
    { id: "isSimulated", description: "a simulated model" },
    { id: "isCached", description: "from the cache" },
    { id: "unsupportedEvidence", description: "quotations that are not in the answer" },
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    return judges.flatMap(({ id, scale }) => {
      const its = detail.metrics[id];
      return its === undefined ? [] : rowsOf({ metric: id, scale }, its);
    });
  },
};

const nobody: FieldRow = {
  judge: null,
  provider: null,
  judgeScore: null,
  judgment: null,
  message: null,
  isFallback: null,
  isSimulated: null,
  isCached: null,
};

function rowsOf(head: FieldRow, metric: Judged): FieldRow[] {
  const { value: score, unjudged, unsupportedEvidence } = metric;
  const whole = { ...head, score, unjudged, unsupportedEvidence };
  if (metric.judges.length === 0) return [{ ...whole, ...nobody }];
  return metric.judges.map((one) => ({
    ...whole,
    unjudged: one.unjudged,
    judge: one.judge,
    provider: one.provider,
    judgeScore: one.value,
    judgment: (one.judgment ?? null) as Json,
    message: one.message || null,
    isFallback: one.isFallback,
    isSimulated: one.isSimulated,
    isCached: one.isCached,
  }));
}
