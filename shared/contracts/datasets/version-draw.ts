import { z } from "zod";

/** Minimum number of samples that drift detection compares. */
const leastAnchor = 20;

/** How the versions of a stream are drawn. Drift detection can compare all samples of a version. */
export const drawSchema = z.strictObject({
  samplesPerVersion: z.int().min(1).max(900).meta({
    description: "new samples drawn for each version",
    example: 200,
  }),
  anchor: z
    .int()
    .min(0)
    .max(100)
    .refine((count) => count === 0 || count >= leastAnchor, {
      error: `must be 0 or from ${leastAnchor} to 100`,
    })
    .default(50)
    .meta({
      description:
        "samples of the first version that every version keeps: a change that they show is caused by the model, any other by the traffic; 0: none, or from 20 to 100. A larger number than before takes more samples of the newest version",
    }),
  keepVersions: z.int().min(2).max(1_000).default(30).meta({
    description:
      "newest versions whose rows and answers are kept; of older ones only the anchor and the scores",
  }),
});
export type Draw = z.infer<typeof drawSchema>;

/** How a version was drawn. */
export const versionDrawSchema = z
  .object({
    read: z.int().nonnegative().meta({ description: "rows of the file" }),
    known: z.int().nonnegative().meta({
      description: "of these, rows that the previous file had, too, or that occur twice",
    }),
    refused: z.int().nonnegative().meta({
      description: "rows that were drawn and do not fit the suite; `malformed` has the reasons",
    }),
    drawn: z.int().nonnegative().meta({ description: "new rows in this version" }),
    anchor: z.int().nonnegative().meta({ description: "its first samples, which later ones keep" }),
    keepVersions: drawSchema.shape.keepVersions.unwrap(),
    rowsDeletedAt: z.iso.datetime().optional().meta({
      description: "when its rows, except the anchor, and the answers to them were deleted",
    }),
  })
  .meta({ id: "VersionDraw", description: "how this version of a stream was drawn" });
export type VersionDraw = z.infer<typeof versionDrawSchema>;
