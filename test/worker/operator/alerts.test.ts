import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { checkAlerts } from "../../../api/operator/alerts.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { alertSender } from "../../../api/providers/post-webhook.ts";
import type { Alert } from "../../../shared/contracts/operator/overview.ts";
import { answering, harness, relayDataset, submitRun } from "../support/harness.ts";

const start = Date.parse("2026-11-21T12:00:00Z");
const MINUTE_MS = 60_000;
const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
const url = "https://hooks.acme.example/alerts";

/** A service that posts alerts to a fake receiver, which answers with `status`. */
function watched(more: Partial<Platform> = {}, limits: object = {}) {
  const posted: { id: string; type: string; data: Alert }[] = [];
  const state = { clock: start, status: 204 };
  const now = () => state.clock;
  const rig = harness({ now, ...more });
  const alerts = { url, spendUsd: 10, failureShare: 0.5, idleMinutes: 60, ...limits };
  const settings = { ...rig.platform.settings, alerts };
  const post: Platform["postWebhook"] = async (to, headers, body) => {
    expect(to).toBe(url);
    // The library compares times with the real clock.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const expected = new Webhook(secret).sign(headers["webhook-id"] ?? "", at, body);
    expect(headers["webhook-signature"]).toBe(expected);
    const error = state.status < 300 ? null : `the receiver answered ${state.status}`;
    if (error === null) posted.push({ id: headers["webhook-id"], ...JSON.parse(body) });
    return { status: state.status, retryAfterMs: null, durationMs: 1, response: null, error };
  };
  const sendAlert = alertSender({ url, secret }, post, now);
  const platform: Platform = { ...rig.platform, settings, sendAlert };
  /** Checks again after some minutes, and returns the posted alerts. */
  const check = async (minutes = 5) => {
    state.clock += minutes * MINUTE_MS;
    await checkAlerts(platform);
    return posted.splice(0).map(({ data }) => [data.kind, data.subject]);
  };
  return { ...rig, platform, posted, state, check };
}

const spent = (usd: number) =>
  new Map([["openai:gpt", { requests: 1, inputTokens: 1, outputTokens: 1, usd, unpriced: 0 }]]);

beforeEach(async () => {
  for (const table of ["alerts", "judge_spend", "judge_models", "runs"])
    await env.DB.prepare(`DELETE FROM ${table}`).run();
});

describe("alerts", () => {
  it("are posted once per occurrence of their condition", async () => {
    const { platform, check } = watched();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    await platform.runs.cancel(run, start);
    expect(await check()).toEqual([]);
    await platform.spend.record(run, spent(11), "2026-11-21");
    expect(await check()).toEqual([["spending", "2026-11-21"]]);
    expect(await check()).toEqual([]);
    await platform.spend.record(run, spent(9), "2026-11-21");
    expect(await check()).toEqual([]);
    await platform.spend.record(run, spent(12), "2026-11-21");
    expect(await check()).toEqual([["spending", "2026-11-21"]]);
  });

  it("are posted again with the same id if the receiver fails", async () => {
    const { platform, state, posted, check } = watched();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    await platform.runs.cancel(run, start);
    await platform.spend.record(run, spent(11), "2026-11-21");
    state.status = 500;
    expect(await check()).toEqual([]);
    const [open] = await platform.alerts.open();
    state.status = 204;
    state.clock += 5 * MINUTE_MS;
    await checkAlerts(platform);
    expect(posted).toMatchObject([
      {
        id: open?.id,
        type: "operator.alert",
        data: { message: expect.stringContaining("11.00 USD"), since: "2026-11-21T12:05:00.000Z" },
      },
    ]);
  });

  it("report judges that will be retired", async () => {
    const { platform, check } = watched();
    const model = { provider: "openai", model: "gpt", replacement: null, listed: true };
    const checkedAt = new Date(start).toISOString();
    const warning = "Judge gpt ends on 2026-12-24.";
    await platform.judges.saveModels([{ ...model, ends: "2026-12-24", warning, checkedAt }], false);
    expect(await check()).toEqual([["judge-ending", "openai:gpt"]]);
    await platform.judges.saveModels([{ ...model, ends: null, warning: null, checkedAt }], false);
    expect(await check()).toEqual([]);
    expect(await platform.alerts.open()).toEqual([]);
  });

  it("report endpoints that fail for more than a share of samples", async () => {
    const error = { class: "timeout" as const, message: "no answer" };
    const fails = (most: number) =>
      answering((request) => {
        const number = Number(/\d+/.exec(request.messages.at(-1)?.content ?? "")?.[0]);
        return number < most ? { output: null, error } : {};
      });
    for (const [most, told] of [
      [30, []],
      [31, [["endpoint-failing", "http://127.0.0.1:8790"]]],
    ] as const) {
      await env.DB.prepare("DELETE FROM runs").run();
      const { platform, deliverAll, check } = watched({ ask: fails(most) });
      await submitRun(platform, await relayDataset(platform, 60));
      await deliverAll();
      expect(await check()).toEqual(told);
    }
  });

  it("report that runs are active but none ends", async () => {
    const { platform, check } = watched();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    expect(await check(120)).toEqual([]);
    const begun = "UPDATE runs SET status = 'running', started_at = ? WHERE id = ?";
    await env.DB.prepare(begun)
      .bind(start + 120 * MINUTE_MS, run)
      .run();
    expect(await check(55)).toEqual([]);
    expect(await check()).toEqual([["nothing-finishes", "runs"]]);
    await platform.runs.cancel(run, start + 180 * MINUTE_MS);
    expect(await check()).toEqual([]);
    expect(await platform.alerts.open()).toEqual([]);
  });

  it("report a database that is nearly full", async () => {
    const rig = watched();
    const settings = { ...rig.platform.settings, databaseBytes: 1_000 };
    await checkAlerts({ ...rig.platform, settings });
    expect(rig.posted[0]?.data).toMatchObject({ kind: "database-filling" });
  });

  it("stay on the operator's page without an address or a valid secret", async () => {
    const { platform, check } = watched({}, { url: "" });
    const run = await submitRun(platform, await relayDataset(platform, 2));
    await platform.spend.record(run, spent(11), "2026-11-21");
    expect(await check()).toEqual([]);
    expect(await platform.alerts.open()).toMatchObject([{ kind: "spending", announcedAt: null }]);
    const sender = alertSender({ url, secret: "s3cret!" }, platform.postWebhook, () => start);
    const refused = await sender("alert_1", {});
    expect(refused).toContain("ALERT_WEBHOOK_SECRET");
    expect(refused).not.toContain("s3cret!");
  });

  it("are not checked if limits are 0, or within five minutes of a check", async () => {
    const { platform, check } = watched({}, { spendUsd: 0, failureShare: 0, idleMinutes: 0 });
    const run = await submitRun(platform, await relayDataset(platform, 2));
    await platform.spend.record(run, spent(1_000), "2026-11-21");
    expect(await check()).toEqual([]);
    const other = watched();
    expect(await other.check(1)).toEqual([]);
    expect(await other.check(4)).toEqual([["spending", "2026-11-21"]]);
  });
});
