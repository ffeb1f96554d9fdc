import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Platform } from "../../../api/platform/platform.ts";
import { accountFolder } from "../../../api/runs/run-objects.ts";
import { submit } from "../../../api/submissions/service.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { aDataset, newName } from "./a-dataset.ts";
import { oneLane } from "./harness.ts";
import { relaySuite } from "./relay-suite.ts";

type Glob = { glob: (pattern: string, how: object) => Record<string, object> };
const modules = (import.meta as unknown as Glob).glob("../../../api/**/*schema.ts", {
  eager: true,
});

/** Every table of the schema by name, so that tests include new tables. */
export const everyTable: ReadonlyMap<string, SQLiteTable> = new Map(
  Object.values(modules)
    .flatMap((module) => Object.values(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable))
    .map((table) => [getTableName(table), table]),
);

/** Prefix of the texts in an account's samples. */
export const OWN_TEXT = "walrus";

/** A dataset of an account with a new name. */
export function ownDataset(platform: Platform, owner: string, text: string, count = 3) {
  const rows = Array.from({ length: count }, (_, i) => {
    const first = `${text} ${crypto.randomUUID()} ${i}`;
    return { id: `s${i}`, first, expected: `AGAIN: ${first.toUpperCase()}` };
  });
  const whose = { name: newName(`${owner}/data`), owner, anyOwner: false };
  return aDataset(platform, relaySuite, rows, whose);
}

/** Submits a model of an account, and returns the run's id. */
export async function ownRun(
  platform: Platform,
  owner: string,
  dataset: string,
  more: object = {},
) {
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: "sk-plain-secret" };
  const request = submissionRequestSchema.parse({
    suite: "relay",
    dataset,
    visibility: "public",
    models: [{ name: "Model", slug: `${owner}/model`, endpoint }],
    options: oneLane,
    ...more,
  });
  const created = await submit(platform, request, { owner, anyOwner: false, quota: null });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  return (await platform.runs.submission(created.value))?.runs[0]?.id ?? "";
}

