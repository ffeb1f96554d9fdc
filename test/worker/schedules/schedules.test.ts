import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import worker, { platformOf } from "../../../api/index.ts";
import { createApiKey } from "../../../api/keys/make-key.ts";
import { createSchedule, resumeByOwner } from "../../../api/schedules/service.ts";
import { scheduleDetail, submissionsOf } from "../../../api/schedules/view.ts";
import { asObject } from "../../../shared/contracts/json.ts";
import {
  newScheduleSchema,
  type ScheduleDetail,
} from "../../../shared/contracts/schedules/schedule.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { aDataset } from "../support/a-dataset.ts";
import { problemOf, serve } from "../support/client.ts";
import {
  anAccount,
  announced,
  answering,
  deliver,
  harness,
  relayDataset,
} from "../support/harness.ts";
import { aSchedule, runDue, SECRET, scheduled } from "../support/scheduled.ts";

const HOUR_MS = 3_600_000;
const acme = anAccount("acme");

const stored = async (id: string) =>
  env.DB.prepare("SELECT * FROM schedules WHERE id = ?1").bind(id).first<Record<string, unknown>>();

describe("/v1/schedules", () => {
  it("accepts a hundred schedules per account, also with concurrent requests", async () => {
    const { platform } = harness();
    const dataset = await relayDataset(platform, 1);
    const api = serve(platform, { mine: anAccount("busy") });
    const make = () =>
      api.post("/v1/schedules", aSchedule(dataset), { authorization: "Bearer mine" });
    const first = (await (await make()).json()) as ScheduleDetail;
    const record = (await platform.schedules.get(first.id))!;
    for (let i = 2; i < 100; i++) {
      await platform.schedules.insert({ ...record, id: `sched_busy_${i}` }, 100);
    }
    const statuses = await Promise.all([make(), make(), make()]).then((all) =>
      all.map(({ status }) => status).sort(),
    );
    expect(statuses).toEqual([201, 409, 409]);
  });

  it("creates, lists, shows, pauses, resumes and deletes a schedule, and never shows its key", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 2);
    const api = serve(platform, { mine: acme, theirs: anAccount("other") });
    const mine = { authorization: "Bearer mine" };
    const created = await api.post("/v1/schedules", aSchedule(dataset, { note: "nightly" }), mine);
    expect(created.status).toBe(201);
    const schedule = (await created.json()) as ScheduleDetail;
    const path = `/v1/schedules/${schedule.id}`;
    expect(created.headers.get("location")).toBe(path);
    expect(schedule).toMatchObject({
      owner: "acme",
      note: "nightly",
      everyHours: 6,
      cron: null,
      status: "active",
      endpointHost: "127.0.0.1:8790",
      model: { slug: "acme/model" },
      lastRun: null,
      runs: [],
    });
    const started = await api.post(`${path}/run-now`, undefined, mine);
    expect(((await started.json()) as ScheduleDetail).lastRun?.status).toBe("queued");
    const again = await api.post(`${path}/run-now`, undefined, mine);
    expect((await problemOf(again)).detail).toContain("is still queued");
    await deliverAll();
    const shown = await (await api.get(path, mine)).text();
    expect(JSON.parse(shown).runs).toMatchObject([{ status: "finished", headline: 1 }]);
    const row = JSON.stringify(await stored(schedule.id));
    for (const text of [shown, row]) expect(text).not.toContain(SECRET);
    const paused = (await (
      await api.post(`${path}/pause`, undefined, mine)
    ).json()) as ScheduleDetail;
    expect(paused).toMatchObject({ status: "paused", nextAt: null });
    const resumed = await (await api.post(`${path}/resume`, undefined, mine)).json();
    expect(resumed).toMatchObject({ status: "active", nextAt: expect.any(String) });
    const theirs = { authorization: "Bearer theirs" };
    expect((await api.get(path, theirs)).status).toBe(404);
    expect((await api.delete(path, theirs)).status).toBe(404);
    expect((await api.delete(path, mine)).status).toBe(204);
    expect((await api.get(path, mine)).status).toBe(404);
    expect(await stored(schedule.id)).toBeNull();
    expect(await (await api.get("/v1/schedules", mine)).json()).toEqual({
      schedules: [],
      nextCursor: null,
    });
  });

  it.each([
    [{ cron: "*/5 * * * *", everyHours: undefined }, "/cron", "the minimum is 60 min"],
    [{ cron: "0 6 * * *" }, "/cron", 'give cron or everyHours, not both "0 6 * * *" and 6'],
    [{ cron: "0 6 * * *" }, "/everyHours", "not both"],
    [{ everyHours: undefined }, "/everyHours", "give cron or everyHours"],
    [{ everyHours: 0 }, "/everyHours", "0"],
    [{ suite: "relax" }, "/suite", 'there is no suite "relax"'],
    [
      { model: { name: "M", answers: [{ id: "s0", output: "" }] } },
      "/model/answers",
      "give an endpoint",
    ],
    [{ model: { name: "M", slug: "other/m" } }, "/model", "give either endpoint"],
    [{ options: { sweep: { temperature: [0, 1] } } }, "/options/sweep", "leave the sweep out"],
    [{ options: { reuseAnswers: true } }, "/options/reuseAnswers", "to detect drift"],
    [{ options: { prompts: { a: {} } } }, "/options/prompts", "leave the prompts out"],
    [
      {
        model: {
          name: "M",
          endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m", relay: "program" },
        },
      },
      "/model/endpoint/relay",
      "a schedule needs an endpoint",
    ],
  ])("refuses %j at %s", async (more, pointer, detail) => {
    const { platform } = harness();
    const api = serve(platform, { mine: acme });
    const dataset = await relayDataset(platform, 1);
    const mine = { authorization: "Bearer mine" };
    const refused = await api.post("/v1/schedules", aSchedule(dataset, more), mine);
    expect(refused.status).toBe(422);
    const { errors = [] } = await problemOf(refused);
    const found = errors.filter((error) => error.pointer === pointer).map((error) => error.detail);
    expect(found.join()).toContain(detail);
  });
});

