import { z } from "zod";
import { nameSchema } from "../bounds.ts";
import { printableText } from "../text/printable-text.ts";

/** How badge-maker and shields.io draw a badge. */
const badgeStyles = ["flat", "flat-square", "plastic", "for-the-badge"] as const;

const longestLabel = 60;

/** Query parameters of a badge. */
export const badgeQuerySchema = z.object({
  suite: nameSchema.optional().meta({
    description: "default: the first suite that GET /v1/suites lists, else the newest ranked",
    example: "extraction",
  }),
  dataset: nameSchema.optional().meta({
    description: "name of the dataset; default: that of the newest ranked run",
    example: "stock",
  }),
  metric: nameSchema.optional().meta({
    description: "the suite's headline (default) or another metric of its boards",
    example: "validity",
  }),
  label: printableText(longestLabel).optional().meta({
    description:
      "text on the left; default: Assay, the suite's id, and the metric if it is not the headline",
  }),
  style: z.enum(badgeStyles).default("flat"),
  show: z.enum(["summary", "value", "interval", "rank", "trend"]).default("summary").meta({
    description:
      "the value with half the width of its 95% interval and, for the headline, the rank; the value; the value with its interval; the rank; or the value with its drift since the reference run; the last two only for the headline",
  }),
});
export type BadgeQuery = z.infer<typeof badgeQuerySchema>;

/** A badge in the endpoint schema of shields.io. Source: https://shields.io/badges/endpoint-badge */
export const shieldsBadgeSchema = z
  .object({
    schemaVersion: z.literal(1),
    label: z.string(),
    message: z.string(),
    color: z.string(),
    style: z.enum(badgeStyles).optional(),
    cacheSeconds: z.int().optional(),
  })
  .meta({ id: "ShieldsBadge" });
export type ShieldsBadge = z.infer<typeof shieldsBadgeSchema>;
