import { z } from "zod";
import { nameSchema } from "../bounds.ts";

const count = z.int().nonnegative();

/** Query that confirms the deletion of an account. */
export const deletionQuery = z.object({
  confirm: nameSchema.meta({ description: "name of the account to delete" }),
  dryRun: z.enum(["true", "false"]).default("false").meta({
    description: "`true`: lists what would be deleted, and changes nothing",
  }),
});

/** The data that the deletion of an account removes. */
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
    hash: z.string().describe("keyed hash of the account's name; nobody else can compute it"),
    requestedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().meta({
      description: "when the deletion was complete; null: not yet",
    }),
  })
  .meta({ id: "DeletedAccount" });

/** A file of an export. */
const exportedFileSchema = z
  .object({
    path: z.string().meta({ description: "path in the archive" }),
    url: z.string().meta({ description: "path at the service that returns the file" }),
    isPaged: z
      .boolean()
      .describe("whether the file has pages: its `next` is the parameter `after` of the next page"),
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

/** A page of an account's rows. */
export const exportedRowsSchema = z
  .object({ rows: z.array(z.record(z.string(), z.unknown())), next })
  .meta({ id: "ExportedRows" });
export type ExportedRows = z.infer<typeof exportedRowsSchema>;

const days = z.int().min(1).max(36_500).nullable();

/** Maximum number of retention rules of an account. */
export const MOST_RULES = 50;

/** Retention rules: after how many days results are deleted. */
export const retentionSchema = z
  .strictObject({
    rules: z
      .array(
        z.strictObject({
          dataset: nameSchema.nullable().meta({
            description: "name of the dataset whose runs the rule covers; null: all other runs",
            example: "acme/tickets",
          }),
          answerDays: days.meta({
            description:
              "days from the end of a run until its raw answers are deleted; null: never",
          }),
          runDays: days.describe("days from a run's end until the run is deleted; null: never"),
        }),
      )
      .max(MOST_RULES)
      .refine((rules) => new Set(rules.map(({ dataset }) => dataset)).size === rules.length, {
        message: "has several rules for one dataset",
      }),
  })
  .meta({ id: "Retention" });
export type Retention = z.infer<typeof retentionSchema>;

const nextAt = z.iso.datetime().nullable();

/** The rules, with the effect of each on the current runs. */
export const retentionStateSchema = retentionSchema
  .extend({
    effects: z.array(
      z.object({
        dataset: nameSchema.nullable().meta({ description: "dataset of the rule" }),
        runs: count.meta({ description: "number of ended runs to which the rule applies" }),
        dueRuns: count.describe("number of these runs deleted within minutes"),
        dueAnswers: count.describe("other runs whose raw answers are deleted within minutes"),
        nextRunAt: nextAt.meta({ description: "when the next run is deleted; null: none" }),
        nextAnswersAt: nextAt.describe("when the next raw answers are deleted; null: none"),
      }),
    ),
  })
  .meta({ id: "RetentionState" });
export type RetentionState = z.infer<typeof retentionStateSchema>;
