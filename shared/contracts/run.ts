import { z } from "zod";
import { answerSchema } from "./answer.ts";
import { visibilitySchema } from "./datasets/dataset.ts";
import { runJudgingSchema } from "./judging/judging.ts";
import { estimateSchema } from "./metric.ts";
import { runPointsSchema } from "./run-points.ts";
import { statedPricesSchema } from "./submissions/prices.ts";
import { variantSchema } from "./submissions/variant.ts";
import { timelineSchema } from "./timeline.ts";

export const runStatusSchema = z.enum([
  "queued",
  "running",
  "paused",
  "finished",
  "failed",
  "cancelled",
]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** The model of a run as it is shown everywhere. */
export const runModelSchema = z
  .object({
    slug: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    license: z.string().nullable(),
    parameters: z.string().nullable(),
    quantization: z.string().nullable(),
    simulated: z.boolean(),
    asked: z.array(z.string()).optional().meta({
      description:
        "ids of the models that were asked: of the endpoint, and after it of a hybrid target's cloud; of answers made elsewhere as the submitter declares it. Left out: not declared",
    }),
    served: z
      .array(z.object({ model: z.string().nullable(), answers: z.int().positive() }))
      .optional()
      .meta({
        description:
          "models that answered, as endpoints name them, with their answers, most first; null: all others, beyond the first ten, on boards beyond the first three. Empty: none was named; left out until finished",
      }),
  })
  .meta({ id: "RunModel" });
export type RunModel = z.infer<typeof runModelSchema>;

/** Who made the answers: this service, by calling the endpoint, or the submitter. */
export const provenanceSchema = z
  .object({
    kind: z.enum(["called", "self-reported"]),
    endpointHost: z
      .string()
      .nullable()
      .meta({ description: "what was called; null if nothing was" }),
    cloudHost: z
      .string()
      .optional()
      .meta({ description: "of a hybrid target: host of the cloud endpoint" }),
  })
  .meta({ id: "Provenance" });

/** A run: one model × suite × dataset version × options. */
export const runSchema = z
  .object({
    id: z.string(),
    submission: z.string(),
    parent: z
      .string()
      .nullable()
      .meta({ description: "the run whose stored answers this one rescores; null: none" }),
    republished: z.boolean().optional().meta({
      description:
        "the service created the run to rescore the answers of `parent` for another board; left out: false",
    }),
    suite: z.string(),
    suiteVersion: z.string(),
    dataset: z.object({ name: z.string(), version: z.string(), samples: z.int() }),
    model: runModelSchema,
    provenance: provenanceSchema,
    status: runStatusSchema,
    statusReason: z.string().nullable().meta({ description: "why it failed or paused" }),
    visibility: visibilitySchema,
    hiddenSamples: z.boolean().optional().meta({
      description:
        "its dataset is private: samples and answers are there for its owner alone; left out: for whoever reads the run",
    }),
    hiddenReason: z.string().nullable().meta({
      description: "why an admin hides it from all but its owner; null: it is not hidden",
    }),
    phase: z.enum(["answering", "judging"]).meta({
      description: "of a judged run: whether the model is being asked, or its answers judged",
    }),
    progress: z
      .object({ total: z.int(), done: z.int(), failed: z.int() })
      .meta({ description: "samples; `done` counts those of the phase" }),
    judging: runJudgingSchema
      .nullable()
      .meta({ description: "who judges its answers; null: no judge is asked" }),
    options: z.record(z.string(), z.unknown()),
    hybrid: z.object({ cloudHost: z.string(), confidenceThreshold: z.number() }).nullable().meta({
      description: "the cloud asked after the local endpoint; null: one endpoint was asked",
    }),
    variant: variantSchema.nullable().meta({
      description:
        "what a sweep set of the options, by the sweep's names; null: it is none of a sweep",
    }),
    prices: statedPricesSchema.nullable(),
    cost: z
      .object({
        spentUsd: z.number().meta({ description: "tokens so far at the given prices" }),
        maxUsd: z.number().nullable().meta({ description: "where the run pauses; null: nowhere" }),
      })
      .nullable()
      .meta({ description: "null without prices" }),
    concurrency: z.object({ wanted: z.int(), now: z.int() }).meta({
      description:
        "concurrent requests: the number asked for, and the current limit, which adapts to the endpoint",
    }),
    scoringVersion: z.string(),
    promptHash: z.string().nullable(),
    codeRevision: z.string().nullable().meta({
      description: "commit or version of the service that summed it up; null until finished",
    }),
    /** The notes of the endpoint client: parameters left out, modes stepped down. */
    notes: z.array(z.string()),
    headline: z.string().meta({ description: "id of the metric that ranks" }),
    metrics: z
      .record(z.string(), estimateSchema)
      .nullable()
      .meta({ description: "null until finished" }),
    breakdown: z.unknown().nullable().meta({
      description: "the suite's tables of counts and ratios; null until finished",
    }),
    timeline: timelineSchema.nullable().meta({
      description: "null until finished, and for answers made elsewhere",
    }),
    points: runPointsSchema.nullable().meta({ description: "null until finished" }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    estimatedFinishAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "from the progress so far; null where that says nothing" }),
    waitingUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: "the endpoint asked for no call before this; null when it did not" }),
    answersRemovedAt: z.iso.datetime().nullable().meta({
      description: "when the raw answers were removed by age; rows and metrics stay",
    }),
    links: z.object({
      self: z.string(),
      samples: z.string(),
      report: z.string().nullable().meta({ description: "page of the site; null when unlisted" }),
      badge: z.string(),
      statement: z
        .string()
        .nullable()
        .meta({ description: "what was published, signed; null until finished" }),
    }),
  })
  .meta({ id: "Run" });
