import { and, asc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { attempts, boards } from "../boards/schema.ts";
import { parities, parityRuns, plannedTests } from "../comparisons/schema.ts";
import { datasets } from "../datasets/schema.ts";
import { apiKeys, usage } from "../keys/schema.ts";
import { shares } from "../keys/share-schema.ts";
import { auditLog, judgeSpend, readerReports } from "../operator/schema.ts";
import { runners } from "../runners/schema.ts";
import { runs, submissions } from "../runs/schema.ts";
import { drifts, scheduleEvents, schedules } from "../schedules/schema.ts";
import { webhookDeliveries, webhookEvents, webhooks } from "../webhooks/schema.ts";
import { accounts, domains, invitations, members, retentions, sessions } from "./schema.ts";

interface ExportedTable {
  table: SQLiteTable;
  /** Condition for rows of the account. */
  its: (owner: string) => SQL;
  /** Columns that are left out: secrets, and names of others. */
  without?: readonly string[];
}

const ofOwner = (owner: string) => sql`owner = ${owner}`;
const ownRuns = (owner: string) => sql`(SELECT id FROM runs WHERE owner = ${owner})`;

/** Tables whose rows are exported unchanged, by their names in the archive. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  account: { table: accounts, its: ofOwner },
  keys: { table: apiKeys, its: ofOwner, without: ["hash"] },
  sessions: { table: sessions, its: ofOwner, without: ["hash", "previousHash", "csrfToken"] },
  members: { table: members, its: (owner) => sql`owner = ${owner} OR person = ${owner}` },
  invitations: {
    table: invitations,
    its: ofOwner,
    without: ["hash"],
  },
  domains: { table: domains, its: ofOwner },
  usage: {
    table: usage,
    its: (owner) =>
      sql`key = ${`account:${owner}`} OR key IN (SELECT id FROM api_keys WHERE owner = ${owner})`,
  },
  "judge-spend": { table: judgeSpend, its: ofOwner },
  retention: { table: retentions, its: ofOwner },
  schedules: { table: schedules, its: ofOwner, without: ["sealedSecrets", "sealedStream"] },
  "schedule-events": {
    table: scheduleEvents,
    its: (owner) => sql`schedule_id IN (SELECT id FROM schedules WHERE owner = ${owner})`,
  },
  webhooks: { table: webhooks, its: ofOwner, without: ["sealedSecret", "previousSecret"] },
  "webhook-events": { table: webhookEvents, its: ofOwner },
  "webhook-deliveries": {
    table: webhookDeliveries,
    its: (owner) => sql`webhook_id IN (SELECT id FROM webhooks WHERE owner = ${owner})`,
  },
  runners: { table: runners, its: ofOwner },
  submissions: {
    table: submissions,
    its: (owner) => sql`id IN (SELECT submission_id FROM runs WHERE owner = ${owner})`,
  },
  shares: { table: shares, its: ofOwner },
  drift: { table: drifts, its: (owner) => sql`run_id IN ${ownRuns(owner)}` },
  datasets: { table: datasets, its: ofOwner },
  boards: { table: boards, its: (owner) => sql`made_by = ${owner}` },
  attempts: {
    table: attempts,
    // "0" follows "/" in ASCII.
    its: (owner) => sql`model_slug >= ${`${owner}/`} AND model_slug < ${`${owner}0`}`,
  },
  parities: { table: parities, its: ofOwner },
  "parity-runs": {
    table: parityRuns,
    its: (owner) =>
      sql`added_by = ${owner} OR parity IN (SELECT name FROM parities WHERE owner = ${owner})`,
  },
  "planned-tests": { table: plannedTests, its: ofOwner },
  "reports-sent": {
    table: readerReports,
    its: (owner) => sql`account = ${owner}`,
    without: ["reporter", "decidedBy"],
  },
  // A person's actions for an organisation, or on other accounts, belong to those accounts.
  "audit-log": {
    table: auditLog,
    its: (owner) => sql`actor = ${owner}
      AND coalesce(after ->> '$.owner', before ->> '$.owner', ${owner}) = ${owner}
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.owner = target AND a.owner <> ${owner})
      AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.owner <> ${owner}
        AND r.id IN (target, after ->> '$.runs[0]', before ->> '$.runs[0]'))`,
  },
};

const columnsOf = ({ table, without = [] }: ExportedTable) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name)),
  );

/** Tables whose rows are not exported, with the reason. */
export const otherTables: Readonly<Record<string, string>> = {
  runs: "exported as files, by run",
  samples: "exported as files, by run",
  samples_1: "exported as files, by run",
  ratings: "exported as files, by run",
  devices: "sign-ins that are under way, for minutes",
  idempotency_keys: "hashes of requests, for a day",
  runner_requests: "requests under way; they are in the answers",
  batches: "requests under way; they are in the answers",
  leases: "work under way",
  bans: "decisions of the operator",
  deletions: "accounts that are gone",
  republications: "of the service, about boards of many accounts",
  bridges: "of the service, about boards of many accounts",
  board_places: "places on boards, which boards show",
  snapshot_changes: "what is to be published of runs, boards and datasets",
  snapshot_items: "what is published of runs, boards and datasets",
  publications: "state of the site",
  retired_objects: "keys of objects that are being deleted",
  dataset_leftovers: "hashes of rows that are being deleted",
  sample_turns: "state of the database",
  database_sizes: "state of the database",
  judge_models: "models of the deployment",
  alerts: "state of the service",
};

export type ExportStore = ReturnType<typeof exportStore>;

/** Pages of an account's data, in D1. */
export function exportStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    async rows(name: string, owner: string, offset: number, limit: number): Promise<object[]> {
      const exported = exportedTables[name];
      if (exported === undefined) return [];
      const { table, its } = exported;
      return db
        .select(columnsOf(exported))
        .from(table)
        .where(its(owner))
        .limit(limit)
        .offset(offset);
    },
    runs: (owner: string, after: string, limit: number) =>
      db
        .select({
          id: runs.id,
          status: runs.status,
          answersRemovedAt: runs.answersRemovedAt,
          people: runs.people,
        })
        .from(runs)
        .where(and(eq(runs.owner, owner), isNull(runs.deletedAt), gt(runs.id, after)))
        .orderBy(asc(runs.id))
        .limit(limit),
    datasets: (owner: string, offset: number, limit: number) =>
      db
        .select({ suite: datasets.suite, name: datasets.name, version: datasets.version })
        .from(datasets)
        .where(eq(datasets.owner, owner))
        .orderBy(asc(datasets.suite), asc(datasets.name), asc(datasets.version))
        .limit(limit)
        .offset(offset),
    parities: (owner: string) =>
      db
        .select({ name: parities.name })
        .from(parities)
        .where(eq(parities.owner, owner))
        .limit(1_000),
  };
}
