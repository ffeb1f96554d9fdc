import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { isToYield } from "../../../api/engine/seat-lanes.ts";
import type { Seat } from "../../../api/engine/seat-store.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun, wish } from "../support/harness.ts";

afterEach(() =>
  env.DB.batch([
    env.DB.prepare("UPDATE runs SET status = 'cancelled'"),
    env.DB.prepare("DELETE FROM leases"),
  ]),
);

const LANES = 4;

/** Copies a queued run: one account's burst at one endpoint. Returns the ids in order. */
async function burst(platform: Platform, owner: string, count: number): Promise<string[]> {
  const run = await submitRun(platform, await relayDataset(platform, 20));
  const columns = await env.DB.prepare("SELECT name FROM pragma_table_info('runs')").all();
  const names = columns.results.map(({ name }) => `${name}`);
  const own: Record<string, string> = {
    id: "?2 || printf('_%06d', n)",
    owner: "?2",
    created_at: "created_at + n",
  };
  const copied = `
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
    INSERT INTO runs (${names}) SELECT ${names.map((name) => own[name] ?? name)} FROM runs, numbers WHERE id = ?1
    RETURNING id`;
  const made = await env.DB.prepare(copied).bind(run, owner, count).all<{ id: string }>();
  await env.DB.batch([
    env.DB.prepare("UPDATE runs SET status = 'cancelled' WHERE id = ?1").bind(run),
    env.DB.prepare("DELETE FROM leases WHERE run_id = ?1").bind(run),
  ]);
  return made.results.map(({ id }) => id).toSorted();
}

/** A service with four concurrent lanes and a clock that is later than all submissions. */
function service() {
  const rig = harness();
  const time = { now: Date.now() + 60_000 };
  const settings = { ...rig.platform.settings, lanesMax: LANES };
  const platform: Platform = { ...rig.platform, now: () => time.now, settings };
  const give = () =>
    platform.runs.giveSeats(
      { phase: "answering", now: time.now, lanesMax: LANES, endpointCap: 200 },
      platform.newId("seat"),
      time.now + 30_000,
    );
  const take = ({ run, lane, place }: Seat) =>
    platform.runs.takeLease({ ...wish(run, time.now, time.now + 30_000), lane, place });
  const leave = ({ run, lane }: Seat) =>
    env.DB.prepare("UPDATE leases SET slots = 0, expires_at = 0 WHERE run_id = ? AND lane = ?")
      .bind(run, lane)
      .run();
  return { platform, time, give, take, leave };
}

it("an account with 1,000 runs delays another account's run by one seat", async () => {
  const { platform, give, take, leave } = service();
  const many = await burst(platform, "many", 1_000);
  const held = await give();
  expect(held.map(({ run }) => run)).toEqual(
    many.slice(0, 1).flatMap((id) => Array(LANES).fill(id)),
  );
  for (const seat of held) await take(seat);
  const [single] = await burst(platform, "single", 1);
  const yields = await Promise.all(held.map((seat) => isToYield(platform, "answering", seat)));
  expect(yields).toEqual([false, expect.any(Boolean), expect.any(Boolean), true]);
  await leave(held.at(-1)!);
  expect((await give()).map(({ run }) => run)).toEqual([single]);
});

it("organisations of one person share that person's turns, unless they have their own quotas", async () => {
  const { platform, give, take } = service();
  for (const owner of ["org-a", "org-b", "org-c", "org-d"]) {
    await burst(platform, owner, 1);
    await platform.accounts.reserve(owner, 0);
  }
  await env.DB.prepare("DELETE FROM leases").run();
  const held = await give();
  expect(new Set(held.map(({ run }) => run)).size).toBe(LANES);
  for (const seat of held) await take(seat);
  await burst(platform, "alone", 1);
  const yielding = async (change: string) => {
    await env.DB.prepare(`UPDATE accounts SET ${change} WHERE owner LIKE 'org-_'`).run();
    const all = held.map((seat) => isToYield(platform, "answering", seat));
    return (await Promise.all(all)).filter(Boolean).length;
  };
  expect(await yielding("created_by = NULL")).toBe(0);
  expect(await yielding("created_by = 'ann'")).toBe(LANES - 1);
  expect(await yielding("quotas = '{}'")).toBe(0);
});

it("giving seats reads no more rows for 1,900 waiting runs than for 100", async () => {
  const { platform, give } = service();
  const rows: number[] = [];
  const batch = env.DB.batch.bind(env.DB);
  env.DB.batch = async (statements) => {
    const results = await batch(statements);
    rows.push(results[0]?.meta.rows_read ?? 0);
    return results as never;
  };
  await burst(platform, "few", 100);
  await burst(platform, "more", 1_900);
  const counts: number[] = [];
  for (const account of ["few", "more"]) {
    await env.DB.prepare("DELETE FROM leases").run();
    await env.DB.prepare("UPDATE runs SET status = iif(owner = ?1, 'queued', 'cancelled')")
      .bind(account)
      .run();
    rows.splice(0);
    expect(await give()).toHaveLength(LANES);
    counts.push(rows[0] ?? 0);
  }
  env.DB.batch = batch;
  expect(counts[1]).toBeLessThan(1.1 * (counts[0] ?? 0));
});

it("a queued run shows only its account how many of the account's runs are before it", async () => {
  const { platform } = service();
  const ids = await burst(platform, "acme", 150);
  const other = { acme: anAccount("acme"), other: anAccount("other") };
  const { get } = serve(platform, other);
  const before = async (id: string, who: string) => {
    const reply = await get(`/v1/runs/${id}`, { authorization: `Bearer ${who}` });
    return ((await reply.json()) as Run).runsBefore;
  };
  const seen = [0, 12, 149].map((i) => before(ids[i]!, "acme"));
  expect(await Promise.all(seen)).toEqual([0, 12, 100]);
  expect(await before(ids[12]!, "other")).toBeUndefined();
});