export type Run = z.infer<typeof runSchema>;

/** A run as in lists and reports: without the data of charts. */
export const listedRunSchema = runSchema
  .omit({ breakdown: true, timeline: true, points: true })
  .meta({ id: "ListedRun", description: "A run without breakdown, timeline and points" });
export type ListedRun = z.infer<typeof listedRunSchema>;

/** One sample of a run in a list: numbers only. */
export const sampleRowSchema = z
  .object({
    seq: z.int(),
    id: z.string(),
    status: z.enum(["scored", "unscored", "not_applicable", "answered"]).meta({
      description: "answered: its judgment is to come",
    }),
    covered: z.boolean(),
    score: z.number().nullable(),
    latencyMs: z.number().nullable(),
    inputTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    requests: z.int().meta({ description: "requests that the suite made; 0: made elsewhere" }),
    attempts: z.int().meta({ description: "HTTP calls that they took, retries included" }),
    queueWaitMs: z.number().nullable().meta({
      description: "from the run's start to the first call; in no latency",
    }),
    retryWaitMs: z.number().nullable().meta({
      description: "from the first call to the one that was answered; in no latency",
    }),
    errorClass: z.string().nullable(),
  })
  .meta({ id: "SampleRow" });
export type SampleRow = z.infer<typeof sampleRowSchema>;

export const samplePageSchema = z
  .object({ samples: z.array(sampleRowSchema), nextCursor: z.string().nullable() })
  .meta({ id: "SamplePage" });
export type SamplePage = z.infer<typeof samplePageSchema>;

/** One whole sample of a run: request, answer and score. */
export const sampleResultSchema = sampleRowSchema
  .extend({
    sample: z.unknown().meta({ description: "the dataset's row" }),
    answer: answerSchema,
    said: z.object({ answer: z.string().nullable(), thoughts: z.string() }).optional().meta({
      description:
        "the answer as it is scored, null where there is none, and apart from it the thoughts of the content and of fields of their own; left out where the model did not think",
    }),
    detail: z.unknown().meta({ description: "the suite's scoring in detail" }),
  })
  .meta({ id: "SampleResult" });
export type SampleResult = z.infer<typeof sampleResultSchema>;
