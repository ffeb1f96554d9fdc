import { gradeEnds } from "#shared/contracts/judging/judge.ts";
import { answerHash, type Rating, ratedJudges } from "#shared/contracts/judging/rating.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import { type Account, raterOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { ownedSamples, type RunRefusal } from "../runs/access.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/run-objects.ts";
import type { StoredRating } from "./schema.ts";
import { answersAt } from "./sum-ratings.ts";

export interface PlacedRating {
  rating: Rating;
  place: Pick<FieldError, "pointer" | "line">;
}

/** Maximum ratings of one run: more than a person can give, and the most that one invocation sums up. */
const MOST_OF_RUN = 50_000;

/** A run of the account whose answers people can rate. */
export async function ratedRun(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<RunWork, RunRefusal>> {
  const found = await ownedSamples(platform, raterOf(account), id);
  if (!found.ok) return found;
  const run = found.value;
  const conflict = (detail: string) => err({ type: "conflict" as const, detail });
  if (run.status !== "finished") return conflict(`run "${id}" is ${run.status}: wait for its end`);
  if (areAnswersGone(run, platform.settings, platform.now()))
    return conflict(answersGoneDetail(run));
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const isRated = work.suite.judgedValues !== undefined;
  return isRated ? ok(work) : conflict(`suite "${run.suite}" has no metrics that people can rate`);
}

/** Stores ratings of a run's answers; all or none. A later rating by the same person replaces the earlier one. */
export async function addRatings(
  platform: Platform,
  account: Account,
  id: string,
  placed: readonly PlacedRating[],
): Promise<Result<number, RunRefusal>> {
  const work = await ratedRun(platform, account, id);
  if (!work.ok) return work;
  const { run, suite, plan } = work.value;
  const named = new Set(placed.map(({ rating }) => rating.sampleId));
  const seqs = plan.heads.flatMap(({ id: sampleId }, position) =>
    named.has(sampleId)
      ? Array.from({ length: plan.repeats }, (_, repeat) => seqOf(plan, position, repeat))
      : [],
  );
  const found = new Map<string, number[]>();
  for await (const { seq, id: sampleId, answer } of answersAt(platform, run, seqs)) {
    const key = `${answerHash(answer)} ${sampleId}`;
    if (answer.error === null) found.set(key, [...(found.get(key) ?? []), seq]);
  }
  const rows: StoredRating[] = [];
  const errors: FieldError[] = [];
  for (const { rating, place } of placed) {
    const own = found.get(`${rating.answerHash} ${rating.sampleId}`) ?? [];
    const flaw = flawOf(suite, rating, own);
    if (flaw !== null) errors.push({ ...place, detail: flaw });
    rows.push(...own.map((seq) => ({ ...rating, seq })));
  }
  if (errors.length > 0) {
    const detail = `nothing was stored: ${counted(errors.length, "invalid rating")}`;
    return err({ type: "invalid-request", detail, errors });
  }
  const root = await platform.ratings.rootOf(run.id);
  const isStored = await platform.ratings.add(root, rows, platform.now(), MOST_OF_RUN);
  if (isStored) return ok(placed.length);
  return err({ type: "conflict", detail: `a run has at most ${MOST_OF_RUN} ratings` });
}

function flawOf({ judging }: Suite, rating: Rating, own: readonly number[]): string | null {
  const { sampleId, metric, score } = rating;
  const judges = ratedJudges(judging);
  const judge = judges.find((one) => one.id === metric);
  if (judge === undefined) {
    return `metric "${metric}" can't be rated; choose ${judges.map(({ id }) => id).join(", ")}`;
  }
  const [low, high] = gradeEnds(judge);
  if (score < low || score > high) return `score of ${metric}: must be from ${low} to ${high}`;
  return own.length > 0 ? null : `no answer of this run to "${sampleId}" has this answerHash`;
}