describe("the cron trigger", () => {
  it("starts due schedules once, even with concurrent triggers", async () => {
    const platform = platformOf({ ...env } as never);
    const row = { id: "a", text: "x", schema: { type: "object" }, expected_output: {} };
    await aDataset(platform, extraction, [row], { name: "cron", owner: "acme" });
    const wanted = newScheduleSchema.parse(aSchedule("cron", { suite: "extraction" }));
    const created = await createSchedule(platform, acme, wanted);
    if (!created.ok) throw new Error(JSON.stringify(created.error));
    const { id } = created.value;
    const due = env.DB.prepare("UPDATE schedules SET next_at = ?2 WHERE id = ?1");
    await due.bind(id, Date.now() - 5 * HOUR_MS).run();
    const sent: unknown[] = [];
    const ours = { ...env, FINISH: { send: async (body: unknown) => void sent.push(body) } };
    const trigger = () => worker.scheduled(createScheduledController(), ours as never);
    await Promise.all([trigger(), trigger(), trigger()]);
    const ticks = () => sent.splice(0).filter((body) => asObject(body)["kind"] === "ticks");
    await Promise.all([...ticks(), ...ticks()].map((body) => deliver(platform, "finish", body)));
    await trigger();
    expect(ticks()).toEqual([]);
    const runs = await platform.schedules.runs(submissionsOf(id), 10);
    expect(runs.length).toBe(1);
    const log = await platform.schedules.events(id, 10);
    expect(log.filter(({ kind }) => kind === "started")).toMatchObject([
      { detail: expect.stringContaining("this run replaces all ticks missed since") },
    ]);
    expect((await platform.schedules.get(id))?.nextAt).toBeGreaterThan(Date.now());
    await platform.runs.cancel(runs[0]?.id ?? "", Date.now());
    await platform.schedules.remove(id);
  });
});

