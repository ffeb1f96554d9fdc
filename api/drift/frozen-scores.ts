import type { Answer } from "#shared/contracts/answer.ts";
import type { DriftPart, PairedChange } from "#shared/contracts/drift/drift.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
  runScores,
} from "#shared/measures/comparison/collect-scores.ts";
import { addRun, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";
import { sampleBody } from "../engine/execute-unit.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import { askingOf } from "../judging/ask-judge.ts";
import { judgeAnswer } from "../judging/judge-answer.ts";
import { Postponed } from "../platform/backoff.ts";
import { logError } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { Outage } from "../platform/retry-storage.ts";
import { areAnswersGone, frozenScoresKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type StoredSample, storedBySeq } from "../runs/stored-samples.ts";
import { only, rankingMetric, readCovered, unchangedSamples } from "./compare-with-earlier.ts";

/** Number of samples whose stored answers are scored again if no judge is needed: seconds of work. */
const MOST_SCORED = 1_000;

/** Rows per read: D1 allows 100 parameters. */
const PAGE = 50;

/** Time limit for judging; the remaining samples are skipped. A queue message has minutes. */
const JUDGING_MS = 240_000;

const AT_ONCE = 5;

/** The same answers, scored in three ways. */
interface FrozenScores {
  original: CollectedScores;
  scored: CollectedScores;
  judged: CollectedScores;
}

/**
 * Scores some of a reference's answers (samples in `ids`) with a run's current suite and judges; `work` is that run on
 * the reference's dataset version. For a judged run, the deployment sets the number of samples, because its operator
 * pays. They are the same samples each time, so that changes of judges can be tracked.
 */
async function frozenScores(
  platform: Platform,
  work: RunWork,
  reference: RunRecord,
  ids: ReadonlySet<string>,
): Promise<FrozenScores> {
  const isJudged = work.run.judging !== null;
  const most = isJudged ? platform.settings.driftJudgedSamples : MOST_SCORED;
  const eligible = work.plan.heads.flatMap(({ id }, sample) => (ids.has(id) ? [sample] : []));
  const samples = sampleWithoutReplacement(eligible.length, most, reference.id).map(
    (i) => eligible[i]!,
  );
  const seqs = samples.flatMap((sample) =>
    Array.from({ length: work.plan.repeats }, (_, repeat) => seqOf(work.plan, sample, repeat)),
  );
  const found = { original: noScores(), scored: noScores(), judged: noScores() };
  const until = platform.now() + JUDGING_MS;
  for (let start = 0; start < seqs.length; start += PAGE) {
    const rows = await platform.runs.samplesAt(reference.id, seqs.slice(start, start + PAGE));
    const covered = rows.filter((row) => row.covered);
    const stored = [...(await storedBySeq(platform.objects, covered)).values()];
    for (let i = 0; i < stored.length; i += AT_ONCE) {
      const some = stored.slice(i, i + AT_ONCE);
      await Promise.all(some.map((one) => addScores(platform, work, found, one, until)));
    }
  }
  return found;
}

async function addScores(
  platform: Platform,
  work: RunWork,
  found: FrozenScores,
  stored: StoredSample,
  until: number,
): Promise<void> {
  const { suite, plan, options, run } = work;
  const number = Math.floor(stored.seq / plan.repeats);
  const { seq, id, answer } = stored;
  const place = { seq, id, tags: plan.heads[number]?.tags ?? {}, call: callOf(answer) };
  const sample = await sampleBody(platform, work, number);
  const valuesOf = (its: Answer) => suite.sampleValues(suite.score(sample, its, options));
  collectScores(found.original, place, suite.sampleValues(stored.score));
  collectScores(found.scored, place, valuesOf(answer));
  if (run.judging === null || platform.now() >= until) return;
  const judged = await judgeAgain(platform, work, sample, answer);
  if (judged !== null) collectScores(found.judged, place, valuesOf(judged));
}

/**
 * Splits the change of a run's score since its reference into causes, one at a time: the reference's answers scored by
 * the current suite with the old judgments (scoring), judged by the current judges (judge), and compared with the new
 * answers (model). Deleted answers give nothing. If the dataset version changed, samples with an unchanged row are
 * used. Results are stored apart from the run's own scores.
 */
export async function frozenParts(
  platform: Platform,
  run: RunRecord,
  reference: RunRecord,
): Promise<DriftPart[]> {
  if (areAnswersGone(reference, platform.settings, platform.now())) return [];
  const { datasetVersion } = reference;
  const work = await openRun(platform, { ...run, datasetVersion, sealedSecrets: null });
  const ids = work.plan.heads.map(({ id }) => id);
  const same =
    datasetVersion === run.datasetVersion
      ? new Set(ids)
      : await unchangedSamples(platform, reference, ids, run.datasetVersion);
  const frozen = await frozenScores(platform, work, reference, same);
  const fresh = only(await readCovered(platform, run), same);
  const kept = {
    original: runScores(frozen.original),
    scored: runScores(frozen.scored),
    ...(run.judging && { judged: runScores(frozen.judged) }),
  };
  await platform.objects.put(frozenScoresKey(run), { reference: reference.id, ...kept });
  const table = scoreTable(kept.original);
  addRun(table, "fresh", fresh);
  for (const [name, scores] of Object.entries(kept)) addRun(table, name, scores);
  const metric = rankingMetric(work.suite, run);
  const part = (cause: DriftPart["cause"], now: string, before: string) =>
    partOf(cause, pairedChange(table, metric, now, before));
  return run.judging === null
    ? [part("scoring", "scored", "original"), part("model", "fresh", "scored")]
    : [
        part("scoring", "scored", "original"),
        part("judge", "judged", "scored"),
        part("model", "fresh", "judged"),
      ];
}

function partOf(cause: DriftPart["cause"], change: PairedChange | null): DriftPart {
  if (change === null) return { cause, n: 0, difference: 0, interval: null, p: null };
  const { n, difference, interval, wilcoxonP } = change;
  return { cause, n, difference, interval, p: wilcoxonP };
}

/** Ignores stored judgments: they may be what changed. */
const nothingKept = {
  get: async () => null,
  update: async () => {},
  putOnce: async () => true,
  remove: async () => {},
};

/**
 * A stored answer with fresh judgments by a run's judges: none is reused or stored. Null if the judges were
 * unreachable.
 */
async function judgeAgain(
  platform: Platform,
  work: RunWork,
  sample: unknown,
  { judgments: _, ...answer }: Answer,
): Promise<Answer | null> {
  const asking = { ...askingOf(platform, work), isExact: true, stopped: async () => {} };
  try {
    return await judgeAnswer({ ...platform, objects: nothingKept }, work, asking, {
      sample,
      answer,
    });
  } catch (error) {
    if (error instanceof Outage) throw error;
    if (error instanceof Postponed) return null;
    logError("judging-afresh-failed", error, { run: work.run.id });
    return null;
  }
}
