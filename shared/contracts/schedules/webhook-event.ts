import { z } from "zod";
import { visibilitySchema } from "../datasets/dataset.ts";
import { estimateSchema } from "../metric.ts";
import { runModelSchema, runStatusSchema } from "../run.ts";
import { driftNoticeSchema } from "./drift-notice.ts";

const addressSchema = z.string().meta({
  description: "an address of the service",
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
    statusReason: z.string().nullable().meta({ description: "why it failed" }),
    visibility: visibilitySchema,
    headline: estimateSchema
      .extend({ metric: z.string().meta({ description: "id of the metric that ranks" }) })
      .nullable()
      .meta({ description: "null unless it finished" }),
    progress: z.object({ total: z.int(), done: z.int(), failed: z.int() }),
    finishedAt: z.iso.datetime(),
    links: z.object({
      run: addressSchema,
      samples: addressSchema,
      report: addressSchema.nullable().meta({ description: "null for an unlisted run" }),
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
      .meta({ description: "how its runs ended" }),
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

const testSchema = z.object({ webhook: z.string(), message: z.string() }).meta({ id: "TestEvent" });

/** Types of webhook events, each with the schema of its data. */
export const webhookEventSchemas = {
  "run.finished": endedRunSchema,
  "run.failed": endedRunSchema,
  "run.cancelled": endedRunSchema,
  "submission.finished": endedSubmissionSchema,
  "drift.flagged": flaggedDriftSchema,
  "schedule.paused": pausedScheduleSchema,
} as const;
export type WebhookEventType = keyof typeof webhookEventSchemas;

/** When an event of a type comes, in a sentence. */
export const webhookEventSummaries: Readonly<Record<WebhookEventType, string>> = {
  "run.finished": "A run has been summed up: its headline with interval, n and coverage",
  "run.failed": "A run has ended without a result",
  "run.cancelled": "A run was cancelled",
  "submission.finished": "The last run of a submission has ended",
  "drift.flagged": "A re-evaluation differs from its reference by more than chance allows",
  "schedule.paused": "A schedule has paused by itself",
};

export const webhookEventTypes = Object.keys(webhookEventSchemas) as WebhookEventType[];

/** Every type that is sent: those to choose from, and the one that a test sends. */
export const sentEventSchemas = { ...webhookEventSchemas, "webhook.test": testSchema } as const;
export type SentEventType = keyof typeof sentEventSchemas;

/** What an event of a type says. Its links are paths until it is sent. */
export type EventData<Type extends SentEventType> = z.infer<(typeof sentEventSchemas)[Type]>;

/**
 * The body of a webhook's request. The header `webhook-id` tells one event from another.
 * Source: Standard Webhooks 1.0.0, "Payload structure".
 */
export const webhookBodySchema = <Type extends SentEventType>(type: Type) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: "when it happened" }),
    data: sentEventSchemas[type],
  });