/** Inserts rows of an account into tables that submissions do not fill, and objects that judges would store. */
export async function fillTables(platform: Platform, owner: string, run: string, stranger: string) {
  const now = platform.now();
  const id = (prefix: string) => `${prefix}_${owner}`;
  const later = now + 1e9;
  const none = { value: null, interval: null, n: 0, coverage: 0 };
  const text = JSON.stringify({ owner, note: `${owner}/model` });
  const rows: Record<string, readonly unknown[] | Record<string, unknown>> = {
    accounts: {
      owner,
      skeleton: `skeleton of ${owner}`,
      provider: "github:x",
      subject: "7",
      login: owner,
      name: owner,
      created_by: owner,
      created_at: now,
    },
    api_keys: [
      `h1 ${owner}`,
      id("key"),
      owner,
      "k",
      '["submit"]',
      now,
      null,
      null,
      null,
      null,
      owner,
    ],
    usage: [`account:${owner}`, "2026-11-30", 1, 9],
    idempotency_keys: [owner, "k", "h", "r", later, now],
    sessions: [`h2 ${owner}`, null, now, null, id("session"), owner, "t", "b", now, now, later],
    devices: [
      `h3 ${owner}`,
      id("code"),
      "d",
      "submit",
      "pending",
      owner,
      owner,
      5,
      null,
      now,
      later,
    ],
    members: [stranger, owner, "submit", now, owner],
    invitations: [`h4 ${owner}`, id("inv"), owner, "read", null, owner, now, later],
    domains: [`${owner}.com`, owner, "proof", owner, now, now, now, null, null],
    schedule_events: [id("sched"), now, "started", owner, run],
    webhook_events: [id("evt"), "run.finished", owner, run, text, now, now],
    webhook_deliveries: [
      id("hook"),
      id("evt"),
      "failed",
      1,
      now,
      now,
      null,
      null,
      null,
      owner,
      null,
    ],
    runners: [owner, "r", "[]", now, null],
    runner_requests: [owner, "r", "q", run, owner, now, null, 0, 0, null, null],
    judge_spend: ["2026-11-30", owner, "j", 1, 1, 1, 0.1, 0],
    bans: ["mallory", "spam", owner, now],
    retentions: [owner, "", 30, null],
    reader_reports: [
      id("rep"),
      now,
      run,
      "other",
      owner,
      `account:${owner}`,
      owner,
      "open",
      null,
      null,
      null,
    ],
    parities: [`${owner}/hosts`, owner, run, 0.05, now],
    parity_runs: [`${owner}/hosts`, run, owner, owner, now, null],
    planned_tests: [owner, run, run, now],
    ratings: [run, 0, "passed", owner, "s0", "h", 1],
    drifts: [run, "series", 0, 1, null, 0, 0, 0, 0, now, text],
    shares: [id("share"), run, JSON.stringify([run]), null, owner, null, owner, now, later, null],
    batches: [id("batch"), run, "answering", 0, 0, null, 1, null, null, now],
    republications: [
      `repub_${crypto.randomUUID()}`,
      "relay",
      "d",
      "passed",
      '["scoring"]',
      "r",
      null,
      "b",
      null,
      "v",
      "v",
      "1",
      "1",
      "s",
      JSON.stringify([
        {
          model: { slug: `${owner}/model`, name: "M", simulated: false },
          before: { run, rank: 1, headline: none },
          after: null,
          reason: "r",
        },
      ]),
      now,
      now,
      0,
    ],
    bridges: [
      `b_${crypto.randomUUID()}`,
      "board",
      "{}",
      "{}",
      JSON.stringify({ [run]: ["s0"] }),
      "[]",
      "now",
      null,
      0,
    ],
    board_places: ["board", `${owner}/model`, 1],
    schedules: [
      id("sched"),
      owner,
      null,
      owner,
      0,
      owner,
      "{}",
      null,
      null,
      null,
      null,
      6,
      "paused",
      null,
      later,
      null,
      null,
      null,
      1,
      0,
      now,
    ],
    webhooks: [
      id("hook"),
      owner,
      null,
      "https://x",
      "[]",
      owner,
      "o",
      "s",
      null,
      null,
      "paused",
      null,
      null,
      null,
      now,
    ],
  };
  for (const [table, given] of Object.entries(rows)) {
    const all = Object.values(getTableColumns(everyTable.get(table)!)).map(({ name }) => name);
    const names = Array.isArray(given) ? all : Object.keys(given);
    const values = Object.values(given);
    const columns = names.map((name) => `"${name}"`);
    await env.DB.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${values.map(() => "?").join()})`,
    )
      .bind(...values)
      .run();
  }
  const state = JSON.stringify({ owner, model: `${owner}/model` });
  const audit: [actor: string, action: string, target: string, before: string | null][] = [
    [owner, "run.hide", `/v1/runs/${run}/hide`, text],
    ["operator", "run.share", run, JSON.stringify({ runs: [run] })],
    ["operator", "account.ban", owner, state],
    [owner, "retention.set", owner, text],
    ["operator", "DELETE", `/v1/operator/bans/${owner}`, null],
  ];
  for (const [actor, action, target, before] of audit) {
    await platform.audit.add({
      at: now,
      id: crypto.randomUUID(),
      actor,
      keyId: null,
      action,
      target,
      reason: `for ${owner}`,
      before: before === null ? null : JSON.parse(before),
      after: null,
      status: 200,
      requestId: "r",
    });
  }
  await platform.objects.put(`${accountFolder(owner)}judgments/x.json`, { run });
  await platform.objects.put("comparisons/earlier.json", { run });
}

/** Names of tables with a row that contains one of the texts. */
export async function tablesNaming(texts: readonly string[]): Promise<string[]> {
  const db = drizzle(env.DB);
  const found: string[] = [];
  for (const [name, table] of everyTable) {
    const rows = JSON.stringify(await db.select().from(table));
    if (texts.some((text) => rows.includes(text))) found.push(name);
  }
  return found;
}
