import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { failRun } from "../../../api/engine/record-lost-units.ts";
import { announce } from "../../../api/webhooks/announce.ts";
import { rotateSecret } from "../../../api/webhooks/service.ts";
import { sentEventSchemas } from "../../../shared/contracts/webhooks/webhook.ts";
import { broken, fine, hookedService, referenceSignature } from "../support/hooked-service.ts";

const HOUR_MS = 3_600_000;

const aPause = {
  ...({ type: "schedule.paused", owner: "acme", subject: "sch_1 2026-11-22" } as const),
  data: {
    schedule: "sch_1",
    suite: "relay",
    dataset: "stock",
    reason: "three runs failed",
    model: { slug: "acme/m", name: "M", simulated: false },
    pausedAt: "2026-11-22T12:00:00.000Z",
    links: { schedule: "/v1/schedules/sch_1" },
  },
};

/** All runs of this file have one owner, whose webhooks would get events of all of them. */
beforeEach(async () => {
  const tables = ["webhooks", "webhook_events", "webhook_deliveries", "runs"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

const bodies = (service: ReturnType<typeof hookedService>) =>
  service.received.map(({ body }) => JSON.parse(body));

describe("events sent to a webhook", () => {
  it("report a finished run and its submission, and are signed by the reference algorithm", async () => {
    const service = hookedService();
    const { secret } = await service.hook("run.finished", "submission.finished");
    const run = await service.run();
    await service.deliverAll();
    expect(service.received).toHaveLength(2);
    for (const { url, headers, body } of service.received) {
      expect(url).toBe("https://example.com/hook?team=a");
      expect(headers["webhook-timestamp"]).toBe(`${service.state.clock / 1000}`);
      expect(headers["webhook-signature"]).toBe(await referenceSignature(secret, headers, body));
      expect(body.length).toBeLessThan(20_000);
      expect(body).not.toContain("sk-plain-secret");
    }
    const [ended, submitted] = bodies(service);
    expect(ended).toMatchObject({
      type: "run.finished",
      timestamp: new Date(service.state.clock).toISOString(),
      data: {
        run,
        suite: "relay",
        status: "finished",
        headline: { value: 1, n: 3, coverage: 1 },
        links: {
          run: `https://assay.test/v1/runs/${run}`,
          report: `https://assay.test/runs/${run}/`,
        },
      },
    });
    expect(submitted).toMatchObject({
      type: "submission.finished",
      data: { runs: { total: 1, finished: 1, failed: 0, cancelled: 0 } },
    });
    for (const { type, data } of [ended, submitted]) {
      const schema = sentEventSchemas[type as keyof typeof sentEventSchemas];
      expect(schema.parse(data)).toEqual(data);
    }
  });

  it("are about runs of its owner, and of the requested types", async () => {
    const service = hookedService();
    await service.hook("run.cancelled");
    const run = await service.run();
    await service.deliverAll();
    expect(service.received).toEqual([]);
    await env.DB.prepare("UPDATE webhooks SET owner = 'somebody'").run();
    const other = await service.run();
    await service.platform.runs.cancel(other, service.state.clock);
    await runCron(service.platform);
    await service.deliverAll();
    expect(service.received).toEqual([]);
    expect(run).not.toBe(other);
  });

  it("report a submission when all of its runs have ended, also if they failed or were cancelled", async () => {
    const service = hookedService();
    await service.hook("run.failed", "run.cancelled", "submission.finished");
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const first = await service.run({
      models: ["a", "b"].map((name) => ({ name, slug: `acme/${name}${Date.now()}`, endpoint })),
    });
    const record = await service.platform.runs.get(first);
    const stored = await service.platform.runs.submission(record?.submissionId ?? "");
    const second = stored?.runs.find(({ id }) => id !== first)?.id ?? "";
    service.mail.evaluate.length = 0;
    await failRun(service.platform, first, "broken");
    await service.deliverAll();
    expect(bodies(service).map(({ type }) => type)).toEqual(["run.failed"]);
    expect(bodies(service)[0].data).toMatchObject({ statusReason: "broken", headline: null });
    await service.platform.runs.cancel(second, service.state.clock);
    await runCron(service.platform);
    await service.deliverAll();
    const later = bodies(service).slice(1);
    expect(later.map(({ type }) => type).sort()).toEqual(["run.cancelled", "submission.finished"]);
    const ended = later.find(({ type }) => type === "submission.finished");
    expect(ended.data.runs).toEqual({ total: 2, finished: 0, failed: 1, cancelled: 1 });
  });

  it("are signed with both secrets for a day after a rotation", async () => {
    const service = hookedService();
    const { platform, state } = service;
    const { id, secret } = await service.hook("run.finished");
    const webhook = await platform.webhooks.get(id);
    const rotated = webhook && (await rotateSecret(platform, webhook));
    if (!rotated?.ok) throw new Error("the secret was not rotated");
    await service.run();
    await service.deliverAll();
    state.clock += 24 * HOUR_MS;
    await service.run();
    await service.deliverAll();
    const [first, second] = service.received;
    if (!first || !second) throw new Error("two events were expected");
    const signed = (by: string, { headers, body }: typeof first) =>
      referenceSignature(by, headers, body);
    expect(first.headers["webhook-signature"]?.split(" ")).toEqual([
      await signed(rotated.value.secret, first),
      await signed(secret, first),
    ]);
    expect(second.headers["webhook-signature"]).toBe(await signed(rotated.value.secret, second));
  });
});

describe("an event is sent once", () => {
  it("if a run is summarised twice and messages are delivered twice", async () => {
    const service = hookedService();
    await service.hook("run.finished");
    const run = await service.run();
    await service.workOff();
    const [message] = service.mail.webhooks;
    service.mail.finish.push({ v: 1, kind: "finalize", run });
    await service.workOff();
    await runCron(service.platform);
    expect(service.mail.webhooks.every((one) => one.event === message?.event)).toBe(true);
    expect(await Promise.all([service.send(message), service.send(message)])).toEqual([
      "ack",
      "ack",
    ]);
    expect(await service.send(message)).toBe("ack");
    expect(service.received).toHaveLength(1);
  });

  it("if it is announced twice", async () => {
    const service = hookedService();
    await service.hook("schedule.paused");
    await announce(service.platform, aPause);
    await announce(service.platform, aPause);
    await service.deliverAll();
    expect(bodies(service).map((body) => body.data.links)).toEqual([
      { schedule: "https://assay.test/v1/schedules/sch_1" },
    ]);
    await expect(
      announce(service.platform, { ...aPause, data: { ...aPause.data, reason: 3 as never } }),
    ).rejects.toThrow();
  });

  it("again when a retried run ends again", async () => {
    const service = hookedService();
    await service.hook("run.failed");
    const run = await service.run();
    await failRun(service.platform, run, "broken");
    await env.DB.prepare(
      `UPDATE runs SET status = 'running', finished_at = NULL, retries = '["r1"]' WHERE id = ?`,
    )
      .bind(run)
      .run();
    await failRun(service.platform, run, "broken again");
    await failRun(service.platform, run, "and again");
    await service.deliverAll();
    expect(bodies(service).map(({ data }) => data.statusReason)).toEqual([
      "broken",
      "broken again",
    ]);
    const ids = new Set(service.received.map(({ headers }) => headers["webhook-id"]));
    expect(ids.size).toBe(2);
  });
});

describe("no event is lost", () => {
  it("if the Worker dies between the end of a run and its announcement", async () => {
    let dies = true;
    const service = hookedService((platform) => ({
      deliveries: {
        ...platform.deliveries,
        waiting: async (limit) => {
          if (dies) throw new Error("the Worker dies");
          return platform.deliveries.waiting(limit);
        },
      },
    }));
    await service.hook("run.finished");
    const run = await service.run();
    await service.workOff();
    expect(await service.platform.runs.get(run)).toMatchObject({ status: "finished" });
    expect(service.mail.webhooks).toEqual([]);
    dies = false;
    await runCron(service.platform);
    await service.deliverAll();
    expect(bodies(service).map(({ data }) => data.run)).toEqual([run]);
  });

  it("if its message is lost: the cron job sends another once it is overdue", async () => {
    const service = hookedService();
    await service.hook("run.finished");
    await service.run();
    await service.workOff();
    service.mail.webhooks.length = 0;
    await runCron(service.platform);
    expect(service.mail.webhooks).toEqual([]);
    service.state.clock += 31_000;
    await runCron(service.platform);
    await service.deliverAll();
    expect(service.received).toHaveLength(1);
  });

  it("if the Worker dies after the delivery: the same event is sent again", async () => {
    let dies = true;
    const service = hookedService((platform) => ({
      deliveries: {
        ...platform.deliveries,
        settle: async (...settling) => {
          if (dies) throw new Error("the Worker dies");
          await platform.deliveries.settle(...settling);
        },
      },
    }));
    await service.hook("run.finished");
    await service.run();
    await service.workOff();
    const [message] = service.mail.webhooks.splice(0);
    expect(await service.send(message)).toBe("retry");
    dies = false;
    expect(await service.send(message)).toBe("ack");
    expect(service.received).toHaveLength(1);
    service.state.clock += 91_000;
    await runCron(service.platform);
    await service.deliverAll();
    const [first, second] = service.received;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect(service.received).toHaveLength(2);
  });

  it("if the receiver is down for a while", async () => {
    const service = hookedService();
    const { state, platform } = service;
    const { id } = await service.hook("run.finished");
    await service.run();
    await service.workOff();
    state.answer = () => broken(503);
    const [message] = service.mail.webhooks.splice(0);
    await service.send(message);
    expect(service.delays.at(-1)).toBeGreaterThanOrEqual(5);
    expect(service.delays.at(-1)).toBeLessThanOrEqual(6);
    expect(await platform.webhooks.get(id)).toMatchObject({ failingSince: state.clock });
    await service.send(message);
    expect(service.received).toHaveLength(1);
    state.clock += 6_000;
    state.answer = () => broken(429, { retryAfterMs: 20 * 60_000 });
    await service.send(message);
    expect(service.delays.at(-1)).toBeGreaterThanOrEqual(20 * 60);
    state.clock += 23 * 60_000;
    state.answer = () => fine;
    await service.send(message);
    const [delivery] = await platform.deliveries.log(id, 10);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 3, responseStatus: 204 });
    expect(await platform.webhooks.get(id)).toMatchObject({ failingSince: null, status: "active" });
  });
});

describe("a receiver that refuses events or fails", () => {
  it("gets no more events after a 410", async () => {
    const service = hookedService();
    const { id } = await service.hook("run.finished");
    await service.run();
    await service.run();
    await service.workOff();
    service.state.answer = () => broken(410);
    await service.deliverAll();
    expect(service.received).toHaveLength(1);
    const { platform } = service;
    expect(await platform.webhooks.get(id)).toMatchObject({
      status: "disabled",
      statusReason: "the receiver answered 410 (no more events)",
    });
    const log = await platform.deliveries.log(id, 10);
    expect(log.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(log.map(({ error }) => error)).toContain("the webhook was disabled");
  });

  it("is disabled after five days of failures, but not by two isolated ones", async () => {
    const service = hookedService();
    const { state, platform } = service;
    const { id } = await service.hook("schedule.paused");
    state.answer = () => broken(500);
    const fail = async () => {
      await announce(platform, { ...aPause, subject: `${state.clock}` });
      await service.deliverAll();
    };
    await fail();
    state.clock += 20 * 24 * HOUR_MS;
    await fail();
    expect(await platform.webhooks.get(id)).toMatchObject({ failingSince: state.clock });
    for (let day = 1; day <= 5; day++) {
      expect(await platform.webhooks.get(id)).toMatchObject({ status: "active" });
      state.clock += 24 * HOUR_MS;
      await fail();
    }
    expect(await platform.webhooks.get(id)).toMatchObject({
      status: "disabled",
      statusReason: "no delivery was successful for 5 days",
    });
  });

  it("is tried ten times over three days before the event is given up", async () => {
    const service = hookedService();
    const { state, platform } = service;
    const { id } = await service.hook("run.finished");
    state.answer = () => broken(500);
    await service.run();
    const start = state.clock;
    await service.workOff();
    for (let minutes = 0; minutes < 100 * 60; minutes += 30) {
      await service.deliverAll();
      state.clock += 30 * 60_000;
      const due = await platform.deliveries.due(state.clock, 10);
      service.mail.webhooks.push(
        ...due.map((key) => ({ v: 1 as const, kind: "delivery" as const, ...key })),
      );
    }
    const [delivery] = await platform.deliveries.log(id, 1);
    expect(delivery).toMatchObject({ status: "failed", attempts: 10, responseStatus: 500 });
    expect((delivery?.attemptedAt ?? 0) - start).toBeGreaterThan(75 * HOUR_MS);
    expect(service.received).toHaveLength(10);
    // A queue delays a message by a day at most.
    expect(Math.max(...service.delays)).toBeLessThanOrEqual((12 * HOUR_MS) / 1_000);
  });

  it("is disabled with the reason if its secret can't be read", async () => {
    const service = hookedService();
    const { id } = await service.hook("run.finished");
    await env.DB.prepare("UPDATE webhooks SET sealed_secret = 'v2.00000000.AAAA.AAAA' WHERE id = ?")
      .bind(id)
      .run();
    await service.run();
    await service.deliverAll();
    expect(service.received).toEqual([]);
    const webhook = await service.platform.webhooks.get(id);
    expect(webhook).toMatchObject({ status: "disabled" });
    expect(webhook?.statusReason).toContain("rotate it");
  });
});

it("deliveries and events are deleted after 14 days", async () => {
  const service = hookedService();
  const { id } = await service.hook("run.finished");
  await service.run();
  await service.deliverAll();
  service.state.clock += 13 * 24 * HOUR_MS;
  await runCron(service.platform);
  expect(await service.platform.deliveries.log(id, 10)).toHaveLength(1);
  service.state.clock += 2 * 24 * HOUR_MS;
  await runCron(service.platform);
  expect(await service.platform.deliveries.log(id, 10)).toEqual([]);
  const { results } = await env.DB.prepare("SELECT id FROM webhook_events WHERE occurred_at < ?")
    .bind(service.state.clock - 14 * 24 * HOUR_MS)
    .all();
  expect(results).toEqual([]);
});
