import type { Answer } from "#shared/contracts/answer.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
} from "#shared/measures/comparison/collect-scores.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { choose } from "#shared/stats/choose.ts";
import { seqOf } from "../engine/run-plan.ts";
import type { RunWork } from "../engine/run-work.ts";
import { sampleBody } from "../engine/sample-body.ts";
import type { Ports, RunRecord, StoredSample } from "../platform/ports.ts";
import { storedBySeq } from "../runs/stored-samples.ts";
import { judgeAfresh } from "./judge-again.ts";

/** Samples whose frozen answers are scored anew where no judge is asked: seconds of work. */
const MOST_SCORED = 1_000;

/** Rows read at once: D1 takes 100 parameters. */
const PAGE = 50;

/** Judging that takes longer leaves the rest out: a queue's message has minutes. */
const JUDGING_MS = 240_000;

/** Answers judged at once. */
const AT_ONCE = 5;

/** The same answers by three ways of scoring. */
interface FrozenScores {
  original: CollectedScores;
  scored: CollectedScores;
  judged: CollectedScores;
}

/**
 * Scores some of a reference's answers, of samples in `ids`, as a run's suite and judges of today do; `work` is
 * that run's, on the reference's version of the dataset. Of a
 * judged run as many samples are taken as the deployment says, since its operator pays; the same ones each
 * time, so that the judges' own changes can be followed.
 */
export async function frozenScores(
  ports: Ports,
  work: RunWork,
  reference: RunRecord,
  ids: ReadonlySet<string>,
): Promise<FrozenScores> {
  const isJudged = work.run.judging !== null;
  const most = isJudged ? ports.settings.driftJudgedSamples : MOST_SCORED;
  const eligible = work.plan.heads.flatMap(({ id }, sample) => (ids.has(id) ? [sample] : []));
  const samples = choose(eligible.length, most, reference.id).map((i) => eligible[i]!);
  const seqs = samples.flatMap((sample) =>
    Array.from({ length: work.plan.repeats }, (_, repeat) => seqOf(work.plan, sample, repeat)),
  );
  const found = { original: noScores(), scored: noScores(), judged: noScores() };
  const until = ports.now() + JUDGING_MS;
  for (let start = 0; start < seqs.length; start += PAGE) {
    const rows = await ports.runs.samplesAt(reference.id, seqs.slice(start, start + PAGE));
    const covered = rows.filter((row) => row.covered);
    const stored = [...(await storedBySeq(ports.objects, covered)).values()];
    for (let i = 0; i < stored.length; i += AT_ONCE) {
      const some = stored.slice(i, i + AT_ONCE);
      await Promise.all(some.map((one) => addScores(ports, work, found, one, until)));
    }
  }
  return found;
}

async function addScores(
  ports: Ports,
  work: RunWork,
  found: FrozenScores,
  stored: StoredSample,
  until: number,
): Promise<void> {
  const { suite, plan, options, run } = work;
  const number = Math.floor(stored.seq / plan.repeats);
  const { seq, id, answer } = stored;
  const place = { seq, id, tags: plan.heads[number]?.tags ?? {}, call: callOf(answer) };
  const sample = await sampleBody(ports, work, number);
  const valuesOf = (its: Answer) => suite.sampleValues(suite.score(sample, its, options));
  collectScores(found.original, place, suite.sampleValues(stored.score));
  collectScores(found.scored, place, valuesOf(answer));
  if (run.judging === null || ports.now() >= until) return;
  const judged = await judgeAfresh(ports, work, sample, answer);
  if (judged !== null) collectScores(found.judged, place, valuesOf(judged));
}
