import { z } from "zod";
import { canaryReportSchema } from "./canary.ts";
import { datasetSchema } from "./dataset.ts";
import { datasetChangeSchema } from "./dataset-change.ts";
import { driftNoticeSchema } from "./drift-notice.ts";
import { leaderboardSchema } from "./leaderboard.ts";
import { republicationSchema } from "./republication.ts";
import { listedRunSchema } from "./run.ts";

/** A sweep that GET /v1/submissions/{id}/sweep has, and what tells it from an earlier state of it. */
const listedSweepSchema = z.object({
  submission: z.string(),
  hash: z.string().meta({ description: "changes when one of its runs is asked or scored again" }),
});
export type ListedSweep = z.infer<typeof listedSweepSchema>;

/**
 * Everything public, for the site to be built from. Run reports hold more than a `Run`, and they and sweeps are
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
    runs: z.array(listedRunSchema).meta({ description: "newest first" }),
    canaries: z
      .array(canaryReportSchema)
      .meta({ description: "by suite, from the judges that the deployment has now" }),
    sweeps: z.array(listedSweepSchema).meta({ description: "whose runs have all ended" }),
    drifts: z.array(driftNoticeSchema).meta({ description: "newest first" }),
    datasetChanges: z.array(datasetChangeSchema).meta({ description: "newest first" }),
    republications: z
      .array(republicationSchema)
      .meta({ description: "those that have finished, newest first" }),
  })
  .meta({ id: "Snapshot" });
export type Snapshot = z.infer<typeof snapshotSchema>;
