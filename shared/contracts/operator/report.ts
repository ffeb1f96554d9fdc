import { z } from "zod";
import { bounds, nameSchema } from "../bounds.ts";
import { ownerSchema } from "../text/slug.ts";
import { isPrintable } from "../text/well-formed.ts";
import { reasonSchema } from "./audit.ts";
import { type ReportKind, reportKinds } from "./report-kinds.ts";

const MAX_MESSAGE = 2_000;

/** A reader's report of a run. */
export const newReportSchema = z
  .strictObject({
    run: nameSchema.meta({ example: "run_01a2b3c4" }),
    kind: z.enum(Object.keys(reportKinds) as [ReportKind, ...ReportKind[]]),
    message: z
      .string()
      .trim()
      .max(MAX_MESSAGE)
      .refine((text) => isPrintable(text.replaceAll(/\s+/g, " ")), {
        error: "must say what is wrong, without control characters",
      })
      .meta({ description: "what is wrong and where; only the operator can read it" }),
  })
  .meta({ id: "NewReport" });

/** Reply to a report. */
export const reportReceiptSchema = z.object({ id: z.string() }).meta({ id: "ReportReceipt" });

export const reportStateSchema = z.enum(["open", "dismissed", "hidden", "banned"]);
export type ReportState = z.infer<typeof reportStateSchema>;

/** A report as the operator sees it. */
export const readerReportSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    run: z.object({
      id: z.string(),
      owner: z.string().nullable().describe("account of the run; null: the run was deleted"),
      model: z.string().nullable(),
      hiddenReason: z.string().nullable(),
    }),
    kind: newReportSchema.shape.kind,
    message: z.string().max(bounds.received),
    reporter: z.string().nullable().describe("account of the reader; null: not signed in"),
    state: reportStateSchema,
    decidedAt: z.iso.datetime().nullable(),
    decidedBy: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: "ReaderReport" });
export type ReaderReport = z.infer<typeof readerReportSchema>;

/** The operator's decision on a report. */
export const decisionSchema = z
  .strictObject({
    action: z.enum(["dismiss", "hide", "ban", "undo"]).meta({
      description:
        "hide: hides the run, as `POST /v1/runs/{id}/hide`; ban: bans the run's account; undo: reverts the decision and opens the report again",
    }),
    reason: reasonSchema.meta({ description: "reason, shown to the run's owner" }),
  })
  .meta({ id: "Decision" });
export type Decision = z.infer<typeof decisionSchema>;

/** A banned account. */
export const banSchema = z
  .object({
    owner: z.string(),
    reason: z.string(),
    by: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: "Ban" });
export type Ban = z.infer<typeof banSchema>;

export const newBanSchema = z
  .strictObject({
    owner: ownerSchema,
    reason: reasonSchema.meta({ description: "reason, shown to the account" }),
  })
  .meta({ id: "NewBan" });
