import type {
  ActiveRun,
  Alert,
  EndpointHealth,
  OperatorSettings,
  Overview,
  Spending,
} from "#shared/contracts/operator/overview.ts";
import { driftNotice } from "../drift/announce-drift.ts";
import { canaryReports } from "../drift/canaries.ts";
import { dayOf } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import { databaseGrowth } from "./database-growth.ts";
import type { ActiveRow, FailureCount, RecentRun } from "./overview-store.ts";
import type { AlertRecord } from "./schema.ts";
import type { SpentRow } from "./spend-store.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** Runs listed per status, and the upper bound of counts: D1 bills each row read. */
const LISTED = 30;
const COUNTED = 200;
/** Hours of runs that show the state of endpoints, and number of samples that show causes of failure. */
const ENDPOINT_HOURS = 24;
export const ENDPOINT_RUNS = 100;
const FAILING_RUNS = 10;
const LOOKED_AT = 100;
const SPENDING_DAYS = 7;
const SPENDING_ROWS = 1_000;
const SIZES = 30;
const DRIFTS = 10;
/** Maximum accounts and judges listed. */
const SPENDERS = 20;

/**
 * The state of the service. Reads at most some thousand rows, however many runs there are; `stuckMinutes`: how long no
 * lane has renewed its lease in a stuck run.
 */
export async function overview(platform: Platform, stuckMinutes: number): Promise<Overview> {
  const now = platform.now();
  const { settings, overview: store } = platform;
  const [active, counts, waiting, drifts, alerts, reports] = await Promise.all([
    store.active(now, LISTED),
    store.counts(COUNTED),
    store.waiting(now, COUNTED),
    platform.drifts.flagged(DRIFTS),
    platform.alerts.open(),
    platform.reports.countOpen(COUNTED),
  ]);
  const stuckSince = now - stuckMinutes * MINUTE_MS;
  return {
    at: iso(now),
    alerts: alerts.map(alertView),
    reports,
    runs: {
      ...counts,
      mostCounted: COUNTED,
      stuckMinutes,
      listed: active.map((run) => activeRun(run, now, stuckSince)),
    },
    lanes: {
      max: settings.lanesMax,
      answering: lanesOf(active, "answering"),
      judging: lanesOf(active, "judging"),
    },
    queues: {
      deliveries: waiting.deliveries,
      oldestDelivery: isoOrNull(waiting.oldestDelivery),
      unpublished: Math.max(0, waiting.unpublished ?? 0),
    },
    endpoints: await endpointsOf(platform, now),
    endpointHours: ENDPOINT_HOURS,
    spending: await spendingOf(platform, now),
    database: databaseGrowth(
      await store.sizes(SIZES),
      await platform.runs.databaseBytes(),
      settings.databaseBytes,
      now,
    ),
    judges: await platform.judges.models(),
    canaries: await canaryReports(platform),
    drifts: drifts.flatMap((news) => driftNotice(news) ?? []),
  };
}

/** An alert as the API and the webhook show it. */
export const alertView = ({ kind, subject, message, since }: AlertRecord): Alert => ({
  kind,
  subject,
  message,
  since: iso(since),
});

/** Records the size of the database, once a day. */
export const measureDatabase = (platform: Platform): Promise<void> =>
  platform.overview.noteSize(dayOf(platform.now()));

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

function activeRun(row: ActiveRow, now: number, stuckSince: number): ActiveRun {
  const { id, model, leasedUntil, notBefore, statusReason, createdAt, seats: _, ...run } = row;
  return {
    ...run,
    run: id,
    model,
    activity: activityOf(row, now, stuckSince),
    reason: statusReason,
    createdAt: iso(createdAt),
    leasedUntil: leasedUntil === null || leasedUntil === 0 ? null : iso(leasedUntil),
    waitsUntil: notBefore > now ? iso(notBefore) : null,
  };
}

/** What an active run is doing; `stuckSince`: a run is stuck if no lease was renewed since. */
function activityOf(
  run: Pick<ActiveRow, "status" | "notBefore" | "leasedUntil" | "lanes" | "createdAt">,
  now: number,
  stuckSince: number,
): ActiveRun["activity"] {
  if (run.status === "paused") return "paused";
  if (run.lanes > 0) return "working";
  if (run.notBefore > now || (run.leasedUntil ?? 0) > now) return "waiting";
  const movedAt = Math.max(run.createdAt, run.notBefore, run.leasedUntil ?? 0);
  return movedAt < stuckSince ? "stuck" : "line";
}

