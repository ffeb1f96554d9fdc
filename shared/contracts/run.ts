import { z } from "zod";
import { answerSchema } from "./answer.ts";
import { visibilitySchema } from "./datasets/dataset.ts";
import { runJudgingSchema } from "./judging/judging.ts";
import { peopleSchema } from "./judging/rating.ts";
import { publicOwnerSchema } from "./keys/account.ts";
import { estimateSchema } from "./metric.ts";
import { runPointsSchema } from "./runs/run-points.ts";
import { timelineSchema } from "./runs/timeline.ts";
import { plannedResultSchema } from "./submissions/planned-test.ts";
import { pricesSchema } from "./submissions/prices.ts";
import { protocols } from "./submissions/providers.ts";
import { variantSchema } from "./submissions/variant.ts";

export const runStatusSchema = z.enum([
  "queued",
  "running",
  "paused",
  "finished",
  "failed",
  "cancelled",
]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** The model of a run as shown everywhere. */
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
        "ids of the models that were requested: that of the endpoint, then that of a hybrid target's cloud; for answers made elsewhere, as declared by the submitter. Missing: not declared",
    }),
    served: z
      .array(z.object({ model: z.string().nullable(), answers: z.int().positive() }))
      .optional()
      .meta({
        description:
          "models that answered, as named by the endpoints, with their number of answers, highest first; null: all others, beyond the first ten (on boards, beyond the first three). Empty: none was named; missing until finished",
      }),
  })
  .meta({ id: "RunModel" });
export type RunModel = z.infer<typeof runModelSchema>;

/** What `assay run` calls on the submitter's machine instead of an endpoint. */
export const relaySchema = z.enum(["program", "http"]);
export type Relay = z.infer<typeof relaySchema>;

/** Ordered by how much this service knows about the answers, most first. */
export const provenanceKinds = ["called", "runner", "self-reported"] as const;

/** Who obtained the answers: this service by calling the endpoint, the submitter's runner, or the submitter. */
export const provenanceSchema = z
  .object({
    kind: z.enum(provenanceKinds).meta({
      description: "runner: the submitter's own runner called the endpoint, and signed the replies",
    }),
    endpointHost: z.string().nullable().meta({
      description: "the host that was called; null if none, or if a runner called it",
    }),
    runner: z
      .object({ name: z.string(), owner: z.string(), keys: z.array(z.string()) })
      .optional()
      .describe("runner that called the endpoint, and thumbprints of the keys that signed replies"),
    relay: relaySchema.optional().meta({
      description:
        "self-reported answers that were requested during the run: from a program on the submitter's machine, or from an HTTP interface that this machine called; missing: otherwise",
    }),
    cloudHost: z.string().optional().meta({
      description: "for a hybrid target: host of the cloud endpoint",
    }),
    protocol: z.enum(protocols).optional(),
    settings: z.record(z.string(), z.unknown()).optional().describe("settings as submitted"),
  })
  .meta({ id: "Provenance" });

