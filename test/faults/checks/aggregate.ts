import { suiteOptionsOf } from "../../../api/engine/run-plan.ts";
import { partsKey, type RunParts, scoresKey } from "../../../api/runs/run-objects.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { ScoredSample, Suite } from "../../../shared/contracts/suite.ts";
import {
  collectScores,
  noScores,
  runScores,
} from "../../../shared/measures/comparison/collect-scores.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { addPoint, noPoints, pointsOf } from "../../../shared/measures/performance/run-points.ts";
import {
  addToTimeline,
  emptyTimeline,
  timelineOf,
} from "../../../shared/measures/performance/timeline.ts";
import type { RunEvidence } from "../evidence.ts";

/**
 * Scores and aggregates the run's stored answers again, in order, without faults. Metrics with intervals, breakdown,
 * scores by sample and points must equal the stored ones byte for byte.
 */
export function checkAggregate(
  { run, rows: sampleRows, stored, objects }: RunEvidence,
  suite: Suite,
  rows: readonly JsonObject[],
): string[] {
  const options = suite.optionsSchema.parse(suiteOptionsOf(JSON.parse(run.options)));
  let state: unknown = suite.aggregate.empty(options);
  const scores = noScores();
  const points = noPoints();
  const problems: string[] = [];
  for (const [seq, row] of rows.entries()) {
    const checked = suite.checkSample(row);
    const kept = stored.get(seq);
    if (!checked.ok || !kept) return [`${run.model_slug}: sample ${seq} has no answer to score`];
    const { answer, id } = kept;
    const score = suite.score(checked.value.sample, answer, options);
    if (JSON.stringify(score.detail) !== JSON.stringify(kept.score.detail)) {
      problems.push(`${run.model_slug}: ${id} gets another score when scored again`);
    }
    const call = callOf(answer);
    const { tags } = suite.sampleHead(checked.value.sample);
    const scored: ScoredSample = { seq, id, tags, score, call };
    collectScores(scores, scored, suite.sampleValues(score));
    // No scene repeats samples.
    addPoint(points, { ...kept, repeat: 0 }, () => suite.features?.(score) ?? {});
    state = suite.aggregate.add(state, scored);
  }
  const wallMs = Math.max(...sampleRows.map(({ done_ms }) => done_ms ?? 0));
  const summary = suite.aggregate.finish(state, { runId: run.id, options, prices: null, wallMs });
  const parts = JSON.parse(objects.get(partsKey(run)) ?? "{}") as Partial<RunParts>;
  const pairs: [name: string, stored: string | null | undefined, made: unknown][] = [
    ["metrics", run.metrics, summary.metrics],
    ["breakdown", JSON.stringify(parts.breakdown), summary.breakdown],
    ["scores", objects.get(scoresKey(run)), runScores(scores)],
    ["points", JSON.stringify(parts.points), pointsOf(points)],
  ];
  const differing = pairs.filter(([, bytes, made]) => bytes !== JSON.stringify(made));
  return [
    ...problems,
    ...differing.map(([name]) => `${run.model_slug}: ${name} differ from a fault-free aggregation`),
  ];
}

/** Compares the stored timeline of a finished run with the timeline of its rows, byte for byte. */
export function checkTimeline({ run, rows, objects }: RunEvidence): string[] {
  const times = rows.flatMap(({ done_ms }) => done_ms ?? []);
  const tally = times.length === 0 ? null : emptyTimeline(Math.max(...times));
  for (const row of tally === null ? [] : rows) {
    addToTimeline(tally as NonNullable<typeof tally>, {
      doneMs: row.done_ms,
      covered: Boolean(row.covered),
      latencyMs: row.latency_ms,
      attempts: row.attempts,
      queueWaitMs: row.queue_wait_ms,
      retryWaitMs: row.retry_wait_ms,
    });
  }
  const made = tally && timelineOf(tally);
  const counted = made?.bins.reduce((sum, bin) => sum + bin.completed + bin.failed, 0) ?? 0;
  const parts = JSON.parse(objects.get(partsKey(run)) ?? "{}") as Partial<RunParts>;
  const isSame = JSON.stringify(parts.timeline) === JSON.stringify(made);
  return [
    ...(isSame ? [] : [`${run.model_slug}: the timeline differs from the rows`]),
    ...(counted === times.length ? [] : [`${run.model_slug}: the timeline counts ${counted}`]),
  ];
}
