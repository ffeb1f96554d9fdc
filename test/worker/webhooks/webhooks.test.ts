import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { platformOf } from "../../../api/index.ts";
import type { Account } from "../../../api/keys/account.ts";
import { createApiKey } from "../../../api/keys/make-key.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { resendDeliveries } from "../../../api/webhooks/deliver.ts";
import { changeWebhook, createWebhook, testWebhook } from "../../../api/webhooks/service.ts";
import { newApiKeySchema } from "../../../shared/contracts/keys/api-key.ts";
import type {
  Delivery,
  Webhook,
  WebhookWithLog,
  WebhookWithSecret,
} from "../../../shared/contracts/webhooks/webhook.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount } from "../support/harness.ts";
import {
  broken,
  fine,
  hookedService,
  type Received,
  referenceSignature,
} from "../support/hooked-service.ts";

const HOUR_MS = 3_600_000;
const now = Date.parse("2026-11-22T12:00:00Z");
const state = { answer: () => fine };
const received: Received[] = [];

const platform = (): Platform => {
  const all = platformOf({ ...env } as never);
  const settings = { ...all.settings, requireApiKey: true, allowPrivateEndpoints: false };
  const postWebhook: Platform["postWebhook"] = async (url, headers, body) => {
    received.push({ url, headers, body });
    return state.answer();
  };
  return { ...all, now: () => now, settings, postWebhook };
};

const accounts: Record<string, Account> = {
  acme: anAccount("acme"),
  other: anAccount("other"),
  admin: anAccount("operator", { scopes: ["admin"] }),
};

const app = createApp({
  platform,
  account: async (_c, key) => accounts[key] ?? null,
  site: async () => new Response("the site"),
});

const call = (method: string, path: string, body?: unknown, key = "acme", more = {}) =>
  app.request(`https://assay.test/v1/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const wanted = { url: "https://example.com/hook", events: ["run.finished", "run.failed"] };

async function made(more: object = {}): Promise<WebhookWithSecret> {
  const response = await call("POST", "", { ...wanted, ...more });
  expect(response.status).toBe(201);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.json();
}

beforeEach(async () => {
  received.length = 0;
  state.answer = () => fine;
  const tables = ["webhooks", "webhook_events", "webhook_deliveries", "runs"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

describe("a webhook", () => {
  it("shows its secret once and stores it sealed", async () => {
    const { id, secret, ...shown } = await made({ description: "the team's channel" });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      owner: "acme",
      ...wanted,
      description: "the team's channel",
      status: "active",
      statusReason: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: "2026-11-22T12:00:00.000Z",
    });
    const listed = (await (await call("GET", "")).json()) as { webhooks: Webhook[] };
    expect(listed.webhooks).toEqual([{ id, ...shown }]);
    const { results } = await env.DB.prepare("SELECT * FROM webhooks").all();
    expect(JSON.stringify([results, listed])).not.toContain(secret.slice("whsec_".length));
  });

  it("is accessible only to its owner and admins", async () => {
    const { id } = await made();
    for (const [method, path, body] of [
      ["GET", `/${id}`, undefined],
      ["PATCH", `/${id}`, { status: "paused" }],
      ["POST", `/${id}/rotate`, undefined],
      ["POST", `/${id}/test`, undefined],
      ["DELETE", `/${id}`, undefined],
    ] as const) {
      expect((await call(method, path, body, "other")).status).toBe(404);
      expect((await call(method, path, body, "nobody")).status).toBe(401);
    }
    const ofOther = (await (await call("GET", "", undefined, "other")).json()) as object;
    expect(ofOther).toEqual({ webhooks: [], nextCursor: null });
    const ofAdmin = (await (await call("GET", "", undefined, "admin")).json()) as object;
    expect(ofAdmin).toMatchObject({ webhooks: [{ id }] });
    expect((await call("GET", `/${id}`, undefined, "admin")).status).toBe(200);
    expect(received).toEqual([]);
  });

  it.each([
    ["a private address", { url: "https://10.0.0.1/h" }, "/url", "must be a public host"],
    ["plain http", { url: "http://example.com/h" }, "/url", "must begin with https://"],
    ["no event", { events: [] }, "/events", "must name one or more of run.finished"],
    ["an unknown event", { events: ["run.ended"] }, "/events/0", "run.finished"],
    ["an unknown field", { secret: "whsec_x" }, "/secret", ""],
    ["an invisible description", { description: "\u200b" }, "/description", "visible"],
  ])("is refused with %s", async (_case, change, pointer, detail) => {
    const response = await call("POST", "", { ...wanted, ...change });
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors).toEqual([expect.objectContaining({ pointer })]);
    expect(errors?.[0]?.detail).toContain(detail);
  });

  it("is refused with an idempotency key, and as the twenty-first", async () => {
    const keyed = await call("POST", "", wanted, "acme", { "idempotency-key": "k" });
    expect((await problemOf(keyed)).errors?.[0]).toMatchObject({ parameter: "idempotency-key" });
    const atOnce = await Promise.all(Array.from({ length: 22 }, () => call("POST", "", wanted)));
    const [refused, ...more] = atOnce.filter(({ status }) => status === 409);
    expect([atOnce.length, more.length]).toEqual([22, 1]);
    expect((await problemOf(refused!)).detail).toContain('"acme" has 20 webhooks');
  });

  it("is changed, paused and set active again", async () => {
    const { id } = await made();
    await env.DB.prepare(
      "UPDATE webhooks SET status = 'disabled', status_reason = 'why', failing_since = 1, failed_at = 2",
    ).run();
    const paused = await call("PATCH", `/${id}`, { status: "paused", events: ["run.failed"] });
    expect(await paused.json()).toMatchObject({
      status: "paused",
      statusReason: null,
      events: ["run.failed"],
      url: wanted.url,
      failingSince: "1970-01-01T00:00:00.001Z",
    });
    const active = await call("PATCH", `/${id}`, { status: "active" });
    expect(await active.json()).toMatchObject({ status: "active", failingSince: null });
    const empty = await call("PATCH", `/${id}`, {});
    expect((await problemOf(empty)).errors?.[0]?.detail).toContain("must name what to change");
    const hostile = await call("PATCH", `/${id}`, { url: "https://localhost/h" });
    expect(hostile.status).toBe(422);
    const untyped = { "content-type": "text/plain" };
    expect((await call("PATCH", `/${id}`, {}, "acme", untyped)).status).toBe(415);
  });

  it("is deleted with its deliveries", async () => {
    const { id } = await made();
    await call("POST", `/${id}/test`);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("GET", `/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
    const { results } = await env.DB.prepare("SELECT * FROM webhook_deliveries").all();
    expect(results).toEqual([]);
  });
});

