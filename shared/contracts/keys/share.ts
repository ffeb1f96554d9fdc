import { z } from "zod";
import { bounds, nameSchema } from "../bounds.ts";
import { datasetRefSchema } from "../datasets/dataset.ts";
import { printableText } from "../text/printable-text.ts";
import { slugSchema } from "../text/slug.ts";
import { SHARE_HEADER } from "./access-names.ts";

/** Maximum runs of one link: enough for a comparison. */
const MOST_RUNS = 20;
const MOST_DAYS = 365;

export const shareRequestSchema = z
  .strictObject({
    expiresInDays: z.int().min(1).max(MOST_DAYS).default(30),
    note: printableText(200).optional().describe("your note, such as who has the link"),
    with: z
      .array(nameSchema)
      .max(MOST_RUNS - 1)
      .default([])
      .meta({ description: "ids of further runs of yours that the link opens, to compare them" }),
    metric: nameSchema.optional().meta({
      description: "id of the only metric that the badge shows; default: the run's headline",
    }),
  })
  .meta({ id: "ShareRequest" });

/** The board of an account's own runs that a link opens. */
const openedBoardSchema = z.strictObject({
  suite: nameSchema.meta({ example: "extraction" }),
  dataset: datasetRefSchema,
  headline: z.string().max(bounds.name).optional().describe("id of the ranking metric"),
});

const openedThings = {
  board: openedBoardSchema.describe("board of your account's runs on a dataset, without reports"),
  parity: slugSchema.meta({
    description: "name of a parity of your account",
    example: "acme/hosts",
  }),
  judgings: z.array(nameSchema).min(2).max(MOST_RUNS).meta({
    description:
      "ids of submissions that judged the same answers again: opens their study and their runs",
  }),
};

/** What a link opens, other than single runs. */
const openedThingSchema = z.union([
  z.strictObject({ board: openedThings.board }),
  z.strictObject({ parity: openedThings.parity }),
  z.strictObject({ judgings: openedThings.judgings }),
]);
export type OpenedThing = z.infer<typeof openedThingSchema>;

export const linkRequestSchema = shareRequestSchema
  .omit({ with: true, metric: true })
  .extend({
    board: openedThings.board.optional(),
    parity: openedThings.parity.optional(),
    judgings: openedThings.judgings.optional(),
  })
  .refine((given) => Object.keys(openedThings).filter((name) => name in given).length === 1, {
    error: "give one of board, parity and judgings",
  })
  .meta({ id: "LinkRequest" });

/** A link to private data, as listed for its owner: without the token. */
export const shareSchema = z
  .object({
    id: z.string(),
    runs: z.array(z.string()).meta({ description: "ids of the runs that the link opens" }),
    opens: openedThingSchema.nullable().describe("other objects that the link opens; null: none"),
    note: z.string().nullable(),
    createdBy: z.string().nullable().meta({
      description: "account of the person who made the link; null: made with a key of the operator",
    }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Share" });
export type Share = z.infer<typeof shareSchema>;

/** A new link to something other than a run; only this reply contains the token. */
export const newLinkSchema = shareSchema
  .extend({
    token: z.string().meta({ description: `sent in the header ${SHARE_HEADER}` }),
    link: z.string().meta({
      description: "path of the page; the token follows #, so browsers do not send it to servers",
    }),
  })
  .meta({ id: "NewLink" });

export type NewLink = z.infer<typeof newLinkSchema>;

/** A new link to a run. */
export const newShareSchema = newLinkSchema
  .extend({
    badge: z.string().meta({
      description:
        "path of an image with one score of the first run, to embed; its own token opens nothing else and expires with the link",
    }),
  })
  .meta({ id: "NewShare" });
export type NewShare = z.infer<typeof newShareSchema>;
