import { z } from "zod";
import { nameSchema } from "../bounds.ts";
import { datasetRefSchema, visibilitySchema } from "../datasets/dataset.ts";
import { redirectSchema } from "../drift/drift-notice.ts";
import { runStatusSchema } from "../run.ts";
import { runOptionsSchema, submittedModelSchema } from "../submissions/submission.ts";
import { printableText } from "../text/printable-text.ts";
import { newStreamSchema, streamSchema } from "./stream.ts";

const longestNote = 200;

/** A year. Rarer runs can be submitted by hand. */
const mostHours = 8_784;

const eventKinds = [
  "started",
  "skipped",
  "refused",
  "finished",
  "failed",
  "cancelled",
  "paused",
  "resumed",
] as const;
export type ScheduleEventKind = (typeof eventKinds)[number];

/** A model to be evaluated repeatedly. */
export const newScheduleSchema = z
  .strictObject({
    suite: nameSchema.meta({ example: "extraction" }),
    dataset: datasetRefSchema,
    model: submittedModelSchema,
    options: runOptionsSchema.prefault({}),
    visibility: visibilitySchema.default("unlisted"),
    cron: z.string().max(100).optional().meta({
      description:
        "five fields, in UTC: minute, hour, day, month, day of the week; at most once an hour",
      example: "0 6 * * 1",
    }),
    everyHours: z.int().min(1).max(mostHours).optional().meta({
      description: "hours between two ticks; a schedule has either this or cron",
    }),
    note: printableText(longestNote).optional().meta({ description: "purpose of the schedule" }),
    stream: newStreamSchema.optional().meta({
      description: "source of rows: each tick draws a new version of the dataset and evaluates it",
    }),
  })
  .meta({ id: "NewSchedule" });
export type NewSchedule = z.infer<typeof newScheduleSchema>;

const scheduleEventSchema = z.object({
  at: z.iso.datetime(),
  kind: z.enum(eventKinds).meta({
    description:
      "skipped: the previous run is still active or is paused; refused: the submission was refused, or its stream gave no new version; failed: the run failed or has no answers",
  }),
  detail: z.string(),
  run: z.string().nullable(),
});

const isUnansweredSchema = z.boolean().meta({
  description: "whether the run finished without any answer, and so has no headline",
});

/** A schedule as listed: never with its key or headers. */
export const scheduleSchema = z
  .object({
    id: z.string(),
    owner: z.string(),
    note: z.string().nullable(),
    suite: z.string(),
    dataset: z.string(),
    model: z.object({ name: z.string(), slug: z.string() }),
    endpointHost: z.string(),
    stream: streamSchema.nullable(),
    options: z.record(z.string(), z.unknown()),
    visibility: visibilitySchema,
    cron: z.string().nullable(),
    everyHours: z.int().nullable(),
    status: z.enum(["active", "paused"]),
    statusReason: z.string().nullable().describe("reason for the pause; null: not paused"),
    nextAt: z.iso.datetime().nullable().meta({
      description:
        "time of the next tick, a fixed number of minutes after the scheduled time, so that not all schedules start at once; null: paused",
    }),
    failures: z.int().nonnegative().meta({
      description:
        "consecutive failures; three pause the schedule. Failures are runs that failed or have no answer, refused ticks, and ticks skipped because a run is paused",
    }),
    lastRun: z
      .object({ id: z.string(), status: runStatusSchema, isUnanswered: isUnansweredSchema })
      .nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof scheduleSchema>;

const scheduledRunSchema = z.object({
  id: z.string(),
  status: runStatusSchema,
  statusReason: z.string().nullable(),
  isUnanswered: isUnansweredSchema,
  metric: z.string().meta({ description: "id of the headline metric" }),
  headline: z.number().nullable(),
  drift: z
    .object({
      eValue: z.number(),
      isFlagged: z.boolean(),
      redirect: redirectSchema,
      difference: z.number().nullable(),
    })
    .nullable()
    .meta({ description: "drift since the reference run; null: not checked" }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});

/** A schedule with its newest runs and the log of its ticks. */
export const scheduleDetailSchema = scheduleSchema
  .extend({
    runs: z.array(scheduledRunSchema).meta({ description: "newest 50 runs, newest first" }),
    log: z.array(scheduleEventSchema).meta({ description: "newest 100 events, newest first" }),
  })
  .meta({ id: "ScheduleDetail" });
export type ScheduleDetail = z.infer<typeof scheduleDetailSchema>;
