import { z } from "zod";
import { isPrintable } from "../text/well-formed.ts";

/** Longest reason: one or two sentences. */
const MAX_REASON = 500;

/** Why someone acts. */
export const reasonSchema = z
  .string()
  .trim()
  .max(MAX_REASON)
  .refine(isPrintable, { error: "must say why, without control characters" });

/** For actions whose reason goes only into the audit log. */
export const reasonQuery = z.object({
  reason: reasonSchema.optional().meta({ description: "reason, stored in the audit log" }),
});

const stateSchema = z.record(z.string(), z.unknown()).nullable();

/** One action in the audit log. */
export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.string().meta({ description: "account that acted" }),
    keyId: z.string().nullable().meta({
      description: "id of the API key; null: the operator's secret, or an account without keys",
    }),
    action: z.string().meta({
      description: "name of the action, or method and path of the route",
      example: "run.hide",
    }),
    target: z.string().meta({ description: "id of the changed object, or path of the request" }),
    reason: z.string().nullable(),
    before: stateSchema,
    after: stateSchema,
    status: z.int().meta({
      description: "status of the response; from 500 on, the action may have failed halfway",
    }),
    requestId: z.string().meta({ description: "id of the request, as in the service's log" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;