describe("a test event", () => {
  it("is sent at once, signed and logged", async () => {
    const { id, secret } = await made();
    await call("PATCH", `/${id}`, { status: "paused" });
    const delivery: Delivery = await (await call("POST", `/${id}/test`)).json();
    expect(delivery).toMatchObject({
      type: "webhook.test",
      status: "delivered",
      attempts: 1,
      nextAttemptAt: null,
      lastAttempt: { status: 204, durationMs: 12, response: null, error: null },
    });
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    expect(headers).toMatchObject({ "webhook-id": delivery.event });
    expect((headers as Received["headers"])["webhook-signature"]).toBe(
      await referenceSignature(secret, headers, body),
    );
    expect(JSON.parse(body)).toMatchObject({ type: "webhook.test", data: { webhook: id } });
    const shown: WebhookWithLog = await (await call("GET", `/${id}`)).json();
    expect(shown.deliveries).toEqual([delivery]);
  });

  it("that fails is reported, is not sent again, and does not disable the webhook", async () => {
    const { id } = await made();
    state.answer = () => broken(410, { response: "<h1>Gone</h1>" });
    const delivery: Delivery = await (await call("POST", `/${id}/test`)).json();
    expect(delivery).toMatchObject({
      status: "failed",
      nextAttemptAt: null,
      lastAttempt: { status: 410, response: "<h1>Gone</h1>", error: "the receiver answered 410" },
    });
    const shown: WebhookWithLog = await (await call("GET", `/${id}`)).json();
    expect(shown).toMatchObject({ status: "active", failingSince: null });
    expect(received).toHaveLength(1);
  });
});

it("POST /v1/webhooks/{id}/rotate makes a new secret, and the previous one still signs for a day", async () => {
  const { id, secret } = await made();
  const response = await call("POST", `/${id}/rotate`);
  const rotated: WebhookWithSecret = await response.json();
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previousSecretUntil).toBe("2026-11-23T12:00:00.000Z");
  const read = await platform().webhooks.get(id);
  const stale = read && { ...read, sealedSecret: "v2.x.x.x" };
  expect(stale && (await platform().webhooks.rotate(stale, "v2.y.y.y", 0))).toBeNull();
});

