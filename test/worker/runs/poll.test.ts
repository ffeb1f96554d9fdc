import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { runStore } from "../../../api/runs/store.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { serve } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

const start = Date.parse("2026-11-21T12:00:00Z");

/** D1 that counts the rows each statement reads. It runs each again with `all`, since only that reports the count. */
function countingD1(d1: D1Database) {
  const reads: { sql: string; rows: number }[] = [];
  const watch = (sql: string, statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name: keyof D1PreparedStatement) {
        if (name === "bind") {
          return (...values: unknown[]) => watch(sql, target.bind(...values));
        }
        return async (...args: unknown[]) => {
          reads.push({ sql, rows: (await target.all()).meta.rows_read });
          return (target[name] as (...args: unknown[]) => unknown)(...args);
        };
      },
    });
  const watched = new Proxy(d1, {
    get: (target, name) =>
      name === "prepare"
        ? (sql: string) => watch(sql, target.prepare(sql))
        : Reflect.get(target, name),
  });
  return { d1: watched, reads };
}

/** A run of 40 samples of which 10 are done after ten seconds. */
async function runningRun(change = "") {
  let clock = start;
  const { platform } = harness({ now: () => clock });
  const id = await submitRun(platform, await relayDataset(platform, 40));
  const set = `status = 'running', started_at = ${start}, done = 10, slot_limit = 8 ${change}`;
  await env.DB.prepare(`UPDATE runs SET ${set} WHERE id = ?`).bind(id).run();
  clock += 10_000;
  const { get } = serve(platform);
  return { platform, id, poll: (headers = {}) => get(`/v1/runs/${id}`, headers) };
}

const watchedPorts = (platform: Platform, d1: D1Database): Platform => ({
  ...platform,
  runs: runStore(d1, platform.objects),
});

describe("GET /v1/runs/{id} of a running run", () => {
  it("reads one row of D1 and no object", async () => {
    const { platform, id } = await runningRun();
    const { d1, reads } = countingD1(env.DB);
    const objects = {
      ...platform.objects,
      get: () => Promise.reject(new Error("an object was read")),
    };
    const response = await serve({ ...watchedPorts(platform, d1), objects }).get(`/v1/runs/${id}`);
    expect(response.status).toBe(200);
    expect(reads.map(({ rows }) => rows)).toEqual([1]);
  });

  it("estimates the end, names the next poll, and shows the concurrency", async () => {
    const { poll } = await runningRun();
    const response = await poll();
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await response.json()).toMatchObject({
      progress: { total: 40, done: 10 },
      concurrency: { wanted: 20, now: 8 },
      estimatedFinishAt: "2026-11-21T12:00:40.000Z",
      waitingUntil: null,
    });
  });

  it("shows until when the endpoint is left alone", async () => {
    const { poll } = await runningRun(`, not_before = ${start + 17_000}`);
    const response = await poll();
    expect(response.headers.get("retry-after")).toBe("7");
    expect(((await response.json()) as Run).waitingUntil).toBe("2026-11-21T12:00:17.000Z");
  });

  it("answers 304 with retry-after while nothing has changed", async () => {
    const { poll, id } = await runningRun();
    const first = await poll();
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]+"$/);
    const second = await poll({ "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("retry-after")).toBe("2");
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("access-control-allow-origin")).toBe("*");
    await env.DB.prepare("UPDATE runs SET done = done + 1 WHERE id = ?").bind(id).run();
    const third = await poll({ "if-none-match": etag });
    expect(third.status).toBe(200);
    expect(third.headers.get("etag")).not.toBe(etag);
  });
});

describe("GET /v1/runs/{id} of a finished run", () => {
  it("has no retry-after and no estimate, and stays the same", async () => {
    const { platform, deliverAll } = harness();
    const id = await submitRun(platform, await relayDataset(platform, 3));
    await deliverAll();
    const { get } = serve(platform);
    const first = await get(`/v1/runs/${id}`);
    expect(first.headers.get("retry-after")).toBeNull();
    const etag = first.headers.get("etag") ?? "";
    expect(await first.json()).toMatchObject({ status: "finished", estimatedFinishAt: null });
    expect((await get(`/v1/runs/${id}`, { "if-none-match": etag })).status).toBe(304);
  });
});

describe("other reads", () => {
  it.each(["/v1/suites", "/v1/snapshot", "/v1/openapi.json"])(
    "%s answer 304, too",
    async (path) => {
      const { get } = serve(harness().platform);
      const etag = (await get(path)).headers.get("etag") ?? "";
      expect((await get(path, { "if-none-match": etag })).status).toBe(304);
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
    },
  );
});
