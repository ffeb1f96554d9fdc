import { z } from "zod";
import { nameSchema } from "../bounds.ts";

const count = z.int().nonnegative();

/** Confirms the deletion of an account. */
export const deletionQuery = z.object({
  confirm: nameSchema.meta({ description: "the name of the account that goes" }),
  dryRun: z.enum(["true", "false"]).default("false").meta({
    description: "`true`: says what would go, and changes nothing",
  }),
});

/** What the deletion of an account removes. */
export const deletionSchema = z
  .object({
    owner: z.string(),
    removes: z.record(z.string(), count).meta({
      description:
        "numbers of runs, datasets, boards with own options, schedules, webhooks, runners, parities, keys, sessions, members and memberships; `runsOfOthers`: runs of other accounts on its datasets, which keep their figures without samples and without the dataset's name",
    }),
  })
  .meta({ id: "AccountDeletion" });
export type Deletion = z.infer<typeof deletionSchema>;

/** An account that was deleted, or is being deleted. */
export const deletedAccountSchema = z
  .object({
    hash: z.string().meta({ description: "keyed hash of the name, which nobody else can compute" }),
    requestedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({ description: "null: not yet" }),
  })
  .meta({ id: "DeletedAccount" });
