import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import { deleteDataset } from "../../../api/datasets/service.ts";
import { addStreamVersion } from "../../../api/datasets/stream.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { anAccount, harness, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

type Draw = Parameters<typeof addStreamVersion>[1]["draw"];

const dayRows = (day: number, count = 100) =>
  Array.from({ length: count }, (_, i) =>
    JSON.stringify({ id: `d${day}-${i}`, first: `word ${day} ${i}`, expected: "" }),
  );

const draw = (
  platform: Platform,
  name: string,
  rows: readonly string[],
  more: Partial<Draw> = {},
) =>
  addStreamVersion(platform, {
    suite: platform.suites.byId("relay")!,
    name,
    visibility: "unlisted",
    owner: "acme",
    anyOwner: false,
    draw: { samplesPerVersion: 10, anchor: 20, keepVersions: 2, ...more },
    mapping: null,
    file: new TextEncoder().encode(rows.join("\n")),
    source: null,
  });

const aName = () => `acme/draws-${crypto.randomUUID().slice(0, 8)}`;

/** A promise that is resolved by `open`. */
function aGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Platforms for two draws that both read the newest version before the winner stores its own. */
function atOnce(platform: Platform, winner: 0 | 1): [Platform, Platform] {
  const ready = [aGate(), aGate()] as const;
  const stored = aGate();
  const held = (which: 0 | 1): Platform => ({
    ...platform,
    datasets: {
      ...platform.datasets,
      put: async (...args) => {
        ready[which].open();
        await ready[which === 0 ? 1 : 0].opened;
        if (which !== winner) await stored.opened;
        return platform.datasets.put(...args).finally(stored.open);
      },
    },
  });
  return [held(0), held(1)];
}

async function drawn(platform: Platform, name: string, rows: string[], more: Partial<Draw> = {}) {
  const added = await draw(platform, name, rows, more);
  const found = added.ok ? added.value : expect.unreachable(JSON.stringify(added.error));
  const { heads } = await platform.datasets.index("relay", found.version);
  return { ...found, ids: heads.map(({ id }) => id) };
}

describe("two concurrent draws of a stream", () => {
  it.each<[winner: 0 | 1, before: number]>([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ])("add one version: draw %i stores it first, after %i versions", async (winner, before) => {
    const { platform } = harness();
    const name = aName();
    const first = before === 0 ? null : await drawn(platform, name, dayRows(0));
    const [a, b] = atOnce(platform, winner);
    const both = await Promise.all([draw(a, name, dayRows(1)), draw(b, name, dayRows(2))]);
    const [won, lost] = [both[winner]!, both[1 - winner]!];
    expect(won.ok).toBe(true);
    expect(lost).toMatchObject({ ok: false, error: { kind: "overtaken" } });
    expect(await platform.datasets.versions("relay", name)).toHaveLength(before + 1);
    expect(await platform.objects.keys(`streams/relay/${name}/`)).toHaveLength(before + 1);
    // The rows of the losing draw are still new, the rows of the other are known.
    const rows = [...dayRows(winner + 1), ...dayRows(2 - winner)];
    const again = await drawn(platform, name, rows);
    expect(again.stream).toMatchObject({ read: 200, known: 100, drawn: 10 });
    expect(again.ids.slice(20).every((id) => id.startsWith(`d${2 - winner}-`))).toBe(true);
    if (first !== null) expect(again.ids.slice(0, 20)).toEqual(first.ids.slice(0, 20));
  });

  it("give the same version if they have the same rows", async () => {
    const { platform } = harness();
    const name = aName();
    const [a, b] = atOnce(platform, 0);
    const both = await Promise.all([draw(a, name, dayRows(1)), draw(b, name, dayRows(1))]);
    const versions = both.map((one) => one.ok && one.value.version);
    expect(versions[0]).toBe(versions[1]);
    expect(both.every(({ ok }) => ok)).toBe(true);
    const again = await draw(platform, name, dayRows(1));
    expect(again).toMatchObject({ ok: false, error: { kind: "nothing-new" } });
  });
});

it("a larger anchor takes more samples of the newest version, a smaller one fewer", async () => {
  const { platform } = harness();
  const name = aName();
  const first = await drawn(platform, name, dayRows(0));
  const larger = await drawn(platform, name, dayRows(1), { anchor: 25 });
  expect(larger.ids.slice(0, 25)).toEqual(first.ids.slice(0, 25));
  expect(larger).toMatchObject({ samples: 35, stream: { anchor: 25, drawn: 10 } });
  const smaller = await drawn(platform, name, dayRows(2), { anchor: 20 });
  expect(smaller.ids.slice(0, 20)).toEqual(first.ids.slice(0, 20));
  expect(smaller.samples).toBe(30);
  const largest = await drawn(platform, name, dayRows(3), { anchor: 40 });
  expect(largest.ids.slice(0, 30)).toEqual(smaller.ids);
  expect(largest).toMatchObject({ samples: 50, stream: { anchor: 40, drawn: 20 } });
});

it("rows of an old version stay while another account's runs use them", async () => {
  const { platform, deliverAll } = harness();
  const [name, other] = [aName(), aName().replace("acme", "other")];
  const { version, samples } = await drawn(platform, name, dayRows(7));
  const run = await submitRun(platform, name, { visibility: "unlisted" });
  await deliverAll();
  // The run is on another dataset with the same rows, which has been deleted.
  await env.DB.prepare("UPDATE runs SET dataset_name = ?2, owner = 'other' WHERE id = ?1")
    .bind(run, other)
    .run();
  for (const day of [8, 9, 10]) await drawn(platform, name, dayRows(day));
  expect(await platform.datasets.row("relay", version, samples - 1)).not.toBeNull();
  expect((await platform.runs.get(run))?.answersRemovedAt).toBeNull();
});

