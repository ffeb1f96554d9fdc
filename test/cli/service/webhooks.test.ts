import { beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";

const hook = {
  id: "wh_1",
  owner: "acme",
  url: "https://example.com/hook",
  description: "the channel",
  events: ["run.finished", "run.failed"],
  status: "active",
  statusReason: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-11-22T12:00:00.000Z",
};
const delivered = {
  event: "evt_1",
  type: "run.finished",
  status: "delivered",
  attempts: 1,
  createdAt: "2026-11-22T12:00:00.000Z",
  nextAttemptAt: null,
  lastAttempt: {
    at: "2026-11-22T12:00:01.000Z",
    status: 204,
    durationMs: 120,
    response: null,
    error: null,
  },
};
const failing = {
  ...delivered,
  event: "evt_2",
  status: "pending",
  attempts: 2,
  nextAttemptAt: "2026-11-22T12:35:05.000Z",
  lastAttempt: { ...delivered.lastAttempt, status: 503, error: "the receiver answered 503" },
};
const refusedTest = {
  ...delivered,
  type: "webhook.test",
  status: "failed",
  lastAttempt: {
    ...delivered.lastAttempt,
    status: 401,
    response: "who are \u001b[31myou?",
    error: "the receiver answered 401",
  },
};

const secret = "whsec_c2VjcmV0";

const service = (deliveries: object[] = [failing, delivered], tested: object = delivered) =>
  fakeService(({ call }) => {
    const secrets: Record<string, object> = {
      "POST /v1/webhooks": { status: 201, body: { ...hook, secret } },
      "POST /v1/webhooks/wh_1/rotate": { body: { ...hook, secret } },
      "POST /v1/webhooks/wh_1/test": { body: tested },
      "GET /v1/webhooks?limit=200": { body: { webhooks: [hook] } },
      "GET /v1/webhooks/wh_1": { body: { ...hook, deliveries } },
      "PATCH /v1/webhooks/wh_1": { body: { ...hook, status: "paused" } },
      "DELETE /v1/webhooks/wh_1": { status: 204, body: "" },
    };
    return secrets[call] ?? problemReply(404, 'you have no webhook "wh_2"');
  });

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "k1");
});

it.each([
  [["create", "--url", hook.url, "--event", "run.finished", "--event", "run.failed"]],
  [["rotate", "wh_1"]],
])("assay webhooks %j prints only the secret on standard output", async (args) => {
  await using api = await service();
  const { code, stdout, stderr } = await assay("/none", ["webhooks", ...args, "--server", api.url]);
  expect([code, stdout]).toEqual([0, `${secret}\n`]);
  expect(stderr).toBe("webhook wh_1; its secret, shown only once:\n");
  if (args[0] === "create") {
    expect(api.asked[0]?.body).toEqual({ url: hook.url, events: hook.events });
  }
});

it("assay webhooks list prints a table, or how to create the first webhook", async () => {
  await using api = await service();
  const { stdout } = await assay("/none", ["webhooks", "list", "--server", api.url]);
  expect(stdout).toBe(
    [
      "id    status  events                    address                   for",
      "wh_1  active  run.finished, run.failed  https://example.com/hook  the channel",
      "",
    ].join("\n"),
  );
  await using none = await fakeService(() => ({ body: { webhooks: [] } }));
  const empty = await assay("/none", ["webhooks", "list", "--server", none.url]);
  expect(empty.stdout).toBe("no webhooks yet; assay webhooks create adds one\n");
});

it("assay webhooks show prints the outcome of the last deliveries", async () => {
  await using api = await service();
  const { stdout } = await assay("/none", ["webhooks", "show", "wh_1", "--server", api.url]);
  expect(stdout).toBe(
    [
      "wh_1",
      "address  https://example.com/hook",
      "for      the channel",
      "owner    acme",
      "events   run.finished, run.failed",
      "status   active",
      "created  2026-11-22 12:00:00",
      "",
      "last 2 events, times in UTC",
      "event  type          status     tried  HTTP    took  last                 next or why",
      "evt_2  run.finished  pending        2   503  120 ms  2026-11-22 12:00:01  again at 2026-11-22 12:35:05",
      "evt_1  run.finished  delivered      1   204  120 ms  2026-11-22 12:00:01",
      "",
    ].join("\n"),
  );
  await using fresh = await service([]);
  const none = await assay("/none", ["webhooks", "show", "wh_1", "--server", fresh.url]);
  expect(none.stdout).toContain("nothing has been sent yet; assay webhooks test sends a test");
});

it("assay webhooks test prints the result and exits with 1 if delivery failed", async () => {
  await using api = await service();
  const received = await assay("/none", ["webhooks", "test", "wh_1", "--server", api.url]);
  expect(received).toMatchObject({
    code: 0,
    stdout: "evt_1 was received: HTTP 204 after 120 ms\n",
  });
  await using refusing = await service([], refusedTest);
  const refused = await assay("/none", ["webhooks", "test", "wh_1", "--server", refusing.url]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(
    "evt_1 was not delivered after 120 ms: the receiver answered 401\nresponse:\n",
  );
  expect(refused.stdout).not.toContain("\u001b");
});

it("assay webhooks pause, resume and delete change one webhook", async () => {
  await using api = await service();
  const paused = await assay("/none", ["webhooks", "pause", "wh_1", "--server", api.url]);
  expect(paused.stdout).toContain("wh_1  paused");
  await assay("/none", ["webhooks", "resume", "wh_1", "--server", api.url]);
  expect(api.asked.map(({ body }) => body)).toEqual([{ status: "paused" }, { status: "active" }]);
  const gone = await assay("/none", ["webhooks", "delete", "wh_1", "--server", api.url]);
  expect(gone).toEqual({ code: 0, stdout: "wh_1 deleted\n", stderr: "" });
  const json = await assay("/none", ["webhooks", "delete", "wh_1", "--json", "--server", api.url]);
  expect(JSON.parse(json.stdout)).toEqual({ deleted: "wh_1" });
});

it.each([
  [["webhooks", "show"], "<id> is required: Id of the webhook; assay webhooks list prints the ids"],
  [["webhooks", "list", "x"], 'unexpected argument "x"; --help lists the arguments'],
  [["webhooks", "lst"], "unknown command webhooks lst; did you mean list?"],
  [["webhooks", "create", "--url", "https://example.com"], "--event EVENT is required"],
])("assay %j fails with a reason", async (args, message) => {
  expect(await assay("/none", args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
});

it("assay webhooks passes on why the service refuses", async () => {
  await using api = await service();
  const { code, stderr } = await assay("/none", ["webhooks", "show", "wh_2", "--server", api.url]);
  expect(code).toBe(2);
  expect(stderr).toContain('you have no webhook "wh_2"');
});
