import { scales } from "#shared/contracts/judging/judge.ts";
import { answerHash, type Rating, ratedJudges } from "#shared/contracts/judging/rating.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { ownedRun } from "../runs/access.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/run-objects.ts";
import type { StoredRating } from "./schema.ts";
import { answersAt } from "./sum-ratings.ts";

/** A rating and its place in the request. */
export interface PlacedRating {
  rating: Rating;
  place: Pick<FieldError, "pointer" | "line">;
}

interface RatingRefusal {
  type: "not-found" | "forbidden" | "conflict" | "gone" | "invalid-request";
  detail: string;
  errors?: FieldError[];
}

/** Ratings of one run: more than a reader can give, and what is summed up in one invocation. */
const MOST_OF_RUN = 50_000;

/** A run of the account whose answers people can rate. */
export async function ratedRun(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<RunWork, RatingRefusal>> {
  const found = await ownedRun(platform, account, id);
  if (!found.ok) return found;
  const run = found.value;
  const conflict = (detail: string) => err({ type: "conflict" as const, detail });
  if (run.status !== "finished") return conflict(`run "${id}" is ${run.status}: wait for its end`);
  if (areAnswersGone(run, platform.settings, platform.now())) {
    return err({ type: "gone", detail: answersGoneDetail(run) });
  }
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
): Promise<Result<number, RatingRefusal>> {
  const found = await ratedRun(platform, account, id);
  if (!found.ok) return found;
  const { run, suite, plan } = found.value;
  const positionOf = new Map(plan.heads.map((head, i) => [head.id, i]));
  const seqsOf = (sampleId: string) => {
    const position = positionOf.get(sampleId);
    if (position === undefined) return [];
    return Array.from({ length: plan.repeats }, (_, repeat) => seqOf(plan, position, repeat));
  };
  const wanted = new Set(placed.flatMap(({ rating }) => seqsOf(rating.sampleId)));
  const hashes = new Map<number, string>();
  for await (const { seq, answer } of answersAt(platform, run, [...wanted])) {
    if (answer.error === null) hashes.set(seq, answerHash(answer));
  }
  const rows: StoredRating[] = [];
  const errors: FieldError[] = [];
  for (const { rating, place } of placed) {
    const seqs = seqsOf(rating.sampleId);
    const own = seqs.filter((seq) => hashes.get(seq) === rating.answerHash);
    const flaw = flawOf(suite, rating, seqs, own);
    if (flaw !== null) errors.push({ ...place, detail: flaw });
    rows.push(...own.map((seq) => ({ ...rating, seq })));
  }
  if (errors.length > 0) {
    const detail = `nothing was stored: ${errors.length} rating(s) are invalid`;
    return err({ type: "invalid-request", detail, errors });
  }
  const root = await platform.ratings.rootOf(run.id);
  if ((await platform.ratings.count(root)) + rows.length > MOST_OF_RUN) {
    return err({ type: "conflict", detail: `a run has at most ${MOST_OF_RUN} ratings` });
  }
  await platform.ratings.add(root, rows, platform.now());
  return ok(placed.length);
}

function flawOf(
  { judging }: Suite,
  { sampleId, metric, score }: Rating,
  seqs: readonly number[],
  own: readonly number[],
): string | null {
  const judges = ratedJudges(judging);
  const judge = judges.find((one) => one.id === metric);
  if (judge === undefined) {
    return `metric "${metric}" can't be rated; choose ${judges.map((one) => one.id).join(", ")}`;
  }
  const [low, high] = scales[judge.scale];
  if (score < low || score > high)
    return `score ${score} of ${metric} must be from ${low} to ${high}`;
  if (seqs.length === 0) return `the run has no sample "${sampleId}"`;
  return own.length > 0 ? null : `no answer of this run to "${sampleId}" has this answerHash`;
}
