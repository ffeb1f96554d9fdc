import { z } from "zod";
import type { Answer } from "../../contracts/answer.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";
import type { EmotionMix } from "./emotions.ts";
import type { Personality } from "./personality.ts";

/** Why a metric has no value for an answer. */
export const unjudgedReasons = [
  ...(["no_answer", "no_judge", "judge_failed", "judge_refused", "invalid_judgment"] as const),
  "not_given",
] as const;
export type UnjudgedReason = (typeof unjudgedReasons)[number];

const count = z.int().nonnegative().catch(0);

/** What one judge made of an answer by one metric: a judgment, or why there is none. */
const judgmentRecordSchema = z.object({
  judge: z.string().nullable().catch(null).meta({ description: "dated model; null: not said" }),
  judgment: z
    .unknown()
    .default(null)
    .meta({ description: "with the fields of the metric's table; null: none" }),
  unjudged: z
    .object({
      reason: z.enum(unjudgedReasons).catch("judge_failed"),
      message: z.string().catch(""),
    })
    .nullable()
    .catch(null),
  promptHash: z.string().nullable().catch(null),
  /** Whether it was asked because the metric's own judge could not be. */
  isFallback: z.boolean().catch(false),
  /** Whether judge and judged come from the same maker. */
  isSelfPreference: z.boolean().catch(false),
  /** Whether it was kept from before; then it cost nothing. */
  isCached: z.boolean().catch(false),
  requests: count,
  inputTokens: count,
  outputTokens: count,
  /** Of all its requests, ms. */
  latencyMs: z.number().nonnegative().catch(0),
  costUsd: z.number().nonnegative().catch(0),
});
export type JudgmentRecord = z.infer<typeof judgmentRecordSchema>;

/** What the stages before an answer found; null where a reply could not be read. */
export interface StageFindings {
  emotion: EmotionMix | null;
  personality: Personality | null;
  /** By stage, why there is nothing. */
  failures: Partial<Record<string, string>>;
}

/** An answer with what was found out before it and what judges made of it. */
export interface JudgedAnswer extends Answer {
  stages?: StageFindings;
  /** By metric a judgment, a record of one, or those of a panel; a metric left out is unjudged. */
  judgments?: Readonly<Record<string, unknown>>;
}

/** A panel of more is no panel. */
const mostRecords = 16;

/**
 * The records of a metric's judgments. A judgment made elsewhere is given as it is, by its fields, and
 * becomes a record of an unknown judge; none is an empty list. Never throws.
 * Source: specification of the memory suite, judges.
 * @example judgmentsOf({ empathy: { empathy_score: 4 } }, "empathy")[0]?.judge // null
 */
export function judgmentsOf(
  judgments: Readonly<Record<string, unknown>> | undefined,
  metric: string,
): JudgmentRecord[] {
  if (!isJsonObject(judgments) || !Object.hasOwn(judgments, metric)) return [];
  const given = judgments[metric];
  if (given === null || given === undefined) return [];
  const list: unknown[] = Array.isArray(given) ? given.slice(0, mostRecords) : [given];
  return list.filter((one) => one !== null).map(recordOf);
}

function recordOf(given: unknown): JudgmentRecord {
  const isRecord = isJsonObject(given) && ("judgment" in given || "unjudged" in given);
  return judgmentRecordSchema.parse(isRecord ? given : { judgment: given as Json });
}
