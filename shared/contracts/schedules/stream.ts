import { z } from "zod";
import { datasetVisibilitySchema } from "../datasets/dataset.ts";
import { rowMappingSchema } from "../datasets/row-mapping.ts";
import { drawSchema } from "../datasets/version-draw.ts";
import { webAddress } from "../text/web-address.ts";

/** Rows at an address, from which a schedule draws a new version of its dataset at each tick. */
export const newStreamSchema = drawSchema
  .extend({
    url: webAddress("must be an address with https").meta({
      description: "JSON Lines, plain or gzip, of at most 25 MB; its query is never shown",
      example: "https://logs.example.com/yesterday.jsonl.gz",
    }),
    authorization: z
      .string()
      .max(4_096)
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, {
        error: "must be visible ASCII characters on one line, without blanks around",
      })
      .optional()
      .meta({ description: "the header of this name; encrypted, and never shown" }),
    mapping: rowMappingSchema.optional(),
    visibility: datasetVisibilitySchema.default("unlisted"),
  })
  .meta({ id: "NewStream" });
export type NewStream = z.infer<typeof newStreamSchema>;

/** A stream as shown: its address without query, and no authorization. */
export const streamSchema = drawSchema
  .extend({ url: z.string(), visibility: datasetVisibilitySchema })
  .meta({ id: "Stream" });

/** What a schedule keeps of a stream; the whole address and the authorization are sealed apart. */
export type KeptStream = z.infer<typeof streamSchema> & Pick<NewStream, "mapping">;
