import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { startLanes } from "../../../api/engine/seat-lanes.ts";
import { adaptersOf } from "../../../api/index.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryStorage } from "../../../api/platform/retry-storage.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

/** As D1 and R2 say it. Source: developers.cloudflare.com, D1, Debug D1, list of errors; cloudflare-docs#18485. */
const texts = [
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "Internal error while starting up D1 DB storage caused object to be reset.",
  "put: We encountered an internal error. Please try again. (10001)",
];

/** The service over storage or queues whose calls fail with `text` while they are away. */
async function service(text: string) {
  const real = adaptersOf(env as never);
  const state = { isAway: false };
  const failing = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      ownKeys: (target) => Reflect.ownKeys(target),
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          if (state.isAway) throw new Error(text);
          return (Reflect.get(target, name) as (...args: unknown[]) => unknown)(...args);
        },
    });
  const calm = harness();
  const { queues } = calm.platform;
  const { runs, boards, datasets, objects, usage, idempotency, apiKeys, publications } = real;
  const parts = { runs, boards, datasets, objects, usage, idempotency, apiKeys, publications };
  const away = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, failing(part)]),
  ) as Partial<Platform>;
  const around = { now: Date.now, sleep: async () => {}, random: Math.random };
  const rig = harness(retryStorage({ ...away }, around));
  const awayQueues = harness(retryStorage({ queues: failing(queues) }, around));
  const run = await submitRun(calm.platform, await relayDataset(calm.platform, 4));
  return { api: serve(rig.platform), queuesAway: serve(awayQueues.platform), state, run, calm };
}

const stored = async () =>
  (await env.DB.prepare(
    "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM submissions) AS n",
  ).first("n")) as number;

describe("while storage is away", () => {
  it.each(texts)("every route says when to come again: %s", async (text) => {
    const { api, state, run, calm } = await service(text);
    const dataset = await relayDataset(calm.platform, 4);
    const before = await stored();
    state.isAway = true;
    const log = vi.spyOn(console, "error").mockReturnValue();
    const replies = await Promise.all([
      api.get(`/v1/runs/${run}`),
      api.get(`/v1/leaderboard?suite=relay&dataset=${dataset}`),
      api.get("/v1/datasets"),
      api.get("/v1/snapshot"),
      api.post("/v1/submissions", aSubmission(dataset)),
      api.post("/v1/submissions", aSubmission(dataset), { "idempotency-key": "again" }),
      api.post(`/v1/runs/${run}/cancel`),
    ]);
    for (const reply of replies) {
      expect
        .soft([reply.url, reply.status, reply.headers.get("retry-after")])
        .toEqual([reply.url, 503, "30"]);
      expect(await problemOf(reply)).toMatchObject({ status: 503, retryable: true });
    }
    log.mockRestore();
    state.isAway = false;
    expect(await stored()).toBe(before);
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await api.post("/v1/submissions", aSubmission(dataset), key);
    const again = await api.post("/v1/submissions", aSubmission(dataset), key);
    expect([first.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
  });

  it("queues that are away refuse no submission: the cron job finds its lanes", async () => {
    const { queuesAway, state, calm } = await service("Queue sendBatch failed: Bad Gateway");
    const dataset = await relayDataset(calm.platform, 4);
    state.isAway = true;
    const log = vi.spyOn(console, "error").mockReturnValue();
    const reply = await queuesAway.post("/v1/submissions", aSubmission(dataset));
    expect(reply.status).toBe(202);
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
    const { runs } = (await reply.json()) as { runs: { id: string }[] };
    // The seat of the lost message has expired.
    calm.platform.now = () => Date.now() + 60_000;
    await startLanes(calm.platform, "answering");
    expect(calm.mail.evaluate.map(({ run }) => run)).toContain(runs[0]?.id);
  });
});
