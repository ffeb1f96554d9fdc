import { z } from "zod";
import type { Answer } from "../answer.ts";
import { nameSchema } from "../bounds.ts";
import { textHash } from "../content-hash.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { err, ok, type Result } from "../result.ts";
import type { AskedJudge } from "./judge.ts";
import type { Judging } from "./judging.ts";

/** Maximum number of ratings in a request. */
export const mostRatings = 10_000;

/**
 * The hash by which a rating names its answer: SHA-256 of the raw content, or of the refusal if there is none; 64 hex
 * digits.
 * Source: docs/spec/memory.md, people's ratings.
 * @example answerHash({ output: "Hi.", refusal: null }) // "17f4444f3932…"
 */
export const answerHash = ({ output, refusal }: Pick<Answer, "output" | "refusal">): string =>
  textHash(output ?? refusal ?? "");

/** Ratings in a dataset's row, with the hash of the rated answer; null: the row does not name the answer. */
export interface Labels<Scores> {
  scores: Scores;
  answerHash: string | null;
}

const hexHash = /^[0-9a-f]{64}$/;

/**
 * Reads a row's `human`: the rated answer, given as text (`answer`) or hash (`answerHash`), and the other members as
 * scores. The error names the invalid member.
 * @example readLabels({ answer: "Hi.", empathy: 4 }) // { ok: true, value: { answerHash: "17f4…", scores: { empathy: 4 } } }
 */
export function readLabels(human: Json): Result<Labels<JsonObject>, string> {
  if (!isJsonObject(human)) return err("human must be an object of ratings by metric");
  const { answer = null, answerHash: hash = null, ...scores } = human;
  if (answer !== null && typeof answer !== "string") return err("human.answer must be a text");
  if (hash !== null && !(typeof hash === "string" && hexHash.test(hash))) {
    return err("human.answerHash must be 64 hex digits (SHA-256)");
  }
  const named = answer === null ? (hash as string | null) : textHash(answer);
  if (hash !== null && hash !== named) return err("human.answerHash is not that of human.answer");
  return ok({ scores, answerHash: named });
}

/**
 * A row's ratings if they belong to this answer: the answer has the hash in the ratings, or was submitted as the rated
 * answer. Else undefined.
 * Source: docs/spec/memory.md, people's ratings.
 * @example labelsOf({ scores, answerHash: null }, { ...emptyAnswer, rated: true }) // scores
 */
export function labelsOf<Scores>(
  labels: Labels<Scores> | undefined,
  answer: Pick<Answer, "output" | "refusal" | "rated">,
): Scores | undefined {
  if (labels === undefined) return undefined;
  const { scores, answerHash: hash } = labels;
  const isOfIt = hash === null ? answer.rated === true : hash === answerHash(answer);
  return isOfIt ? scores : undefined;
}

const hashSchema = z.string().regex(hexHash, { error: "must be 64 hex digits (SHA-256)" });

/** A person's name among a run's raters. */
export const raterSchema = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((name) => !/\p{Cc}/u.test(name), { error: "must have no control characters" });

/** A person's rating of one answer. */
export const ratingSchema = z
  .strictObject({
    sampleId: nameSchema,
    answerHash: hashSchema.meta({ description: "SHA-256 of the answer's raw content" }),
    metric: nameSchema,
    score: z.number().meta({ description: "rating, on the metric's scale" }),
    rater: raterSchema,
  })
  .meta({ id: "Rating" });
export type Rating = z.infer<typeof ratingSchema>;

export const ratingsRequestSchema = z
  .strictObject({ ratings: z.array(ratingSchema).min(1).max(mostRatings) })
  .meta({ id: "NewRatings" });

export const storedRatingsSchema = z.object({ stored: z.int() }).meta({ id: "StoredRatings" });

/**
 * The judges of a suite whose metrics people can rate too: those that grade an answer by levels.
 * @example ratedJudges(memory.judging).map(({ id }) => id) // ["coherence", …]
 */
export const ratedJudges = (judging: Pick<Judging, "judges"> | undefined): AskedJudge[] =>
  (judging?.judges ?? []).flatMap((judge) =>
    judge.kind === "asked" && judge.rubric.levels.length > 0 ? [judge] : [],
  );

const metricSchema = z.object({
  id: z.string(),
  label: z.string(),
  task: z.string(),
  levels: z
    .array(z.tuple([z.number(), z.string()]))
    .meta({ description: "levels as [value, meaning], lowest first" }),
  notAbout: z.array(z.string()),
});
const taskSchema = z.object({
  sampleId: z.string(),
  answerHash: z.string(),
  sections: z.array(z.object({ name: z.string(), text: z.string() })),
  metrics: z.array(z.string()).describe("ids of the metrics that the rater has not rated"),
});

/** What a rater sees: never the model or a judgment. */
export const ratingTasksSchema = z
  .object({
    metrics: z.array(metricSchema),
    progress: z
      .object({ rated: z.int(), total: z.int() })
      .describe("number of answers that this rater has rated for all metrics, and of all answers"),
    tasks: z.array(taskSchema).meta({ description: "next answers to rate; empty: all are rated" }),
  })
  .meta({ id: "RatingTasks" });
export type RatingTasks = z.infer<typeof ratingTasksSchema>;

const count = z.int().nonnegative();
const interval = z.tuple([z.number(), z.number()]).nullable();
const measured = z.object({ value: z.number().nullable(), interval });

export const correctedSchema = z
  .object({
    value: z.number().meta({ description: "the judge's mean, corrected by people's ratings" }),
    interval: interval.meta({ description: "95% interval; null below ten rated samples" }),
    n: count.meta({ description: "number of rated answers" }),
    judge: z.number().meta({ description: "judge's mean over rated and unrated answers" }),
    weight: z.number().meta({ description: "weight of the judge's values in the correction, 0–1" }),
    toHalve: count.nullable().meta({
      description:
        "rated answers needed to halve the interval; null: all answers would not be enough",
    }),
  })
  .meta({ id: "CorrectedMean" });
export type Corrected = z.infer<typeof correctedSchema>;

const amongSchema = z.object({
  metric: z.string(),
  answers: count,
  ratings: count,
  alpha: measured,
});
const judgeSchema = z.object({
  metric: z.string(),
  judge: z.string().nullable(),
  n: count,
  kappa: measured.describe("weighted kappa: a difference of two levels counts four times"),
  meanAbsoluteError: measured,
  agreement: measured.describe("share of answers that judge and people put on the same level"),
  cohensKappa: measured.meta({ description: "unweighted kappa: all differences count equally" }),
});

/** People's ratings of a run's answers, summed up. */
export const peopleSchema = z
  .object({
    ratings: count,
    answers: count,
    raters: count,
    means: z.record(z.string(), correctedSchema).describe("corrected means by metric id"),
    agreement: z
      .array(amongSchema)
      .meta({ description: "agreement between people, on answers that several rated" }),
    judges: z.array(judgeSchema).describe("agreement of each judge with people's mean rating"),
  })
  .meta({ id: "People" });
export type People = z.infer<typeof peopleSchema>;
