import { z } from "zod";
import { MAX_ADDRESS_LENGTH } from "../text/web-address.ts";
import { isPrintable } from "../text/well-formed.ts";
import { webhookEventTypes } from "./webhook-event.ts";

const urlSchema = z.string().max(MAX_ADDRESS_LENGTH).meta({
  description: "where events are posted: https, a public host; a query is kept",
  example: "https://example.com/hooks/assay",
});

const eventsSchema = z
  .array(z.enum(webhookEventTypes))
  .min(1, { error: `must name one or more of ${webhookEventTypes.join(", ")}` })
  .max(webhookEventTypes.length)
  .meta({ description: "types of events that it wants", example: ["run.finished", "run.failed"] });

const descriptionSchema = z
  .string()
  .trim()
  .max(200)
  .refine((text) => text === "" || isPrintable(text), {
    error: "must hold something visible and no control characters",
  })
  .meta({ description: "what it is for", example: "post to the team's channel" });

export const newWebhookSchema = z
  .strictObject({
    url: urlSchema,
    events: eventsSchema,
    description: descriptionSchema.default(""),
  })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof newWebhookSchema>;

/** What can be changed of a webhook; what is left out stays. */
export const webhookChangeSchema = z
  .strictObject({
    url: urlSchema.optional(),
    events: eventsSchema.optional(),
    description: descriptionSchema.optional(),
    status: z
      .enum(["active", "paused"])
      .optional()
      .meta({ description: "active also re-enables a disabled webhook" }),
  })
  .refine((change) => Object.keys(change).length > 0, {
    error: "must name what to change: url, events, description or status",
  })
  .meta({ id: "WebhookChange", example: { status: "paused" } });
export type WebhookChange = z.infer<typeof webhookChangeSchema>;

/** A webhook as it is shown: never with its secret. */
export const webhookSchema = z
  .object({
    id: z.string(),
    owner: z.string().meta({ description: "whose events it is sent" }),
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)),
    description: z.string(),
    status: z.enum(["active", "paused", "disabled"]).meta({
      description:
        "paused: by its owner, nothing is sent meanwhile; disabled: by the service, which says why",
    }),
    statusReason: z.string().nullable().meta({ description: "why it is disabled" }),
    failingSince: z.iso.datetime().nullable().meta({
      description: "since when no delivery got through; null: the last one did, or none was made",
    }),
    previousSecretUntil: z.iso.datetime().nullable().meta({
      description: "until when the secret before the last rotation signs, too; null: it does not",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

/** The one reply that holds a secret. */
export const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z.string().meta({
      description: "signs what is sent, shown this once: whsec_ and the base64 of 32 bytes",
    }),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

/** One event on its way to one webhook. */
export const deliverySchema = z
  .object({
    event: z.string().meta({ description: "id of the event, as in the header webhook-id" }),
    type: z.string(),
    status: z.enum(["pending", "delivered", "failed"]).meta({
      description: "failed: it is not tried again",
    }),
    attempts: z.int().nonnegative(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: "null: there is none to come" }),
    lastAttempt: z
      .object({
        at: z.iso.datetime(),
        status: z.int().nullable().meta({ description: "HTTP status; null: there was no answer" }),
        durationMs: z.number().nonnegative(),
        response: z.string().nullable().meta({ description: "first bytes of the answer's body" }),
        error: z.string().nullable().meta({ description: "why it did not get through" }),
      })
      .nullable()
      .meta({ description: "null: it was not tried yet" }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof deliverySchema>;

export const webhookWithLogSchema = webhookSchema
  .extend({
    deliveries: z.array(deliverySchema).meta({ description: "the last 50, newest first" }),
  })
  .meta({ id: "WebhookWithLog" });
export type WebhookWithLog = z.infer<typeof webhookWithLogSchema>;