it("rows of a stream are new again once its versions are deleted", async () => {
  const { platform } = harness();
  const name = aName();
  await drawn(platform, name, dayRows(0));
  const { version } = await drawn(platform, name, dayRows(1));
  const acme = anAccount("acme");
  expect((await deleteDataset(platform, acme, "relay", `${name}@${version}`)).ok).toBe(true);
  expect(await draw(platform, name, dayRows(0))).toMatchObject({ error: { kind: "nothing-new" } });
  expect((await deleteDataset(platform, acme, "relay", name)).ok).toBe(true);
  expect(await platform.objects.keys(`streams/relay/${name}/`)).toEqual([]);
  expect((await drawn(platform, name, dayRows(0))).stream).toMatchObject({ known: 0 });
});

it.each([
  [["{"], "its only new row does not fit the suite relay; line 1: "],
  [["{", "[]"], "none of its 2 new rows fits the suite relay; line "],
])("unusable rows are refused with the reason: %j", async (rows, detail) => {
  const refused = await draw(harness().platform, aName(), rows);
  expect(refused).toMatchObject({
    ok: false,
    error: { kind: "unusable", detail: expect.stringContaining(detail) },
  });
});

describe("rows that a stream has deleted", () => {
  const HOUR_MS = 3_600_000;
  const lines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

  /** A stream version of 30 rows, with functions to draw later versions and to upload the same rows to another account. */
  async function oldVersion() {
    const clock = { now: Date.now() };
    const { platform, deliverAll } = harness({ now: () => clock.now });
    const name = aName();
    const copy = aName().replace("acme", "other");
    const { version, samples } = await drawn(platform, name, dayRows(0));
    const rows = () =>
      Promise.all(
        Array.from({ length: samples }, (_, at) => platform.datasets.row("relay", version, at)),
      );
    const whole = await rows();
    const next = async (day: number) => {
      clock.now += HOUR_MS;
      await drawn(platform, name, dayRows(day));
      await deliverAll();
    };
    const upload = () =>
      registerDataset(platform, {
        suite: relaySuite,
        name: copy,
        owner: "other",
        anyOwner: false,
        allowPartial: false,
        file: new TextEncoder().encode(lines(whole)),
      });
    const isMarked = async () =>
      (await platform.datasets.find("relay", name, version))?.stream?.rowsDeletedAt !== undefined;
    const left = whole.map((row, at) => (at < 20 ? row : null));
    return { clock, platform, name, copy, version, rows, whole, left, next, upload, isMarked };
  }

  it("are restored by another account's upload, and deleted again with that account's dataset", async () => {
    const rig = await oldVersion();
    await rig.next(1);
    await rig.next(2);
    expect([await rig.rows(), await rig.isMarked()]).toEqual([rig.left, true]);
    expect(await rig.upload()).toMatchObject({ ok: true, value: { version: rig.version } });
    expect([await rig.rows(), await rig.isMarked()]).toEqual([rig.whole, true]);
    const other = anAccount("other");
    expect((await deleteDataset(rig.platform, other, "relay", rig.copy)).ok).toBe(true);
    await cleanUp(rig.platform);
    expect(await rig.rows()).toEqual(rig.whole);
    rig.clock.now += 2 * HOUR_MS;
    await cleanUp(rig.platform);
    expect(await rig.rows()).toEqual(rig.left);
    expect((await rig.platform.datasets.index("relay", rig.version)).heads).toHaveLength(30);
    expect((await rig.upload()).ok).toBe(true);
    expect(await rig.rows()).toEqual(rig.whole);
  });

  it("are kept during an upload of the same rows, and no upload starts while they are being deleted", async () => {
    const rig = await oldVersion();
    const { datasets } = rig.platform;
    // An upload has written its rows but is not stored yet.
    await env.DB.prepare(
      "INSERT INTO dataset_leftovers (suite, version, due_at) VALUES ('relay', ?1, ?2)",
    )
      .bind(rig.version, rig.clock.now + 4 * HOUR_MS)
      .run();
    await rig.next(1);
    await rig.next(2);
    expect([await rig.rows(), await rig.isMarked()]).toEqual([rig.whole, false]);
    await datasets.forgetLeftover("relay", rig.version);
    const claim = () => datasets.claimRows("relay", rig.name, rig.version, rig.clock.now);
    expect([await claim(), await claim()]).toEqual([true, false]);
    expect(await rig.upload()).toMatchObject({ error: { kind: "busy" } });
    // The process that claimed the rows has died.
    await rig.next(3);
    expect([await rig.rows(), await rig.isMarked()]).toEqual([rig.left, true]);
    expect((await rig.upload()).ok).toBe(true);
  });

  it("can be stored again after a crash during their deletion", async () => {
    const rig = await oldVersion();
    const { datasets } = rig.platform;
    expect(await datasets.claimRows("relay", rig.name, rig.version, rig.clock.now)).toBe(true);
    await datasets.keepFirst("relay", rig.version, { count: 20, of: 30 });
    expect(await rig.upload()).toMatchObject({ error: { kind: "busy" } });
    rig.clock.now += HOUR_MS;
    await cleanUp(rig.platform);
    expect((await rig.upload()).ok).toBe(true);
    expect(await rig.rows()).toEqual(rig.whole);
  });
});
