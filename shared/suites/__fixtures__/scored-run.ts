import type { Answer } from "../../contracts/answer.ts";
import { headlineOf } from "../../contracts/boards/ranking.ts";
import type { ReportBlock, ReportSection } from "../../contracts/report.ts";
import type { RunPoints } from "../../contracts/runs/run-points.ts";
import type { Timeline } from "../../contracts/runs/timeline.ts";
import type { RunFacts, ScoredSample, Suite, Summary } from "../../contracts/suite.ts";
import { callOf } from "../../measures/performance/call-totals.ts";

/** A run of a suite with the input of its report. */
export interface ScoredRun<Options> {
  summary: Summary;
  scored: ScoredSample[];
  run: { options: Options; headline: string; points: RunPoints; timeline: Timeline | null };
}

const noWait = { n: 0, p50: null, p95: null, p99: null, max: null };

const bin = { completed: 5, failed: 1, attempts: 7, meanLatencyMs: 400 };

/** A run that took two seconds. */
const aTimeline: Timeline = {
  wallMs: 2_000,
  binMs: 1_000,
  bins: [bin, bin],
  queueWaitMs: noWait,
  retryWaitMs: noWait,
};

/** Scores and summarizes samples and their answers. */
export function scoredRun<Sample, Options>(
  suite: Suite<Sample, Options>,
  answered: readonly (readonly [Sample, Answer])[],
  options: Options,
  facts: Partial<RunFacts<Options>> = {},
): ScoredRun<Options> {
  const scored = answered.map(([sample, answer], seq): ScoredSample => {
    const { id, tags } = suite.sampleHead(sample);
    const score = suite.score(sample, answer, options);
    return { seq, id, tags, score, call: callOf(answer) };
  });
  const state = scored.reduce(
    (sum, one) => suite.aggregate.add(sum, one),
    suite.aggregate.empty(options),
  );
  const run = { runId: "run-1", options, prices: null, wallMs: null, ...facts };
  return {
    summary: suite.aggregate.finish(state, run),
    scored,
    run: {
      options,
      headline: headlineOf(suite, options),
      points: pointsOf(suite, scored),
      timeline: aTimeline,
    },
  };
}

function pointsOf(suite: Suite, scored: readonly ScoredSample[]): RunPoints {
  const points = scored.map(({ id, score, call }) => ({
    id,
    score: score.score,
    latencyMs: call.latencyMs,
    inputTokens: call.inputTokens,
    outputTokens: call.outputTokens,
    features: { ...suite.features?.(score) },
  }));
  const latency = [{ from: 100, to: 500, count: points.length }];
  return { answers: points.length, points, latency, picks: [] };
}

/** The block with a title; otherwise an error that lists the existing titles. */
export function blockOf<Kind extends ReportBlock["kind"]>(
  sections: readonly ReportSection[],
  kind: Kind,
  title: string,
): Extract<ReportBlock, { kind: Kind }> {
  const blocks = sections.flatMap((section) => section.blocks);
  const found = blocks.find((block) => block.kind === kind && block.title === title);
  if (found === undefined) {
    const titles = blocks.map((block) => `${block.kind} ${block.title}`).join(", ");
    throw new Error(`no ${kind} "${title}" among ${titles}`);
  }
  return found as Extract<ReportBlock, { kind: Kind }>;
}
