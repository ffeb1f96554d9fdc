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
    "working: a lane works on the run; waiting: for its endpoint or batch; line: for a free lane; stuck: no lane has renewed the lease for `stuckMinutes`",
});

const activeRunSchema = z
  .object({
    run: z.string(),
    owner: z.string(),
    model: z.string().meta({ description: "slug of the model" }),
    suite: z.string(),
    status: runStatusSchema,
    phase: z.enum(["answering", "judging"]),
    activity: activitySchema,
    reason: z.string().nullable().meta({ description: "reason for the pause; null: none" }),
    total: count.meta({ description: "number of samples × repeats" }),
    done: count,
    failed: count,
    createdAt: z.iso.datetime(),
    /** The end of its latest lease: at most a lease after its last commit. */
    leasedUntil: z.iso.datetime().nullable().meta({
      description: "end of the latest lease, which each commit renews; null: no lane has begun",
    }),
    waitsUntil: z.iso.datetime().nullable(),
    lanes: count.meta({ description: "number of active lanes" }),
    slots: count.meta({ description: "maximum number of requests in flight in these lanes" }),
  })
  .meta({ id: "ActiveRun" });
export type ActiveRun = z.infer<typeof activeRunSchema>;

const endpointHealthSchema = z
  .object({
    origin: z.string(),
    runs: count,
    active: count,
    failedRuns: count,
    done: count.meta({ description: "number of samples with an answer or a failure" }),
    failed: count.meta({ description: "number of these samples without an answer" }),
    classes: z
      .partialRecord(z.enum(errorClasses), count)
      .meta({ description: "failures by class among the examined samples" }),
    lookedAt: count.describe("number of examined samples: latest of the newest failing runs"),
  })
  .meta({ id: "EndpointHealth" });
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;

const spendingSchema = z.object({
  name: z.string(),
  usd: z.number().nonnegative(),
  requests: count,
  inputTokens: count,
  outputTokens: count,
  unpriced: count.meta({ description: "number of judgments whose judge has no known price" }),
});
export type Spending = z.infer<typeof spendingSchema>;

const databaseSchema = z
  .object({
    bytes: count,
    maxBytes: count.describe("size limit, DATABASE_MAX_MB; new runs are refused from 95%"),
    bytesPerDay: z.number().nullable().meta({
      description: "growth, by least squares over `sizes`; null: fewer than three days are known",
    }),
    fullOn: z.iso.date().nullable().describe("expected day of a full database; null: not in sight"),
    sizes: z.array(z.object({ day: z.iso.date(), bytes: count })).meta({
      description: "daily sizes, oldest first",
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
    alerts: z.array(alertSchema).meta({ description: "active alerts, oldest first" }),
    reports: count.meta({ description: "open reports by readers, at most `runs.mostCounted`" }),
    runs: z.object({
      queued: count,
      running: count,
      paused: count,
      mostCounted: count.describe("maximum that is counted; larger numbers are shown as this"),
      stuckMinutes: count,
      listed: z.array(activeRunSchema).meta({ description: "oldest runs of each status" }),
    }),
    lanes: z.object({
      max: count.meta({ description: "maximum number of lanes of each phase, LANES_MAX" }),
      answering: z.object({ working: count, seated: count, slots: count }),
      judging: z.object({ working: count, seated: count, slots: count }),
    }),
    queues: z.object({
      deliveries: count.meta({ description: "number of webhook deliveries that are due" }),
      oldestDelivery: z.iso.datetime().nullable(),
      unpublished: count.meta({ description: "number of changes not yet in the snapshot" }),
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
      z.object({ name: z.string(), value: z.string().meta({ description: "value as text" }) }),
    ),
  })
  .meta({ id: "OperatorSettings" });
export type OperatorSettings = z.infer<typeof operatorSettingsSchema>;
