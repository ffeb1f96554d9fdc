import { z } from "zod";
import { datasetSchema } from "./dataset.ts";
import { leaderboardSchema } from "./leaderboard.ts";
import { runSchema } from "./run.ts";

/**
 * Everything public, for the site to be built from. Run reports hold more than a `Run` and are
 * fetched one by one by id and hash, so an unchanged one is never fetched twice.
 */
export const snapshotSchema = z
  .object({
    version: z.literal(1),
    hash: z
      .string()
      .meta({ description: "SHA-256 of the canonical JSON of all other fields but createdAt" }),
    createdAt: z.iso.datetime(),
    boards: z.array(leaderboardSchema),
    datasets: z.array(datasetSchema.omit({ malformed: true, warnings: true })),
    runs: z
      .array(runSchema.omit({ breakdown: true, timeline: true }))
      .meta({ description: "newest first" }),
  })
  .meta({ id: "Snapshot" });
export type Snapshot = z.infer<typeof snapshotSchema>;
