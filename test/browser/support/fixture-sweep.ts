import { readFileSync } from "node:fs";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Run, RunModel } from "../../../shared/contracts/run.ts";
import type { RunScores } from "../../../shared/contracts/run-scores.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { type ModelSweep, type Sweep, sweepSchema } from "../../../shared/contracts/sweep.ts";
import type { SweepRequest, Variant } from "../../../shared/contracts/variant.ts";
import {
  collectScores,
  noScores,
  runScores,
} from "../../../shared/measures/comparison/collect-scores.ts";
import { comparedMetrics } from "../../../shared/measures/comparison/compared-metrics.ts";
import { addRun, scoreTable } from "../../../shared/measures/comparison/score-table.ts";
import { sweepMaps } from "../../../shared/measures/sweeps/sweep-maps.ts";
import {
  compareVariants,
  sweepParameters,
} from "../../../shared/measures/sweeps/sweep-parameters.ts";
import { sweepVerdict } from "../../../shared/measures/sweeps/sweep-verdict.ts";
import { testVariants } from "../../../shared/measures/sweeps/test-variants.ts";
import { seeded } from "./degraded-answer.ts";
import { aRun } from "./fixture-runs.ts";

const stock = new URL("../../../shared/suites/quality/stock.jsonl", import.meta.url);
const rows: { id: string; prompt: string }[] = readFileSync(stock, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

/** A sweep as the service makes it, with the runs of its variants. */
export interface MadeSweep {
  sweep: Sweep;
  runs: Run[];
}

interface SweepPlan {
  id: string;
  model: RunModel;
  lists: SweepRequest;
  /** How much of the prompt a response takes up, 0–1, and how far responses differ. */
  quality: (variant: Variant) => number;
  /** Variants that failed. */
  failed?: (variant: Variant) => boolean;
}

/** A sweep of the quality suite over its stock prompts. */
export function aSweep(suite: Suite, { id, model, lists, quality, failed }: SweepPlan): MadeSweep {
  const variants = combinations(lists).sort(compareVariants);
  const made = variants.map((variant, i) => {
    const run = `${id}-${i}`;
    return failed?.(variant)
      ? { run: failedRun(suite, run, model, id, variant), scores: null }
      : finishedRun(suite, run, model, id, { variant, quality: quality(variant), seed: i + 1 });
  });
  return {
    sweep: sweepSchema.parse(sweepOf(suite, id, model, made)),
    runs: made.map(({ run }) => run),
  };
}

const combinations = (lists: SweepRequest): Variant[] =>
  Object.entries(lists).reduce<Variant[]>(
    (all, [name, values]) =>
      all.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  );

const partsOf = (submission: string, variant: Variant) => ({
  submission,
  variant,
  provenance: { kind: "called", endpointHost: "api.example" } as const,
  notes: ["one of several variants of a sweep: it stands on no board"],
});

const failedRun = (
  suite: Suite,
  id: string,
  model: RunModel,
  submission: string,
  variant: Variant,
) =>
  aRun(suite, id, model, {
    ...partsOf(submission, variant),
    status: "failed",
    statusReason: "the endpoint answered 401 to every request",
  });

function finishedRun(
  suite: Suite,
  id: string,
  model: RunModel,
  submission: string,
  { variant, quality, seed }: { variant: Variant; quality: number; seed: number },
): { run: Run; scores: RunScores } {
  const random = seeded(seed);
  const options = suite.optionsSchema.parse({});
  const scores = noScores();
  let state = suite.aggregate.empty();
  rows.forEach((row, seq) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const answer = {
      ...emptyAnswer,
      output: responseTo(row.prompt, quality, random),
      latencyMs: 900,
    };
    const { output: _o, refusal: _r, toolCalls: _t, ...call } = answer;
    const { tags } = suite.sampleHead(checked.value.sample);
    const score = suite.score(checked.value.sample, answer, options);
    const scored = { seq, id: row.id, tags, score, call };
    state = suite.aggregate.add(state, scored);
    collectScores(scores, scored, suite.sampleValues(score));
  });
  const facts = { runId: id, options, prices: null, wallMs: 42_000 };
  const run = aRun(suite, id, model, {
    ...partsOf(submission, variant),
    ...suite.aggregate.finish(state, facts),
    options: {},
    status: "finished",
    progress: { total: rows.length, done: rows.length, failed: 0 },
    startedAt: "2026-11-20T09:00:01Z",
    finishedAt: "2026-11-20T09:00:43Z",
  });
  return { run, scores: runScores(scores) };
}

/** The prompt's words, as many as the quality says, between an opening and a conclusion. */
function responseTo(prompt: string, quality: number, random: () => number): string {
  const words = prompt.split(/\s+/).filter(() => random() < quality);
  const conclusion = random() < quality ? " Therefore, that is what matters overall." : "";
  return `This is about ${words.join(" ").toLowerCase()}. However, it depends on many things.${conclusion}`;
}

function sweepOf(
  suite: Suite,
  submission: string,
  model: RunModel,
  made: readonly { run: Run; scores: RunScores | null }[],
): Sweep {
  const parameters = sweepParameters(made.map(({ run }) => run.variant ?? {}));
  const shown = [suite.headline, ...suite.boardMetrics];
  const variants: ModelSweep["variants"] = made.map(({ run }) => ({
    run: run.id,
    variant: run.variant ?? {},
    status: run.status,
    leftOut: run.status === "finished" ? null : `${run.status}: ${run.statusReason}`,
    metrics: run.metrics && Object.fromEntries(shown.map((id) => [id, run.metrics?.[id] as never])),
    links: { self: run.links.self, report: run.links.report },
  }));
  const tests = testsOf(suite, made);
  const headline = suite.metrics.find(({ id }) => id === suite.headline);
  const mapped = variants.map(({ variant, metrics }) => ({
    variant,
    value: (id: string) => metrics?.[id]?.value ?? null,
  }));
  return {
    submission,
    suite: suite.id,
    headline: suite.headline,
    parameters,
    dataset: { name: "stock", version: "a".repeat(64), samples: rows.length },
    createdAt: "2026-11-20T09:00:00Z",
    models: [
      {
        model,
        variants,
        tests,
        untested: null,
        provenance: { kind: "called", endpointHost: "api.example" },
        verdict: headline ? sweepVerdict(variants, tests[0] ?? null, headline, null) : "",
        maps: sweepMaps(parameters, mapped, shown),
      },
    ],
  };
}

function testsOf(suite: Suite, made: readonly { run: Run; scores: RunScores | null }[]) {
  const scored = made.flatMap(({ run, scores }) => (scores ? [{ run, scores }] : []));
  const [first] = scored;
  if (!first) return [];
  const table = scoreTable(first.scores);
  for (const { run, scores } of scored) addRun(table, run.id, scores);
  const { bySample } = comparedMetrics(suite, Object.keys(first.scores.values));
  return bySample.flatMap((metric) => testVariants(table, metric, "fixture") ?? []);
}
