import type { Alert } from "#shared/contracts/operator/overview.ts";
import { dayOf } from "../keys/quota.ts";
import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { alertView, ENDPOINT_RUNS, endpointHealth } from "./overview.ts";
import type { AlertRecord } from "./schema.ts";

const MINUTE_MS = 60_000;
/** Interval of the checks, in minutes: each reads some hundred rows. */
const EVERY = 5;
/** Endpoints are checked by runs of the last hour with at least this many samples. */
const ENDPOINT_MS = 60 * MINUTE_MS;
const LEAST_SAMPLES = 50;
const SPENDING_ROWS = 1_000;
/** Share of DATABASE_MAX_MB from which rows are moved out early. */
const FILLING = 0.8;

type Condition = Pick<Alert, "kind" | "subject" | "message">;

/**
 * Checks every five minutes the conditions that the operator must know of, and posts each new alert once until its
 * condition ends. An alert that the webhook did not accept is posted again with the same id.
 */
export async function checkAlerts(platform: Platform): Promise<void> {
  const now = platform.now();
  if (Math.floor(now / MINUTE_MS) % EVERY !== 0) return;
  const conditions = await conditionsNow(platform, now);
  const open = await platform.alerts.open();
  const idOf = ({ kind, subject }: Pick<Alert, "kind" | "subject">) => `${kind} ${subject}`;
  const present = new Set(conditions.map(idOf));
  const known = new Set(open.map(idOf));
  for (const alert of open) if (!present.has(idOf(alert))) await platform.alerts.end(alert);
  const begun = conditions
    .filter((one) => !known.has(idOf(one)))
    .map((one) => ({ ...one, id: platform.newId("alert"), since: now, announcedAt: null }));
  for (const alert of begun) await platform.alerts.begin(alert);
  const waiting = open.filter((one) => one.announcedAt === null && present.has(idOf(one)));
  for (const alert of [...waiting, ...begun]) await post(platform, alert, now);
}

async function post(platform: Platform, alert: AlertRecord, now: number): Promise<void> {
  // Without an address, alerts are only shown on the operator's page.
  if (platform.settings.alerts.url === "") return;
  const data = alertView(alert);
  const error = await platform.sendAlert(alert.id, {
    type: "operator.alert",
    timestamp: data.since,
    data,
  });
  if (error === null) await platform.alerts.markAnnounced(alert, now);
  else logProblem("alert-not-sent", { id: alert.id, kind: alert.kind, error });
}

async function conditionsNow(platform: Platform, now: number): Promise<Condition[]> {
  const found = await Promise.all([
    endingJudges(platform),
    spending(platform, now),
    failingEndpoints(platform, now),
    idleness(platform, now),
    filling(platform),
  ]);
  return found.flat();
}

async function endingJudges({ judges }: Platform): Promise<Condition[]> {
  const models = await judges.models();
  return models.flatMap(({ provider, model, warning }) =>
    warning === null
      ? []
      : [{ kind: "judge-ending", subject: `${provider}:${model}`, message: warning }],
  );
}

async function spending({ spend, settings }: Platform, now: number): Promise<Condition[]> {
  const { spendUsd } = settings.alerts;
  if (spendUsd === 0) return [];
  const day = dayOf(now);
  const rows = await spend.since(day, SPENDING_ROWS);
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  if (usd <= spendUsd) return [];
  const message = `Judges cost ${usd.toFixed(2)} USD on ${day} so far, more than ${spendUsd} USD (ALERT_SPEND_USD).`;
  return [{ kind: "spending", subject: day, message }];
}

async function failingEndpoints(platform: Platform, now: number): Promise<Condition[]> {
  const { failureShare } = platform.settings.alerts;
  if (failureShare === 0) return [];
  const runs = await platform.overview.atEndpoints(now - ENDPOINT_MS, ENDPOINT_RUNS);
  return endpointHealth(runs, [])
    .filter(({ done, failed }) => done >= LEAST_SAMPLES && failed > failureShare * done)
    .map(({ origin, done, failed }) => ({
      kind: "endpoint-failing",
      subject: origin,
      message: `${failed} of ${done} samples failed at ${origin} in active runs and those of the last hour.`,
    }));
}

async function idleness({ alerts, settings }: Platform, now: number): Promise<Condition[]> {
  const { idleMinutes } = settings.alerts;
  if (idleMinutes === 0) return [];
  const { endedAt, activeSince } = await alerts.progress(now);
  const quietSince = Math.max(endedAt ?? 0, activeSince ?? now);
  if (now - quietSince < idleMinutes * MINUTE_MS) return [];
  const message = `Runs are active, and none has ended since ${new Date(quietSince).toISOString()}.`;
  return [{ kind: "nothing-finishes", subject: "runs", message }];
}

async function filling({ runs, settings }: Platform): Promise<Condition[]> {
  const bytes = await runs.databaseBytes();
  const share = bytes / settings.databaseBytes;
  if (share <= FILLING) return [];
  const message = `The database has ${Math.round(100 * share)}% of DATABASE_MAX_MB; new runs are refused from 95%.`;
  return [{ kind: "database-filling", subject: "database", message }];
}
