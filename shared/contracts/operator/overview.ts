import { z } from "zod";
import { errorClasses } from "../answer.ts";
import { driftNoticeSchema } from "../drift/drift-notice.ts";
import { canaryReportSchema } from "../judging/canary.ts";
import { judgeModelSchema } from "../judging/judge-model.ts";
import { runStatusSchema } from "../run.ts";

const count = z.int().nonnegative();

/** Activity of an active run. */
const activitySchema = z.enum(["working", "waiting", "line", "paused", "stuck"]).meta({
  description:
    "working: a lane works on it; waiting: its endpoint or batch wants no calls yet; line: it waits for a free lane; stuck: no lane has renewed its lease for `stuckMinutes`",
});

const activeRunSchema = z
  .object({
    run: z.string(),
    owner: z.string(),
    model: z.string().meta({ description: "slug" }),
    suite: z.string(),
    status: runStatusSchema,
    phase: z.enum(["answering", "judging"]),
    activity: activitySchema,
    reason: z.string().nullable().meta({ description: "of a pause" }),
    total: count.meta({ description: "samples × repeats" }),
    done: count,
    failed: count,
    createdAt: z.iso.datetime(),
    /** The end of its latest lease: at most a lease after its last commit. */
    leasedUntil: z.iso.datetime().nullable().meta({
      description: "end of its latest lease: a commit renews it; null: no lane has begun",
    }),
    waitsUntil: z.iso.datetime().nullable(),
    lanes: count.meta({ description: "active lanes" }),
    slots: count.meta({ description: "maximum number of their requests in flight" }),
  })
  .meta({ id: "ActiveRun" });
export type ActiveRun = z.infer<typeof activeRunSchema>;

const endpointHealthSchema = z
  .object({
    origin: z.string(),
    runs: count,
    active: count,
    failedRuns: count,
    done: count.meta({ description: "samples with an answer or a failure" }),
    failed: count.meta({ description: "of these, without an answer" }),
    classes: z
      .partialRecord(z.enum(errorClasses), count)
      .meta({ description: "failures by class among the examined samples" }),
    lookedAt: count.meta({ description: "latest samples of its newest runs with failures" }),
  })
  .meta({ id: "EndpointHealth" });
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;

const spendingSchema = z.object({
  name: z.string(),
  usd: z.number().nonnegative(),
  requests: count,
  inputTokens: count,
  outputTokens: count,
  unpriced: count.meta({ description: "judgments whose judge has no price here" }),
});
export type Spending = z.infer<typeof spendingSchema>;

const databaseSchema = z
  .object({
    bytes: count,
    maxBytes: count.meta({ description: "DATABASE_MAX_MB; new runs are refused from 95%" }),
    bytesPerDay: z.number().nullable().meta({
      description: "growth, by least squares over `sizes`; null: less than three days are known",
    }),
    fullOn: z.iso.date().nullable().meta({ description: "null: not in sight" }),
    sizes: z.array(z.object({ day: z.iso.date(), bytes: count })).meta({
      description: "one a day, oldest first",
    }),
  })
  .meta({ id: "DatabaseGrowth" });
export type DatabaseGrowth = z.infer<typeof databaseSchema>;

/** Kinds of alerts for the operator. */
const alertKinds = {
  "judge-ending": "a judge is gone or ends within 60 days",
  spending: "judges cost more today than ALERT_SPEND_USD",
  "endpoint-failing": "an endpoint fails for more than ALERT_FAILURE_SHARE of its samples",
  "nothing-finishes": "runs are active, and none has ended for ALERT_IDLE_MINUTES",
  "database-filling": "the database is more than 80% full",
} as const;
export type AlertKind = keyof typeof alertKinds;

const alertSchema = z
  .object({
    kind: z.enum(Object.keys(alertKinds) as [AlertKind, ...AlertKind[]]),
    subject: z
      .string()
      .meta({ description: "judge, endpoint or day; with `kind`, it identifies the alert" }),
    message: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: "OperatorAlert" });
export type Alert = z.infer<typeof alertSchema>;

/** State of a service, for its operator. */
export const overviewSchema = z
  .object({
    at: z.iso.datetime(),
    alerts: z.array(alertSchema).meta({ description: "active ones, oldest first" }),
    reports: count.meta({ description: "open reports by readers, at most `runs.mostCounted`" }),
    runs: z.object({
      queued: count,
      running: count,
      paused: count,
      mostCounted: count.meta({ description: "each number is at most this" }),
      stuckMinutes: count,
      listed: z.array(activeRunSchema).meta({ description: "the oldest of each status" }),
    }),
    lanes: z.object({
      max: count.meta({ description: "LANES_MAX, of each phase" }),
      answering: z.object({ working: count, seated: count, slots: count }),
      judging: z.object({ working: count, seated: count, slots: count }),
    }),
    queues: z.object({
      deliveries: count.meta({ description: "events for webhooks that are due" }),
      oldestDelivery: z.iso.datetime().nullable(),
      unpublished: count.meta({ description: "changes that the snapshot does not have yet" }),
    }),
    endpoints: z.array(endpointHealthSchema),
    endpointHours: count,
    spending: z.object({
      days: count,
      since: z.iso.date(),
      byAccount: z.array(spendingSchema),
      byJudge: z.array(spendingSchema),
    }),
    database: databaseSchema,
    judges: z.array(judgeModelSchema),
    canaries: z.array(canaryReportSchema),
    drifts: z.array(driftNoticeSchema),
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof overviewSchema>;

/** Settings in force, by name of the variable. Never secrets. */
export const operatorSettingsSchema = z
  .object({
    settings: z.array(
      z.object({ name: z.string(), value: z.string().meta({ description: "as text" }) }),
    ),
  })
  .meta({ id: "OperatorSettings" });
export type OperatorSettings = z.infer<typeof operatorSettingsSchema>;
