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

/** A file of an export. */
const exportedFileSchema = z
  .object({
    path: z.string().meta({ description: "in the archive" }),
    url: z.string().meta({ description: "path of the service that gives it" }),
    isPaged: z.boolean().meta({
      description: "whether it is rows with `next`, the parameter `after` of the following ones",
    }),
  })
  .meta({ id: "ExportedFile" });
export type ExportedFile = z.infer<typeof exportedFileSchema>;

const next = z.string().nullable().meta({
  description: "parameter `after` of the next page; null: this is the last one",
});

/** A page of the files that an export consists of. */
export const accountExportSchema = z
  .object({ owner: z.string(), files: z.array(exportedFileSchema), next })
  .meta({ id: "AccountExport" });
export type AccountExport = z.infer<typeof accountExportSchema>;

/** Rows of an account. */
export const exportedRowsSchema = z
  .object({ rows: z.array(z.record(z.string(), z.unknown())), next })
  .meta({ id: "ExportedRows" });
export type ExportedRows = z.infer<typeof exportedRowsSchema>;
