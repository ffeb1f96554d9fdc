import { z } from "zod";

/** A badge as shields.io's endpoint schema wants it. Source: https://shields.io/badges/endpoint-badge */
export const shieldsBadgeSchema = z
  .object({
    schemaVersion: z.literal(1),
    label: z.string(),
    message: z.string(),
    color: z.string(),
    cacheSeconds: z.int().optional(),
  })
  .meta({ id: "ShieldsBadge" });
export type ShieldsBadge = z.infer<typeof shieldsBadgeSchema>;
