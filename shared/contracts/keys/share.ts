import { z } from "zod";
import { nameSchema } from "../bounds.ts";
import { printableText } from "../text/printable-text.ts";
import { SHARE_HEADER } from "./access-names.ts";

/** Runs that one link opens, enough for a comparison. */
const MOST_RUNS = 20;
const MOST_DAYS = 365;

export const shareRequestSchema = z
  .strictObject({
    expiresInDays: z.int().min(1).max(MOST_DAYS).default(30),
    note: printableText(200).optional().meta({ description: "for yourself: who has the link" }),
    with: z
      .array(nameSchema)
      .max(MOST_RUNS - 1)
      .default([])
      .meta({ description: "ids of further runs of yours that it opens, to compare them" }),
  })
  .meta({ id: "ShareRequest" });

/** A link that opens private runs, as its owner lists it: without its token. */
export const shareSchema = z
  .object({
    id: z.string(),
    runs: z.array(z.string()).meta({ description: "the runs that it opens" }),
    note: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Share" });
export type Share = z.infer<typeof shareSchema>;

/** A new link; only this reply contains its token. */
export const newShareSchema = shareSchema
  .extend({
    token: z.string().meta({ description: `sent in the header ${SHARE_HEADER}` }),
    link: z.string().meta({
      description: "path of the page; the token is behind #, which browsers send to no server",
    }),
    badge: z.string().meta({
      description:
        "path of an image with the score of the first run, to embed; its token opens nothing else, and ends with the link",
    }),
  })
  .meta({ id: "NewShare" });
export type NewShare = z.infer<typeof newShareSchema>;