function lanesOf(active: readonly ActiveRow[], phase: ActiveRow["phase"]) {
  const its = active.filter((run) => run.phase === phase && run.status !== "paused");
  const sum = (of: "lanes" | "seats" | "slots") => its.reduce((all, run) => all + run[of], 0);
  return { working: sum("lanes"), seated: sum("seats"), slots: sum("slots") };
}

async function endpointsOf({ overview: store }: Platform, now: number): Promise<EndpointHealth[]> {
  const runs = await store.atEndpoints(now - ENDPOINT_HOURS * 60 * MINUTE_MS, ENDPOINT_RUNS);
  const failing = runs.filter(({ failed, hasRows }) => failed > 0 && hasRows === 1);
  const failures = await store.failures(failing.slice(0, FAILING_RUNS), LOOKED_AT);
  return endpointHealth(runs, failures);
}

/** Endpoints by the number of their failures, most first. */
export function endpointHealth(
  runs: readonly RecentRun[],
  failures: readonly FailureCount[],
): EndpointHealth[] {
  const byOrigin = Map.groupBy(runs, ({ origin }) => origin);
  return [...byOrigin]
    .map(([origin, its]) => {
      const ids = new Set(its.map(({ id }) => id));
      const found = failures.filter(({ run }) => ids.has(run));
      const classes: EndpointHealth["classes"] = {};
      for (const { class: name, count } of found) {
        if (name !== null) classes[name] = (classes[name] ?? 0) + count;
      }
      const count = (status: RecentRun["status"]) =>
        its.filter((run) => run.status === status).length;
      const sum = (of: "done" | "failed") => its.reduce((all, run) => all + run[of], 0);
      return {
        origin,
        runs: its.length,
        active: count("running"),
        failedRuns: count("failed"),
        done: sum("done"),
        failed: sum("failed"),
        classes,
        lookedAt: found.reduce((all, one) => all + one.count, 0),
      };
    })
    .sort((a, b) => b.failed - a.failed || b.failedRuns - a.failedRuns || b.done - a.done);
}

async function spendingOf({ spend }: Platform, now: number): Promise<Overview["spending"]> {
  const first = dayOf(now - (SPENDING_DAYS - 1) * DAY_MS);
  const rows = await spend.since(first, SPENDING_ROWS);
  // The oldest day may be incomplete.
  const isCut = rows.length === SPENDING_ROWS;
  const since = isCut ? (rows.at(-1)?.day ?? first) : first;
  return {
    days: SPENDING_DAYS,
    since,
    byAccount: summed(rows, ({ owner }) => owner),
    byJudge: summed(rows, ({ judge }) => judge),
  };
}

const summed = (rows: readonly SpentRow[], nameOf: (row: SpentRow) => string): Spending[] =>
  [...Map.groupBy(rows, nameOf)]
    .map(([name, its]) => {
      const sum = (of: Exclude<keyof Spending, "name">) =>
        Math.max(
          0,
          its.reduce((all, row) => all + row[of], 0),
        );
      return {
        name,
        usd: sum("usd"),
        requests: sum("requests"),
        inputTokens: sum("inputTokens"),
        outputTokens: sum("outputTokens"),
        unpriced: sum("unpriced"),
      };
    })
    .sort((a, b) => b.usd - a.usd || b.requests - a.requests)
    .slice(0, SPENDERS);

/** The settings in force from variables and judges, as text, without secrets. */
export function settingsInForce({ settings, judging }: Platform): OperatorSettings {
  const { deployment, limits, concurrency, models, problem } = judging;
  const judges = {
    providers: deployment.providers,
    routes: deployment.routes,
    fallback: deployment.fallbackJudge,
    models,
    concurrency,
    ...limits,
    problem,
  };
  const all = flat({ ...settings, judges });
  return { settings: all.map(([name, value]) => ({ name, value: textOf(value) })) };
}

const textOf = (value: unknown): string => {
  if (value === null || value === Number.POSITIVE_INFINITY) return "no limit or not set";
  return Array.isArray(value) ? value.join(", ") : String(value);
};

/** Flattens nested settings; names are joined by dots. */
function flat(value: object): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([name, its]): [string, unknown][] =>
    typeof its === "object" && its !== null && !Array.isArray(its)
      ? flat(its).map(([inner, leaf]) => [`${name}.${inner}`, leaf])
      : [[name, its]],
  );
}
