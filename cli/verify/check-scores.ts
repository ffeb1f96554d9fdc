import { closeSync } from "node:fs";
import type { ResultStatement } from "#shared/contracts/boards/result-statement.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { type WholeAnswer, wholeAnswerSchema } from "#shared/contracts/submissions/whole-answer.ts";
import type { SampleScore, Suite } from "#shared/contracts/suite.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import {
  countServed,
  type ServedTally,
  servedModels,
} from "#shared/measures/performance/served-models.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput, badLine } from "../errors.ts";
import { EventLoopPause } from "../files/event-loop-pause.ts";
import { type OpenFile, openInput } from "../files/open-file.ts";
import { parseRow, readLines } from "../files/read-lines.ts";
import { schemaProblem } from "../score/schema-problem.ts";
import { type Check, type Difference, differs, passed, unchecked } from "./check.ts";

/** Largest difference of equal values, because sums are rounded differently on other machines. */
const TOLERANCE = 1e-9;

/** The real number of lines of the files: a statement may claim any number. */
export interface FileCounts {
  samples: number;
  answers: number;
}

/** Recomputed scores and metrics, compared with the published ones. */
export async function checkScores(
  statement: ResultStatement,
  paths: { dataset: string; answers: string },
  counts: FileCounts,
): Promise<Check[]> {
  const { id, version } = statement.suite;
  const suite = suiteById(id);
  if (suite?.version !== version) {
    const here = suite === undefined ? "no such suite" : `version ${suite.version}`;
    const reason = `they are from ${id} ${version}, but this assay has ${here}; use the assay of revision ${statement.codeRevision ?? "that time"}`;
    return [unchecked("scores", reason), unchecked("metrics", reason)];
  }
  const options = suite.optionsSchema.safeParse(suiteOptions(statement.options));
  const scoring = options.success
    ? scoringVersionOf(suite, options.data, statement.judging)
    : "options that the suite rejects";
  if (scoring !== statement.scoringVersion) {
    const what = "scoring version";
    const differences = [{ what, signed: statement.scoringVersion, found: scoring }];
    return [differs("scores", "options and judges differ from those of the scores", differences)];
  }
  const { samples } = statement.dataset;
  if (samples !== counts.samples) {
    return misfitting(
      `the statement says ${samples} samples, ${paths.dataset} has ${counts.samples}`,
    );
  }
  try {
    const run = await recomputeRun(suite, statement, paths);
    return [
      scoresCheck(run, suite.judging !== undefined),
      ...modelsCheck(statement, run),
      metricsCheck(statement, run.metrics),
    ];
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const stated = statement.answers.count;
    const mismatch = `; the statement says ${stated} answers, the file has ${counts.answers}`;
    return misfitting(`${error.message}${stated === counts.answers ? "" : mismatch}`);
  }
}

const misfitting = (reason: string): Check[] => [
  differs("scores", reason),
  unchecked("metrics", "samples and answers don't match"),
];

/** An answer with a score that differs from the published one. */
interface ScoreDifference {
  id: string;
  repeat: number;
  published: number | null;
  recomputed: number | null;
}

/** A run that was scored again from its samples and answers. */
interface RecomputedRun {
  metrics: Record<string, Estimate>;
  scores: ScoreDifference[];
  /** Models that answered, according to the answers. */
  served: NonNullable<ResultStatement["model"]["served"]>;
  /** Answers that were scored. */
  count: number;
}

/**
 * Scores a run again like the service, with the seeds of its intervals. Samples and answers are read one by
 * one. Throws BadInput if the files don't match.
 */
async function recomputeRun(
  suite: Suite,
  statement: ResultStatement,
  paths: { dataset: string; answers: string },
): Promise<RecomputedRun> {
  const options: unknown = suite.optionsSchema.parse(suiteOptions(statement.options));
  const [dataset, answers] = [openInput(paths.dataset), openInput(paths.answers)];
  const scores: ScoreDifference[] = [];
  const pause = new EventLoopPause();
  const served: ServedTally = new Map();
  let state: unknown = suite.aggregate.empty(options);
  let seq = 0;
  try {
    for (const { sample, head, line } of pairs(suite, statement, dataset, answers)) {
      if (pause.isDue) await pause.take();
      const score = scoreOf(suite, sample, line, options);
      const { id, repeat } = line;
      if (!isSame(score.score, line.score) || score.status !== line.status) {
        scores.push({ id, repeat, published: line.score, recomputed: score.score });
      }
      countServed(served, line.answer);
      const call = callOf(line.answer);
      state = suite.aggregate.add(state, { seq: seq++, id, tags: head.tags, score, call });
    }
  } finally {
    closeSync(dataset.fd);
    closeSync(answers.fd);
  }
  const { run: runId, prices, wallMs, hybrid } = statement;
  const summary = suite.aggregate.finish(state, { runId, options, prices, wallMs, hybrid });
  return { metrics: summary.metrics, scores, served: servedModels(served), count: seq };
}