describe("a webhook whose API key ends", () => {
  /** A service with a webhook that a key created. */
  async function hookOfKey(more: { expiresAt?: string } = {}) {
    const service = hookedService();
    const { platform, state } = service;
    const wanted = { name: "ci", owner: "acme", scopes: ["submit" as const], ...more };
    const { record } = await createApiKey(platform, newApiKeySchema.parse(wanted));
    const account = anAccount("acme", { keyId: record.id });
    const hook = {
      url: "https://example.com/hook",
      events: ["run.finished" as const],
      description: "",
    };
    const created = await createWebhook(platform, account, hook, "https://assay.test");
    if (!created.ok) throw new Error(created.error.detail);
    const { id } = created.value.webhook;
    const admin = anAccount("operator", { scopes: ["admin"] });
    const { delete: send } = serve(platform, { admin });
    return {
      ...service,
      id,
      key: record.id,
      account,
      revoke: () => send(`/v1/keys/${record.id}`, { authorization: "Bearer admin" }),
      expire: () => (state.clock += 2 * HOUR_MS),
      webhook: async () => (await platform.webhooks.get(id))!,
      async settle() {
        await service.workOff();
        await resendDeliveries(platform);
        await service.deliverAll();
      },
    };
  }
  const inAnHour = { expiresAt: new Date(Date.parse("2026-11-22T13:00:00Z")).toISOString() };

  it("gets events until then", async () => {
    const { run, settle, received } = await hookOfKey(inAnHour);
    await run();
    await settle();
    expect(received).toHaveLength(1);
  });

  it("is disabled, and gets no later events", async () => {
    const { run, settle, received, revoke, webhook } = await hookOfKey();
    expect((await revoke()).status).toBe(200);
    expect(await webhook()).toMatchObject({
      status: "disabled",
      statusReason: expect.stringContaining("API key"),
    });
    await run();
    await settle();
    expect(received).toEqual([]);
  });

  it.each(["revoke", "expire"] as const)("gets no pending event: %s", async (end) => {
    const service = await hookOfKey(inAnHour);
    const { run, workOff, mail, received, settle, webhook, platform, id } = service;
    await run();
    await workOff();
    expect(mail.webhooks).toHaveLength(1);
    await service[end]();
    await settle();
    expect(received).toEqual([]);
    expect((await webhook()).status).toBe("disabled");
    expect((await platform.deliveries.log(id, 5)).map(({ status }) => status)).toEqual(["failed"]);
  });

  it("gets nothing between the revocation and the next cron job", async () => {
    const { run, workOff, deliverAll, received, platform, key, state, webhook, id } =
      await hookOfKey();
    await platform.apiKeys.revoke(key, state.clock);
    await run();
    await workOff();
    await deliverAll();
    expect(received).toEqual([]);
    expect(await testWebhook(platform, await webhook())).toBeNull();
    expect(await platform.deliveries.log(id, 5)).toEqual([]);
  });

  it("continues with another key that sets it active or changes its URL", async () => {
    for (const change of [
      { status: "active" as const },
      { url: "https://example.com/other", status: "active" as const },
    ]) {
      const { run, settle, received, revoke, webhook, platform } = await hookOfKey();
      const other = await createApiKey(
        platform,
        newApiKeySchema.parse({ name: "b", owner: "acme", scopes: ["submit"] }),
      );
      await revoke();
      const account = anAccount("acme", { keyId: other.record.id });
      await changeWebhook(platform, account, await webhook(), change);
      await run();
      await settle();
      expect(received.length).toBeGreaterThan(0);
    }
  });

  it("gets nothing if the other key, which changed its URL, ends, too", async () => {
    const { run, settle, received, webhook, platform, account, state } = await hookOfKey();
    const leaked = await createApiKey(
      platform,
      newApiKeySchema.parse({ name: "b", owner: "acme", scopes: ["submit"] }),
    );
    await changeWebhook(platform, { ...account, keyId: leaked.record.id }, await webhook(), {
      url: "https://evil.example/",
    });
    await platform.apiKeys.revoke(leaked.record.id, state.clock);
    await run();
    await settle();
    expect(received).toEqual([]);
  });
});
