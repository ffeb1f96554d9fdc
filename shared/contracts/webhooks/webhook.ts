import { z } from "zod";
import { visibilitySchema } from "../datasets/dataset.ts";
import { driftNoticeSchema } from "../drift/drift-notice.ts";
import { judgeModelSchema } from "../judging/judge-model.ts";
import { estimateSchema } from "../metric.ts";
import { runModelSchema, runStatusSchema } from "../run.ts";
import { MAX_ADDRESS_LENGTH } from "../text/web-address.ts";
import { isPrintable } from "../text/well-formed.ts";

const addressSchema = z.string().meta({
  description: "URL at the service",
  example: "https://assay.example/v1/runs/run_1",
});

const modelSchema = runModelSchema.pick({ slug: true, name: true, simulated: true });
const datasetSchema = z.object({ name: z.string(), version: z.string() });

const endedRunSchema = z
  .object({
    run: z.string(),
    submission: z.string(),
    suite: z.string(),
    dataset: datasetSchema,
    model: modelSchema,
    status: runStatusSchema,
    statusReason: z.string().nullable().meta({ description: "reason why the run failed" }),
    visibility: visibilitySchema,
    headline: estimateSchema
      .extend({ metric: z.string().meta({ description: "id of the ranking metric" }) })
      .nullable()
      .meta({ description: "headline metric; null until the run is finished" }),
    progress: z.object({ total: z.int(), done: z.int(), failed: z.int() }),
    finishedAt: z.iso.datetime(),
    links: z.object({
      run: addressSchema,
      samples: addressSchema,
      report: addressSchema.nullable().describe("URL of the report page; null for an unlisted run"),
    }),
  })
  .meta({ id: "RunEvent" });
export type RunEvent = z.infer<typeof endedRunSchema>;

const endedSubmissionSchema = z
  .object({
    submission: z.string(),
    suite: z.string(),
    dataset: datasetSchema,
    runs: z
      .object({ total: z.int(), finished: z.int(), failed: z.int(), cancelled: z.int() })
      .meta({ description: "number of runs by final status" }),
    links: z.object({ submission: addressSchema }),
  })
  .meta({ id: "SubmissionEvent" });
export type SubmissionEvent = z.infer<typeof endedSubmissionSchema>;

const pausedScheduleSchema = z
  .object({
    schedule: z.string(),
    model: modelSchema,
    suite: z.string(),
    dataset: z.string(),
    reason: z.string(),
    pausedAt: z.iso.datetime(),
    links: z.object({ schedule: addressSchema }),
  })
  .meta({ id: "ScheduleEvent" });

const flaggedDriftSchema = driftNoticeSchema
  .extend({
    links: z.object({ run: addressSchema, reference: addressSchema, model: addressSchema }),
  })
  .meta({ id: "DriftEvent" });

const endingJudgeSchema = judgeModelSchema
  .extend({ links: z.object({ judges: addressSchema }) })
  .meta({ id: "JudgeEvent" });

const testSchema = z.object({ webhook: z.string(), message: z.string() }).meta({ id: "TestEvent" });

/** Types of webhook events, each with the schema of its data. */
export const webhookEventSchemas = {
  "run.finished": endedRunSchema,
  "run.failed": endedRunSchema,
  "run.cancelled": endedRunSchema,
  "submission.finished": endedSubmissionSchema,
  "drift.flagged": flaggedDriftSchema,
  "schedule.paused": pausedScheduleSchema,
  "judge.ending": endingJudgeSchema,
} as const;
export type WebhookEventType = keyof typeof webhookEventSchemas;

/** When an event of a type is sent, in one sentence. */
export const webhookEventSummaries: Readonly<Record<WebhookEventType, string>> = {
  "run.finished": "A run finished: its headline with interval, n and coverage",
  "run.failed": "A run has ended without a result",
  "run.cancelled": "A run was cancelled",
  "submission.finished": "The last run of a submission has ended",
  "drift.flagged":
    "A re-evaluation differs significantly from its reference, or the traffic of a stream changed",
  "schedule.paused": "A schedule was paused automatically",
  "judge.ending": "A judge of the service is gone, or ends within 60 days",
};

export const webhookEventTypes = Object.keys(webhookEventSchemas) as WebhookEventType[];