/** Samples of the run in order, each with its answers; redraws a random subset. */
function* pairs(suite: Suite, statement: ResultStatement, dataset: OpenFile, answers: OpenFile) {
  const { samples } = statement.dataset;
  const { n, seed } = statement.subset ?? { n: samples, seed: 0 };
  const drawn = sampleWithoutReplacement(samples, n, `sample:${seed}`);
  const repeats = Math.max(1, Math.round(statement.answers.count / drawn.length));
  const chosen = new Set(drawn);
  const lines = wholeAnswers(answers);
  let position = -1;
  for (const { number, bytes } of readLines(dataset.fd, dataset.name)) {
    if (!chosen.has(++position)) continue;
    const row = parseRow(bytes);
    const checked = row.ok ? suite.checkSample(row.value) : row;
    if (!checked.ok) throw badLine(dataset, number, checked.error);
    const { sample } = checked.value;
    const head = suite.sampleHead(sample);
    for (let repeat = 0; repeat < repeats; repeat++) {
      const line: NumberedAnswer | null = lines.next().value ?? null;
      if (line?.id !== head.id || line.repeat !== repeat) {
        throw misfit(answers.name, head.id, line);
      }
      yield { sample, head, line };
    }
  }
}

type NumberedAnswer = WholeAnswer & { number: number };

function* wholeAnswers({ fd, name }: OpenFile): Generator<NumberedAnswer> {
  for (const { number, bytes } of readLines(fd, name)) {
    const row = parseRow(bytes);
    if (!row.ok) throw badLine(name, number, row.error);
    const line = wholeAnswerSchema.safeParse(row.value);
    if (!line.success) {
      const known = Object.keys(wholeAnswerSchema.shape);
      const reason = schemaProblem(line.error.issues, row.value, known, "the row");
      throw badLine(
        name,
        number,
        `${reason}; assay export --what answers --whole writes such lines`,
      );
    }
    yield { ...line.data, number };
  }
}

function misfit(file: string, wanted: string, line: NumberedAnswer | null) {
  const found = line === null ? "the file ends" : `found the answer to "${line.id}"`;
  return badLine(file, line?.number ?? 0, `expected the answer to "${wanted}"; ${found}`);
}

/** Whether an answer has a score; an answer that was lost by an error of the service has none. */
function scoreOf(suite: Suite, sample: unknown, line: WholeAnswer, options: unknown): SampleScore {
  const { answer, status, score, covered } = line;
  if (answer.error?.class === "lost") return { status, score, covered, detail: null };
  return suite.score(sample, answer, options);
}

/** Whether two figures are equal; null equals null. */
export const isSame = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= TOLERANCE);

type Run = Awaited<ReturnType<typeof recomputeRun>>;

function scoresCheck({ scores, count }: Run, isJudged: boolean): Check {
  const taken = isJudged ? "; recorded judgments are used" : "";
  const differences = scores.map(({ id, repeat, published, recomputed }) => ({
    what: repeat === 0 ? `sample ${id}` : `sample ${id}, repeat ${repeat}`,
    signed: published,
    found: recomputed,
  }));
  if (differences.length > 0) {
    return differs("scores", `${differences.length} of ${count} differ${taken}`, differences);
  }
  return passed("scores", `${count} recomputed${taken}`);
}

/** The models that answered, according to the answers; statements of earlier versions do not contain them. */
function modelsCheck({ model }: ResultStatement, { served }: Run): Check[] {
  if (model.served === undefined) return [];
  if (JSON.stringify(model.served) !== JSON.stringify(served)) {
    const differences = [{ what: "models that answered", signed: model.served, found: served }];
    return [differs("models", "the answers name others", differences)];
  }
  const names = served.map(({ model: name, answers }) => `${name ?? "others"} (${answers})`);
  return [passed("models", names.length === 0 ? "no answer names one" : names.join(", "))];
}

function metricsCheck({ metrics }: ResultStatement, found: Record<string, Estimate>): Check {
  const ids = [...new Set([...Object.keys(metrics), ...Object.keys(found)])];
  const differences = ids.flatMap((id) => metricDifferences(id, metrics[id], found[id]));
  if (differences.length > 0)
    return differs("metrics", "they differ from those recomputed from the answers", differences);
  return passed("metrics", `${ids.length} with their intervals, within ${TOLERANCE}`);
}

function metricDifferences(
  id: string,
  signed: Estimate | undefined,
  found: Estimate | undefined,
): Difference[] {
  const [a, b] = [figuresOf(signed), figuresOf(found)];
  const numbers = Object.keys(a) as (keyof typeof a)[];
  const differing = numbers.filter((name) => !isSame(a[name], b[name]));
  return [
    ...differing.map((name) => ({
      what: name === "value" ? id : `${id}, ${name}`,
      signed: a[name],
      found: b[name],
    })),
    ...(signed?.grade === found?.grade
      ? []
      : [{ what: `${id}, grade`, signed: signed?.grade ?? null, found: found?.grade ?? null }]),
  ];
}

const figuresOf = (estimate: Estimate | undefined) => ({
  value: estimate?.value ?? null,
  "lower end": estimate?.interval?.[0] ?? null,
  "upper end": estimate?.interval?.[1] ?? null,
  n: estimate?.n ?? null,
  coverage: estimate?.coverage ?? null,
});
