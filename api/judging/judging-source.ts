import type { Answer } from "#shared/contracts/answer.ts";
import { type JudgmentRecord, noJudgment } from "#shared/contracts/judging/judgment.ts";
import { recorded, recordedIn } from "#shared/contracts/judging/recorded-judges.ts";
import type { AnswerSource, TimedAnswer } from "../engine/execute-unit.ts";
import type { RunWork } from "../engine/run-work.ts";
import { forEachInBatch, Postponed } from "../platform/backoff.ts";
import { logError } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { Outage } from "../platform/retry-storage.ts";
import { hasOwnAnswers } from "../runs/schema.ts";
import { askingOf } from "./ask-judge.ts";
import { judgeAnswer, unjudgedAnswer } from "./judge-answer.ts";
import { runStages } from "./run-stages.ts";

/** Stored answers with their judgments, requested one by one. Throws `Postponed`. */
export function judgingSource(
  platform: Platform,
  work: RunWork,
  stored: AnswerSource,
): AnswerSource {
  const asking = askingOf(platform, work);
  const stopped = stopWatch(platform, work);
  return async (unit, samples) => {
    const timedAnswers = await stored(unit, samples);
    return forEachInBatch(timedAnswers.entries(), async ([i, timed]): Promise<TimedAnswer> => {
      const sample = samples[i];
      const answer = await withFindings(platform, work, sample, ownAnswer(work, timed.answer));
      const toJudge = { sample, answer };
      const its = await judgeAnswer(platform, work, { ...asking, stopped }, toJudge).catch(
        (error: unknown) => {
          if (error instanceof Postponed || error instanceof Outage) throw error;
          logError("judging-failed", error, { run: work.run.id });
          return unjudgedAnswer(work, toJudge);
        },
      );
      return { doneMs: timed.doneMs, answer: its };
    });
  };

  /** Submitted answers lack the findings about the person, which judges are shown. */
  async function withFindings(
    its: Platform,
    { suite }: RunWork,
    sample: unknown,
    answer: Answer,
  ): Promise<Answer> {
    if (suite.stages === undefined || answer.stages !== undefined) return answer;
    if (recordedIn(work.run.judging) !== null) return answer;
    return { ...answer, stages: await runStages(its, work, asking, sample) };
  }
}

/**
 * Removes another run's judgments; equal ones are found in the cache. Submitted judgments stay: marked as such for a
 * run that uses recorded judgments, otherwise (only for admins) for use where their keys match.
 */
function ownAnswer({ run }: RunWork, answer: Answer): Answer {
  if (hasOwnAnswers(run)) return answer;
  const { judgments = {}, ...own } = answer;
  const usesRecorded = recordedIn(run.judging) !== null;
  if (run.parentId !== null && !usesRecorded) return own;
  const submitted = (record: JudgmentRecord): JudgmentRecord => {
    const { judge, judgment, key, promptHash, isSimulated } = record;
    const provider = usesRecorded ? recorded : record.provider;
    return { ...noJudgment, judge, provider, judgment, key, promptHash, isSimulated };
  };
  const kept = Object.entries(judgments).map(([name, records]) => [
    name,
    records.filter(({ unjudged }) => unjudged === null).map(submitted),
  ]);
  return { ...own, judgments: Object.fromEntries(kept) };
}

/** Shortest interval of the check for cancelled or paused runs: calls cost money. */
const LOOK_MS = 1_000;
/** The same in an invocation with one query: a lane of four minutes spends a tenth of its queries on these checks. */
const LOOK_MS_QUERIES = 2_400_000;

/**
 * Throws `Postponed` once the run is no longer being judged: finished judgments are kept, the rest waits until it
 * resumes.
 */
function stopWatch(platform: Platform, { run }: RunWork): () => Promise<void> {
  const everyMs = Math.max(LOOK_MS, LOOK_MS_QUERIES / platform.settings.plan.queries);
  let lookedAt = platform.now();
  let isOver = false;
  return async () => {
    const now = platform.now();
    if (!isOver && now - lookedAt >= everyMs) {
      lookedAt = now;
      const current = await platform.runs.get(run.id);
      isOver = current?.status !== "running" || current.phase !== "judging";
    }
    if (isOver) throw new Postponed(now + LOOK_MS);
  };
}
