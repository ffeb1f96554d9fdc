import { describe, expect, it } from "vitest";
import type { FinishMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { FetchedRows, RowsAddress } from "../../../api/providers/fetch-rows.ts";
import { createSchedule } from "../../../api/schedules/service.ts";
import { scheduleDetail, submissionsOf } from "../../../api/schedules/view.ts";
import { newScheduleSchema } from "../../../shared/contracts/schedules/schedule.ts";
import { allObjects, allRows } from "../support/everything-kept.ts";
import { anAccount, harness } from "../support/harness.ts";
import { aSchedule, runDue } from "../support/scheduled.ts";

const AUTHORIZATION = "Bearer sk-of-the-logs";
const URL = "https://logs.example.com/yesterday.jsonl?sig=signed-secret";
const acme = anAccount("acme");

/** Rows of one day; the harness's model is right on all of them. */
const dayRows = (day: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      id: `d${day}-${i}`,
      first: `word ${day} ${i}`,
      expected: `AGAIN: WORD ${day} ${i}`,
    }),
  );

/** A schedule with a stream, a file that tests replace, and a clock. */
async function streamed(stream: object = {}, overrides: Partial<Platform> = {}) {
  const clock = { now: Date.parse("2026-11-22T10:00:00Z") };
  const asked: RowsAddress[] = [];
  const source = { reply: rowsReply(dayRows(0, 100), '"0"') as FetchedRows };
  const rig = harness({
    now: () => clock.now,
    fetchRows: async (address) => {
      asked.push(address);
      const { reply } = source;
      const isKnown = reply.kind === "rows" && reply.etag !== null && reply.etag === address.etag;
      return isKnown ? { kind: "unchanged" } : reply;
    },
    ...overrides,
  });
  const name = `acme/stream-${crypto.randomUUID().slice(0, 8)}`;
  const wanted = newScheduleSchema.parse(
    aSchedule(name, {
      visibility: "public",
      stream: {
        url: URL,
        authorization: AUTHORIZATION,
        samplesPerVersion: 10,
        anchor: 20,
        keepVersions: 2,
        ...stream,
      },
    }),
  );
  const created = await createSchedule(rig.platform, acme, wanted);
  const id = created.ok ? created.value.id : "";
  const current = async () => (await rig.platform.schedules.get(id)) ?? expect.unreachable("gone");
  return {
    ...rig,
    created,
    clock,
    asked,
    source,
    name,
    id,
    current,
    runs: () => rig.platform.schedules.runs(submissionsOf(id), 100),
    /** The newest entry of the log. */
    newest: async () => {
      const log = await rig.platform.schedules.events(id, 100);
      return log.find(({ kind }) => kind === "started" || kind === "refused");
    },
    tick: async () => {
      clock.now = (await current()).nextAt;
      await runDue(rig);
      await rig.deliverAll();
    },
    versions: () =>
      rig.platform.datasets.page({
        suite: "relay",
        name,
        version: null,
        ownedBy: "acme",
        after: null,
        limit: 100,
      }),
  };
}

const rowsReply = (rows: readonly string[], etag: string | null): FetchedRows => ({
  kind: "rows",
  file: new TextEncoder().encode(rows.join("\n")),
  etag,
});