/** A run: one model × suite × dataset version × options. */
export const runSchema = z
  .object({
    id: z.string(),
    submission: z.string(),
    parent: z.string().nullable().meta({
      description: "the run whose stored answers this one rescores; null: none",
    }),
    republished: z.boolean().optional().meta({
      description:
        "the service created the run to rescore the answers of `parent` for another board; left out: false",
    }),
    submittedBy: publicOwnerSchema.optional().meta({
      description:
        "account of the run, if it signed in or is an organisation; only in reports and the snapshot",
    }),
    startedBy: z.string().optional().meta({
      description:
        "person who started the run, by session or own key; only for readers of the owner's private data",
    }),
    suite: z.string(),
    suiteVersion: z.string(),
    dataset: z.object({ name: z.string(), version: z.string(), samples: z.int() }),
    model: runModelSchema,
    provenance: provenanceSchema,
    status: runStatusSchema,
    statusReason: z.string().nullable().meta({ description: "reason for a failure or pause" }),
    visibility: visibilitySchema,
    hiddenSamples: z.boolean().optional().meta({
      description:
        "the dataset is private: only its owner can read samples and answers; missing: everyone who can read the run can",
    }),
    hiddenReason: z.string().nullable().meta({
      description: "why an admin hid the run from everyone except its owner; null: not hidden",
    }),
    phase: z.enum(["answering", "judging"]).meta({
      description:
        "in a judged run: whether the model is being called or its answers are being judged",
    }),
    progress: z
      .object({ total: z.int(), done: z.int(), failed: z.int() })
      .meta({ description: "number of samples: `done` counts the current phase" }),
    judging: z
      .union([runJudgingSchema, z.null()])
      .meta({ description: "judges of the run's answers; null: no judge is called" }),
    options: z.record(z.string(), z.unknown()),
    hybrid: z.object({ cloudHost: z.string(), confidenceThreshold: z.number() }).nullable().meta({
      description: "the cloud endpoint of a hybrid target; null: only one endpoint",
    }),
    variant: variantSchema.nullable().meta({
      description: "options set by a sweep, by parameter name; null: not part of a sweep",
    }),
    prices: z.union([pricesSchema, z.null()]),
    cost: z
      .object({
        spentUsd: z.number().meta({
          description:
            "maximum cost of the tokens used so far: all input and all output at the highest of their prices. The metric `costUsd` has the cost by kind of token",
        }),
        maxUsd: z.number().nullable().meta({
          description: "amount at which the run pauses; null: no limit",
        }),
      })
      .nullable()
      .meta({ description: "money spent and its limit; null without prices" }),
    concurrency: z.object({ wanted: z.int(), now: z.int() }).meta({
      description:
        "concurrent requests: the number asked for, and the current limit, which adapts to the endpoint",
    }),
    scoringVersion: z.string(),
    promptHash: z.string().nullable(),
    codeRevision: z.string().nullable().meta({
      description:
        "commit or version of the service that computed the metrics; null until finished",
    }),
    /** Notes of the endpoint client: omitted parameters, and structured-output modes that were not accepted. */
    notes: z.array(z.string()),
    headline: z.string().meta({ description: "id of the ranking metric" }),
    metrics: z.record(z.string(), estimateSchema).nullable().meta({
      description: "by metric id; null until finished",
    }),
    people: peopleSchema.optional().meta({
      description: "people's ratings of the run's answers, about a minute old; missing: none",
    }),
    breakdown: z.unknown().nullable().meta({
      description: "the suite's tables of counts and ratios; null until finished",
    }),
    detectableDrop: z.number().optional().meta({
      description:
        "smallest drop of the headline that would be flagged within five re-evaluations, in 80% of cases; missing: not known",
    }),
    plannedResult: plannedResultSchema.optional(),
    timeline: timelineSchema.nullable().meta({
      description: "progress over time; null until finished, and for answers made elsewhere",
    }),
    points: runPointsSchema
      .nullable()
      .meta({ description: "answers in detail; null until finished" }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    estimatedFinishAt: z.iso.datetime().nullable().meta({
      description: "estimate from the progress so far; null if there is none",
    }),
    waitingUntil: z.iso.datetime().nullable().meta({
      description:
        "earliest time of the next call, after the endpoint asked for a delay or reported too many requests; null: none",
    }),
    runsBefore: z.int().optional().meta({
      description:
        "for the owner of a queued run: number of the account's runs at the same endpoint that get a lane first (100: or more). Accounts take turns",
    }),
    waitsFor: z
      .object({ runner: z.string(), lastSeenAt: z.iso.datetime().nullable() })
      .optional()
      .meta({
        description:
          "the runner that an active run waits for, and when it last asked for work (null: never); missing: none",
      }),
    batches: z
      .object({ open: z.int(), requests: z.int(), submittedAt: z.iso.datetime() })
      .optional()
      .meta({
        description:
          "batches of providers that an active run waits for, their requests, and when the first was submitted; missing: none",
      }),
    answersRemovedAt: z.iso.datetime().nullable().meta({
      description: "when the raw answers were deleted by retention; rows and metrics are kept",
    }),
    links: z.object({
      self: z.string(),
      samples: z.string(),
      report: z.string().nullable().describe("path of the report page; null: unlisted"),
      badge: z.string(),
      statement: z.string().nullable().meta({
        description: "signed statement of the published result; null until finished",
      }),
    }),
  })
  .meta({ id: "Run" });
export type Run = z.infer<typeof runSchema>;

/** A run in lists and reports: without the data of charts. */
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
      description: "status of the sample; answered: not judged yet",
    }),
    covered: z.boolean(),
    score: z.number().nullable(),
    latencyMs: z.number().nullable(),
    inputTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    requests: z.int().describe("number of the suite's requests; 0: answered elsewhere"),
    attempts: z.int().describe("HTTP calls for the sample's requests, including retries"),
    queueWaitMs: z.number().nullable().meta({
      description: "wait from the run's start to the first call, ms; not part of the latency",
    }),
    retryWaitMs: z.number().nullable().meta({
      description: "wait from the first call to the answered one, ms; not part of the latency",
    }),
    errorClass: z.string().nullable(),
  })
  .meta({ id: "SampleRow" });
export type SampleRow = z.infer<typeof sampleRowSchema>;

/** An answer at a glance. */
const sampleLookSchema = z
  .object({
    values: z.record(z.string(), z.number().nullable()).meta({
      description: "1 or 0 by metric that the suite lists for a sample, such as its validity",
    }),
    parts: z.int().describe("number of judged parts: fields, slots, arguments, judgments"),
    wrong: z.int().nullable().meta({
      description: "number of wrong parts; null: the suite does not call parts right or wrong",
    }),
    fault: z.string().nullable().meta({
      description: "why the answer as a whole does not count, such as `not_json`; null: it counts",
    }),
    firstError: z.string().nullable().meta({
      description: "`fault` or the first wrong part, in words; null: none",
    }),
  })
  .meta({ id: "SampleLook" });
export type SampleLook = z.infer<typeof sampleLookSchema>;

export const listedSampleSchema = sampleRowSchema
  .extend({
    look: sampleLookSchema.nullable().optional().meta({
      description:
        "summary of the answer, with `look=true`; null: not stored, or stored by an older version of the suite",
    }),
  })
  .meta({ id: "ListedSample" });
export type ListedSample = z.infer<typeof listedSampleSchema>;

export const samplePageSchema = z
  .object({
    samples: z.array(listedSampleSchema),
    nextCursor: z.string().nullable(),
    searched: z.int().optional().meta({
      description:
        "samples read for this page, if answers were searched: the page may be short or empty although `nextCursor` has more",
    }),
  })
  .meta({ id: "SamplePage" });
export type SamplePage = z.infer<typeof samplePageSchema>;

/** One sample of a run in full: request, answer and score. */
export const sampleResultSchema = sampleRowSchema
  .extend({
    sample: z.unknown().meta({ description: "row of the dataset" }),
    answer: answerSchema,
    said: z.object({ answer: z.string().nullable(), thoughts: z.string() }).optional().meta({
      description:
        "the scored text (null if there is none) and the thoughts separated from it; missing if the model did not think",
    }),
    detail: z.unknown().meta({ description: "the suite's scoring in detail" }),
  })
  .meta({ id: "SampleResult" });
export type SampleResult = z.infer<typeof sampleResultSchema>;
