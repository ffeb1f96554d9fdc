import { z } from "zod";
import { datasetNameSchema, datasetVisibilitySchema } from "../datasets/dataset.ts";
import { rowMappingSchema } from "../datasets/row-mapping.ts";
import { drawSchema } from "../datasets/version-draw.ts";
import { webAddress } from "../text/web-address.ts";

const ratingsOf = datasetNameSchema.optional().meta({
  description:
    "instead of `url`, another dataset of the suite: the rows are its samples whose answers people rated in runs of the account, with the ratings as `human`",
});

/** Rows from which a schedule draws a new dataset version at each tick: at an address, or rated by people. */
export const newStreamSchema = drawSchema
  .extend({
    url: webAddress("must be an address with https")
      .meta({
        description:
          "address of JSON Lines, plain or gzip, at most 25 MB; its query is never shown",
        example: "https://logs.example.com/yesterday.jsonl.gz",
      })
      .optional(),
    ratingsOf,
    authorization: z
      .string()
      .max(4_096)
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
        error: "must be visible ASCII characters on one line, without blanks around",
      })
      .optional()
      .meta({ description: "value of the header `authorization`; encrypted, never shown" }),
    mapping: rowMappingSchema.optional(),
    visibility: datasetVisibilitySchema.default("unlisted"),
  })
  .refine(({ url, ratingsOf: rated }) => (url === undefined) !== (rated === undefined), {
    path: ["url"],
    error: "give url or ratingsOf",
  })
  .refine((one) => one.ratingsOf === undefined || !(one.authorization || one.mapping), {
    path: ["ratingsOf"],
    error: "has rows of the suite: leave authorization and mapping out",
  })
  .meta({ id: "NewStream" });
export type NewStream = z.infer<typeof newStreamSchema>;

/** A stream as shown: its address without the query, without the authorization. */
export const streamSchema = drawSchema
  .extend({ url: z.string().optional(), ratingsOf, visibility: datasetVisibilitySchema })
  .meta({ id: "Stream" });

/** A stream as stored with its schedule; the full address and the authorization are encrypted separately. */
export type KeptStream = z.infer<typeof streamSchema> & Pick<NewStream, "mapping">;