describe("a schedule with a stream", () => {
  it("draws the first version at once, and shows neither the authorization nor the query of the URL", async () => {
    const rig = await streamed();
    expect(rig.created.ok).toBe(true);
    expect(rig.asked).toEqual([{ url: URL, authorization: AUTHORIZATION, etag: null }]);
    expect(await rig.versions()).toMatchObject([
      {
        samples: 30,
        visibility: "unlisted",
        stream: { read: 100, known: 0, refused: 0, drawn: 30, anchor: 20, keepVersions: 2 },
      },
    ]);
    const shown = await scheduleDetail(rig.platform, await rig.current());
    expect(shown.stream).toEqual({
      url: "https://logs.example.com/yesterday.jsonl",
      samplesPerVersion: 10,
      anchor: 20,
      keepVersions: 2,
      visibility: "unlisted",
    });
    const everything = [JSON.stringify(shown), await allRows(), await allObjects()].join();
    for (const secret of ["sk-of-the-logs", "signed-secret"])
      expect(everything).not.toContain(secret);
  });

  it("evaluates new rows with the first version's anchor at each tick", async () => {
    const rig = await streamed();
    await rig.tick();
    rig.source.reply = rowsReply([...dayRows(0, 100), ...dayRows(1, 50)], '"1"');
    await rig.tick();
    expect((await rig.newest())?.detail).toBe("drew 10 of 50 new rows (150 read)");
    const [second, first] = await rig.versions();
    const [newer, older] = await rig.runs();
    expect([newer?.datasetVersion, older?.datasetVersion]).toEqual([
      second?.version,
      first?.version,
    ]);
    expect([newer?.status, newer?.visibility, newer?.total]).toEqual(["finished", "unlisted", 30]);
    const idsOf = async (version: string) =>
      (await rig.platform.datasets.index("relay", version)).heads.map(({ id }) => id);
    const [now, then] = [await idsOf(second!.version), await idsOf(first!.version)];
    expect(now.slice(0, 20)).toEqual(then.slice(0, 20));
    expect(now.slice(20).every((id) => id.startsWith("d1-"))).toBe(true);
    expect(rig.asked.at(-1)?.etag).toBe('"0"');
  });

  it.each<[what: string, reply: FetchedRows, detail: string]>([
    [
      "is the same by its ETag",
      rowsReply(dayRows(0, 100), '"0"'),
      "nothing is new: the file is unchanged",
    ],
    [
      "has the same rows",
      rowsReply(dayRows(0, 100), '"9"'),
      "nothing is new: the file before had all of its 100 rows",
    ],
    [
      "can't be fetched",
      { kind: "failed", detail: "its server answered 500" },
      "its server answered 500",
    ],
    ["is empty", rowsReply([], null), "it has no rows"],
    [
      "is in another format",
      rowsReply(["<html>", "</html>"], null),
      "none of its 2 new rows fits the suite relay; line ",
    ],
  ])("logs a file that %s, stores nothing, and pauses after three", async (_, reply, detail) => {
    const rig = await streamed();
    await rig.tick();
    rig.source.reply = reply;
    for (let failures = 1; failures <= 3; failures++) {
      await rig.tick();
      const log = await rig.newest();
      expect(log).toMatchObject({ kind: "refused", detail: expect.stringContaining(detail) });
      expect(log?.detail).toContain("the stream at https://logs.example.com/yesterday.jsonl: ");
      expect(log?.detail).not.toContain("signed-secret");
      expect((await rig.current()).failures).toBe(failures);
    }
    expect(await rig.current()).toMatchObject({
      status: "paused",
      statusReason: expect.stringContaining(detail),
    });
    expect(await rig.versions()).toHaveLength(1);
    expect(await rig.runs()).toHaveLength(1);
  });

  it("leaves out invalid rows, and lists them in the version", async () => {
    const rig = await streamed();
    await rig.tick();
    rig.source.reply = rowsReply([...dayRows(1, 5), "{", '{"id":"x"}'], null);
    await rig.tick();
    expect((await rig.newest())?.detail).toBe(
      "drew 5 of 7 new rows (7 read; 2 did not fit the suite)",
    );
    const found = await rig.platform.datasets.find("relay", rig.name, null);
    expect(found?.malformed.map(({ line }) => line).toSorted()).toEqual([6, 7]);
    expect(found?.stream).toMatchObject({ drawn: 5, refused: 2 });
  });

  it("maps rows, and stores the mapping with each version", async () => {
    const mapping = { map: { id: "key", first: "said", expected: '"AGAIN: " & $uppercase(said)' } };
    const rows = Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({ key: `k${i}`, said: `w ${i}` }),
    );
    const rig = await streamed({ mapping }, { fetchRows: async () => rowsReply(rows, null) });
    await rig.tick();
    expect((await rig.runs())[0]).toMatchObject({
      status: "finished",
      metrics: { passed: { value: 1 } },
    });
    const found = await rig.platform.datasets.find("relay", rig.name, null);
    expect(found?.mapping?.map).toEqual(mapping.map);
  });

  it.each([
    [{ url: "http://logs.example.com/x" }, "https"],
    [{ mapping: { map: { first: "$match(said, /(a+)+$/)" } } }, "$match"],
    [{ mapping: { map: { first: "said" }, files: { a: "a.json" } } }, "leave files out"],
  ])("refuses %j", async (stream, why) => {
    const strict = harness().platform.settings;
    const rig = await streamed(stream, { settings: { ...strict, allowPrivateEndpoints: false } });
    expect(rig.created.ok).toBe(false);
    expect(JSON.stringify(rig.created)).toContain(why);
    expect(rig.asked).toEqual([]);
    expect(await rig.versions()).toEqual([]);
  });

  it("is refused with the reason if the file is unusable, and stores nothing", async () => {
    const fetchRows = async (): Promise<FetchedRows> => rowsReply(["no JSON"], null);
    const rig = await streamed({}, { fetchRows });
    expect(rig.created).toMatchObject({
      ok: false,
      error: [
        {
          pointer: "/stream",
          detail: expect.stringContaining(
            "its only new row does not fit the suite relay; line 1: ",
          ),
        },
      ],
    });
    expect(await rig.versions()).toEqual([]);
  });

  it.each([
    ["put", 1],
    ["finish", 2],
  ] as const)(
    "draws one version if a cron run died in %s, with %i versions by then",
    async (step, count) => {
      const rig = await streamed();
      await rig.tick();
      rig.source.reply = rowsReply(dayRows(1, 50), '"1"');
      const { datasets, queues } = rig.platform;
      const died = async () => {
        throw new Error("died");
      };
      const finish = (message: FinishMessage) =>
        message.kind === "old-versions" ? died() : queues.finish(message);
      const broken = {
        put: { datasets: { ...datasets, put: died } },
        finish: { queues: { ...queues, finish } },
      };
      Object.assign(rig.platform, broken[step]);
      rig.clock.now = (await rig.current()).nextAt;
      await runDue(rig);
      expect(await rig.versions()).toHaveLength(count);
      expect(await rig.runs()).toHaveLength(1);
      Object.assign(rig.platform, { datasets, queues });
      rig.clock.now += 3 * 60_000;
      await runDue(rig);
      await rig.deliverAll();
      expect(await rig.versions()).toHaveLength(2);
      expect(await rig.runs()).toHaveLength(2);
      expect((await rig.current()).failures).toBe(0);
    },
  );

  it("evaluates a version that another schedule has drawn", async () => {
    const rig = await streamed();
    await rig.tick();
    rig.source.reply = rowsReply(dayRows(1, 50), '"1"');
    const second = newScheduleSchema.parse(
      aSchedule(rig.name, {
        model: { ...aSchedule("").model, name: "Other" },
        stream: { url: URL, samplesPerVersion: 10, anchor: 20, keepVersions: 2 },
      }),
    );
    const created = await createSchedule(rig.platform, acme, second);
    expect(created.ok).toBe(true);
    await rig.tick();
    expect((await rig.newest())?.detail).toBe(
      "nothing is new: the file is unchanged; evaluates the newest version",
    );
    expect(await rig.versions()).toHaveLength(2);
    expect((await rig.runs())[0]?.datasetVersion).toBe((await rig.versions())[0]?.version);
  });

  it("deletes rows and answers of old versions, except the anchor and scores", async () => {
    const rig = await streamed();
    for (let day = 1; day <= 4; day++) {
      await rig.tick();
      rig.source.reply = rowsReply(dayRows(day, 50), `"${day}"`);
    }
    await rig.tick();
    const versions = await rig.versions();
    expect(versions.map(({ stream }) => stream?.rowsDeletedAt !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    const [, , old] = versions;
    const rowOf = (at: number) => rig.platform.datasets.row("relay", old!.version, at);
    expect(await rowOf(0)).toMatchObject({ first: expect.stringContaining("word 0") });
    expect(await rowOf(20)).toBeNull();
    const run = (await rig.runs()).find(({ datasetVersion }) => datasetVersion === old?.version);
    expect(run?.answersRemovedAt).not.toBeNull();
    expect(run?.metrics?.["passed"]).toMatchObject({ value: 1, n: 30 });
    expect(await rig.platform.objects.keys(`runs/${run?.id}/answers/`)).toEqual([]);
    const kept = await allObjects();
    expect(kept).not.toContain("WORD 2 ");
    expect(kept).toContain("word 4 ");
  });
});