/** Every type that is sent: those to choose from, and the test event. */
export const sentEventSchemas = { ...webhookEventSchemas, "webhook.test": testSchema } as const;
export type SentEventType = keyof typeof sentEventSchemas;

/** Data of an event. Links are paths until it is sent. */
export type EventData<Type extends SentEventType> = z.infer<(typeof sentEventSchemas)[Type]>;

/**
 * Body of a webhook request. The header `webhook-id` identifies the event.
 * Source: Standard Webhooks 1.0.0, "Payload structure".
 */
export const webhookBodySchema = <Type extends SentEventType>(type: Type) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: "time of the event" }),
    data: sentEventSchemas[type],
  });

const urlSchema = z.string().max(MAX_ADDRESS_LENGTH).meta({
  description: "address that receives events: https, a public host; a query is allowed",
  example: "https://example.com/hooks/assay",
});

const eventsSchema = z
  .array(z.enum(webhookEventTypes))
  .min(1, { error: `must name one or more of ${webhookEventTypes.join(", ")}` })
  .max(webhookEventTypes.length)
  .meta({ description: "event types to receive", example: ["run.finished", "run.failed"] });

const descriptionSchema = z
  .string()
  .trim()
  .max(200)
  .refine((text) => text === "" || isPrintable(text), {
    error: "must contain visible characters and no control characters",
  })
  .meta({ description: "purpose", example: "post to the team's channel" });

export const newWebhookSchema = z
  .strictObject({
    url: urlSchema,
    events: eventsSchema,
    description: descriptionSchema.default(""),
  })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof newWebhookSchema>;

/** Changes to a webhook; omitted fields are unchanged. */
export const webhookChangeSchema = z
  .strictObject({
    url: urlSchema.optional(),
    events: eventsSchema.optional(),
    description: descriptionSchema.optional(),
    status: z.enum(["active", "paused"]).optional().meta({
      description: "active also re-enables a disabled webhook",
    }),
  })
  .refine((change) => Object.keys(change).length > 0, {
    error: "must name what to change: url, events, description or status",
  })
  .meta({ id: "WebhookChange", example: { status: "paused" } });
export type WebhookChange = z.infer<typeof webhookChangeSchema>;

/** A webhook as shown: never with its secret. */
export const webhookSchema = z
  .object({
    id: z.string(),
    owner: z.string().meta({ description: "account whose events the webhook receives" }),
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)),
    description: z.string(),
    status: z.enum(["active", "paused", "disabled"]).meta({
      description:
        "paused: by the owner, nothing is sent; disabled: by the service, see statusReason",
    }),
    statusReason: z.string().nullable().describe("why the webhook is disabled; null: it is not"),
    failingSince: z.iso.datetime().nullable().meta({
      description:
        "start of the current series of failed deliveries; null: the last one succeeded, or none was made",
    }),
    previousSecretUntil: z.iso.datetime().nullable().meta({
      description: "until when the previous secret also signs; null: it does not sign",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

/** The only response that contains a secret. */
export const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z.string().meta({
      description: "signs deliveries; shown only once: whsec_ and the base64 of 32 bytes",
    }),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

/** Delivery of one event to one webhook. */
export const deliverySchema = z
  .object({
    event: z.string().meta({ description: "id of the event; also in the header webhook-id" }),
    type: z.string(),
    status: z.enum(["pending", "delivered", "failed"]).meta({
      description: "failed: no further attempt",
    }),
    attempts: z.int().nonnegative(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable().describe("time of the next attempt; null: none"),
    lastAttempt: z
      .object({
        at: z.iso.datetime(),
        status: z.int().nullable().meta({ description: "HTTP status; null: no response" }),
        durationMs: z.number().nonnegative(),
        response: z.string().nullable().meta({ description: "first bytes of the response body" }),
        error: z.string().nullable().describe("reason why the attempt failed; null: it succeeded"),
      })
      .nullable()
      .meta({ description: "last attempt; null: not attempted yet" }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof deliverySchema>;

export const webhookWithLogSchema = webhookSchema
  .extend({
    deliveries: z.array(deliverySchema).meta({ description: "last 50 deliveries, newest first" }),
  })
  .meta({ id: "WebhookWithLog" });
export type WebhookWithLog = z.infer<typeof webhookWithLogSchema>;
