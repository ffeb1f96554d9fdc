import { z } from "zod";

/** Minimum number of samples that drift detection compares. */
const leastAnchor = 20;

/** How the versions of a stream are drawn. Drift detection can compare all samples of a version. */
export const drawSchema = z.strictObject({
  samplesPerVersion: z.int().min(1).max(900).meta({
    description: "number of new samples drawn for each version",
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
    .describe(
      "number of samples that every version keeps, 0 or 20 to 100: a change on them is caused by the model, a change only on the others by the traffic. A larger number than before adds samples of the newest version",
    ),
  keepVersions: z.int().min(2).max(1_000).default(30).meta({
    description:
      "number of newest versions whose rows and answers are kept; older versions keep only the anchor and the scores",
  }),
});
export type Draw = z.infer<typeof drawSchema>;

/** How a version was drawn. */
export const versionDrawSchema = z
  .object({
    read: z.int().nonnegative().meta({ description: "number of rows in the file" }),
    known: z.int().nonnegative().meta({
      description: "number of these rows that are repeated or were in the previous file",
    }),
    refused: z.int().nonnegative().meta({
      description: "number of drawn rows that do not fit the suite; `malformed` has the reasons",
    }),
    drawn: z.int().nonnegative().meta({ description: "number of new rows in this version" }),
    anchor: z.int().nonnegative().describe("number of first samples that later versions keep"),
    keepVersions: drawSchema.shape.keepVersions.unwrap(),
    rowsDeletedAt: z.iso.datetime().optional().meta({
      description: "when the version's rows, except the anchor, and their answers were deleted",
    }),
  })
  .meta({ id: "VersionDraw", description: "how this version of a stream was drawn" });
export type VersionDraw = z.infer<typeof versionDrawSchema>;
