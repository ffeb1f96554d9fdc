import { z } from "zod";
import { bounds, nameSchema } from "../bounds.ts";

/** Why a metric has no value for an answer. */
export const unjudgedReasons = [
  "no_answer",
  "no_judge",
  "no_such_model",
  "judge_failed",
  "judge_refused",
  "invalid_judgment",
  "not_given",
] as const;
export type UnjudgedReason = (typeof unjudgedReasons)[number];

const count = z.int().nonnegative();

/** One judge's result for an answer and metric: a judgment, or why there is none. */
export const judgmentRecordSchema = z
  .object({
    judge: nameSchema.nullable().describe("dated name of the model; null: not reported"),
    provider: nameSchema.nullable(),
    judgment: z.unknown().describe("judgment with the fields of the metric's table; null: none"),
    unjudged: z
      .object({
        reason: z.enum(unjudgedReasons),
        message: z.string(),
      })
      .nullable(),
    promptHash: nameSchema.nullable(),
    key: nameSchema.nullable().meta({
      description: "SHA-256 of judge, prompt and inputs, by which the judgment is stored",
    }),
    isFallback: z.boolean().meta({
      description: "whether the judge replaced the metric's own, which was not available",
    }),
    replaced: nameSchema.optional().describe("unavailable judges that this judge replaced"),
    isSelfPreference: z.boolean().describe("whether judge and model have the same maker"),
    isCached: z.boolean().meta({
      description: "whether the judgment was stored from an earlier request and cost nothing",
    }),
    isSimulated: z.boolean(),
    requests: count.meta({ description: "HTTP calls, including retries and repair requests" }),
    inputTokens: count,
    outputTokens: count,
    latencyMs: z.number().nonnegative().describe("latency of all requests for the judgment"),
    costUsd: z.number().nonnegative().nullable().meta({
      description: "cost of the calls, USD; null: the deployment has no price for the model",
    }),
  })
  .meta({ id: "Judgment" });
export type JudgmentRecord = z.infer<typeof judgmentRecordSchema>;

/** A record in which nothing is known and nothing was spent. */
export const noJudgment: JudgmentRecord = {
  judge: null,
  provider: null,
  judgment: null,
  unjudged: null,
  promptHash: null,
  key: null,
  isFallback: false,
  isSelfPreference: false,
  isCached: false,
  isSimulated: false,
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  latencyMs: 0,
  costUsd: null,
};

/** The result of one judge with its value on the metric's scale; null: no value. */
export interface JudgeResult
  extends Pick<
    JudgmentRecord,
    | ("judge" | "isCached" | "isFallback" | "replaced" | "isSelfPreference" | "isSimulated")
    | ("requests" | "inputTokens" | "outputTokens" | "costUsd")
  > {
  value: number | null;
}

/** An answer's value of one metric, and the judges that it comes from. */
export interface JudgedAnswer {
  metric: string;
  /** On the metric's scale; null: unjudged. */
  value: number | null;
  judges: readonly JudgeResult[];
}

/** A stage's result for a sample, or why there is none. */
export const findingSchema = z
  .object({
    value: z.unknown().meta({ description: "fact that the stage found; null: nothing" }),
    failure: z.string().max(bounds.message).nullable(),
    model: nameSchema.nullable(),
    isReused: z.boolean().describe("whether the finding was stored from an earlier request"),
    calls: z
      .array(
        judgmentRecordSchema.pick({
          judge: true,
          provider: true,
          requests: true,
          inputTokens: true,
          outputTokens: true,
          costUsd: true,
        }),
      )
      .max(2)
      .optional()
      .meta({ description: "paid calls of models; missing: none" }),
  })
  .meta({ id: "StageFinding" });
export type StageFinding = z.infer<typeof findingSchema>;
/** By stage. */
export type StageFindings = Readonly<Record<string, StageFinding>>;
