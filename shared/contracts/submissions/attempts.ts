import { z } from "zod";

const count = z.int().nonnegative();

/** All runs of a model in the configuration of a board, each counted once: the parts add up to the total. */
export const attemptsSchema = z
  .object({
    total: count.meta({ description: "all runs ever started, including deleted ones" }),
    finished: count.meta({ description: "the board shows the newest of these" }),
    failed: count,
    cancelled: count,
    running: count.meta({ description: "queued, running or paused" }),
    unlisted: count.meta({ description: "in whatever state" }),
    hidden: count.meta({ description: "taken out of view by an admin, in whatever state" }),
    deleted: count.meta({ description: "by their owner, in whatever state" }),
  })
  .meta({
    id: "Attempts",
    description:
      "runs of the model over the full dataset in the board's configuration, variants of sweeps included; as they were when the board was ranked",
  });
export type Attempts = z.infer<typeof attemptsSchema>;