describe("a schedule", () => {
  it("runs at each tick with the endpoint's key, which is sealed for each run", async () => {
    const keys: (string | undefined)[] = [];
    const rig = await scheduled();
    const ask = rig.platform.ask;
    rig.platform.ask = (target, ...rest) => {
      keys.push(target.apiKey);
      return ask(target, ...rest);
    };
    for (let i = 0; i < 3; i++) {
      await rig.tick();
      await rig.deliverAll();
    }
    const runs = await rig.runs();
    expect(runs.map(({ status }) => status)).toEqual(["finished", "finished", "finished"]);
    expect(new Set(keys)).toEqual(new Set([SECRET]));
    expect(runs.map(({ sealedSecrets }) => sealedSecrets)).toEqual([null, null, null]);
    expect(await rig.log()).toEqual(["started", "finished", "started", "finished", "started"]);
    expect(runs[0]?.createdAt).toBe((runs[1]?.createdAt ?? 0) + 6 * HOUR_MS);
  });

  it("skips a tick while the previous run is active, and logs it", async () => {
    const rig = await scheduled();
    await rig.tick();
    await rig.tick();
    expect((await rig.runs()).length).toBe(1);
    const [newest] = await rig.platform.schedules.events(rig.id, 1);
    const [run] = await rig.runs();
    expect(newest).toMatchObject({ kind: "skipped", detail: `run "${run?.id}" is still queued` });
    expect((await rig.current()).failures).toBe(0);
    await rig.deliverAll();
    await rig.tick();
    expect((await rig.runs()).length).toBe(2);
  });

  it("starts one run for all missed ticks", async () => {
    const rig = await scheduled();
    const { nextAt } = await rig.current();
    await rig.tick(40 * HOUR_MS);
    await runDue(rig);
    expect((await rig.runs()).length).toBe(1);
    expect((await rig.current()).nextAt).toBe(nextAt + 42 * HOUR_MS);
  });

  it("is started once by a later cron run after one died halfway", async () => {
    const rig = await scheduled();
    const { insert } = rig.platform.runs;
    rig.platform.runs.insert = async (...args) => {
      await insert(...args);
      throw new Error("died");
    };
    await rig.tick();
    rig.platform.runs.insert = insert;
    expect(await rig.log()).toEqual([]);
    await runDue(rig);
    expect(await rig.log()).toEqual([]);
    rig.clock.now += 3 * 60_000;
    await runDue(rig);
    expect(await rig.log()).toEqual(["started"]);
    expect((await rig.runs()).length).toBe(1);
  });

  it("pauses after three failed runs in a row, and notifies its owner", async () => {
    const rig = await scheduled();
    const events = announced(rig.platform);
    const failRun = async () => {
      await rig.failRun();
      await runDue(rig);
    };
    await rig.tick();
    await failRun();
    await rig.tick();
    await rig.deliverAll();
    await runDue(rig);
    expect((await rig.current()).failures).toBe(0);
    for (let i = 0; i < 3; i++) {
      expect((await rig.current()).status).toBe("active");
      await rig.tick();
      await failRun();
    }
    expect(await rig.current()).toMatchObject({
      status: "paused",
      failures: 3,
      statusReason: "it failed 3 times in a row, the last time: the endpoint is gone",
    });
    expect((await rig.log()).at(-1)).toBe("paused");
    expect(events.filter(({ type }) => type === "schedule.paused")).toMatchObject([
      { data: { schedule: rig.id, suite: "relay", model: { slug: "acme/model" } } },
    ]);
    rig.clock.now += 48 * HOUR_MS;
    await runCron(rig.platform);
    expect((await rig.runs()).length).toBe(5);
  });

  it("pauses after three runs without any answer, with the reason", async () => {
    const rig = await scheduled();
    const events = announced(rig.platform);
    const error = { class: "unauthorized", message: "401 of acct-77" } as const;
    rig.platform.ask = answering(() => ({ output: null, error }));
    for (let i = 0; i < 3; i++) {
      expect(await rig.current()).toMatchObject({ status: "active", failures: Math.max(0, i - 1) });
      await rig.tick();
      await rig.deliverAll();
    }
    rig.clock.now += 60_000;
    await runDue(rig);
    const why = `no request was answered: all failed, 3 of 3 as "unauthorized". Check the endpoint's key`;
    const schedule = await rig.current();
    expect(schedule).toMatchObject({ status: "paused", failures: 3 });
    expect(schedule.statusReason).toContain(`it failed 3 times in a row, the last time: ${why}`);
    const paused = events.filter(({ type }) => type === "schedule.paused");
    expect(paused).toMatchObject([{ data: { reason: schedule.statusReason } }]);
    const detail = await scheduleDetail(rig.platform, schedule);
    expect(detail.lastRun).toMatchObject({ status: "finished", isUnanswered: true });
    expect(detail.runs[0]).toMatchObject({ isUnanswered: true, headline: null });
    const [, newest] = detail.log;
    expect(newest).toMatchObject({ kind: "failed", detail: expect.stringContaining(why) });
    expect(JSON.stringify([detail, paused])).not.toContain("acct-77");
  });

  it("counts a run with a single answer as finished", async () => {
    const rig = await scheduled();
    const error = { class: "timeout", message: "late" } as const;
    rig.platform.ask = answering(({ messages }) =>
      messages.at(-1)?.content.toUpperCase().includes("WORD 0") ? {} : { output: null, error },
    );
    await rig.tick();
    await rig.deliverAll();
    await runDue(rig);
    expect(await rig.log()).toEqual(["started", "finished"]);
    const [run] = (await scheduleDetail(rig.platform, await rig.current())).runs;
    expect(run).toMatchObject({ isUnanswered: false, headline: expect.any(Number) });
  });

  it("counts the end of a run before run-now starts another", async () => {
    const rig = await scheduled();
    const events = announced(rig.platform);
    await rig.tick();
    for (let i = 1; i <= 4; i++) {
      await rig.failRun();
      expect((await rig.runNow()).ok).toBe(true);
      expect((await rig.current()).failures).toBe(i);
    }
    const ends = ["failed", "started"];
    expect(await rig.log()).toEqual([
      "started",
      ...ends,
      ...ends,
      "failed",
      "paused",
      "started",
      ...ends,
    ]);
    expect(events.filter(({ type }) => type === "schedule.paused").length).toBe(1);
  });

  it("counts a run that ends between two checks of a cron run, and starts none after the third failure", async () => {
    const rig = await scheduled();
    const { waiting } = rig.platform.schedules;
    await rig.tick();
    rig.platform.schedules.waiting = async (...args) => {
      await rig.failRun();
      return waiting(...args);
    };
    await rig.tick();
    await rig.tick();
    expect((await rig.current()).failures).toBe(2);
    await rig.tick();
    expect(await rig.current()).toMatchObject({ status: "paused", failures: 3, tickAt: null });
    expect((await rig.runs()).length).toBe(3);
    expect((await rig.log()).slice(-3)).toEqual(["failed", "paused", "skipped"]);
  });

  it("keeps a failure that a cron run counts while a tick is being skipped", async () => {
    const rig = await scheduled();
    const { endTick } = rig.platform.schedules;
    await rig.tick();
    rig.platform.schedules.endTick = async (end) => {
      await rig.failRun();
      await runDue(rig);
      return endTick(end);
    };
    await rig.tick();
    expect(await rig.current()).toMatchObject({ failures: 1, tickAt: null });
  });

  it("pauses after three ticks during a paused run, but not after failed calls of run-now", async () => {
    const rig = await scheduled();
    const events = announced(rig.platform);
    await rig.tick();
    const [run] = await rig.runs();
    await rig.platform.runs.pause(run?.id ?? "", "maxCostUsd is reached");
    const why = `run "${run?.id}" is paused (maxCostUsd is reached): resume or cancel it`;
    for (let i = 0; i < 3; i++) {
      expect(await rig.current()).toMatchObject({ status: "active", failures: i });
      const detail = `no run was started: ${why}`;
      expect(await rig.runNow()).toEqual({ ok: false, error: { type: "conflict", detail } });
      await rig.tick();
    }
    const statusReason = `it failed 3 times in a row, the last time: ${why}`;
    expect(await rig.current()).toMatchObject({ status: "paused", statusReason });
    expect(events.filter(({ type }) => type === "schedule.paused").length).toBe(1);
  });

  it("pauses with the reason if its quota is used up or its key was revoked", async () => {
    const rig = await scheduled();
    const { record } = await createApiKey(rig.platform, {
      owner: "acme",
      name: "k",
      scopes: ["submit"],
      dailySamples: 4,
    });
    const account = anAccount("acme", { keyId: record.id, dailySamples: 4 });
    const own = await scheduled({ everyHours: 1 }, account);
    await own.tick();
    await own.deliverAll();
    for (let i = 0; i < 3; i++) {
      expect(await own.current()).toMatchObject({ status: "active", failures: i });
      await own.tick();
    }
    const { status, statusReason } = await own.current();
    expect(status).toBe("paused");
    expect(statusReason).toContain("daily quota of 4 samples 3 are used");
    expect((await resumeByOwner(own.platform, account, own.id)).ok).toBe(true);
    await own.platform.apiKeys.revoke(record.id, own.clock.now);
    for (let i = 0; i < 3; i++) await own.tick();
    const revoked = `the API key "${record.id}" that created it was revoked: create a new schedule`;
    expect((await own.current()).statusReason).toContain(revoked);
    expect((await own.runs()).length).toBe(1);
    expect(await resumeByOwner(own.platform, account, own.id)).toEqual({
      ok: false,
      error: { type: "conflict", detail: `schedule "${own.id}" can't continue: ${revoked}` },
    });
  });
});
