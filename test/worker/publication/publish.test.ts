import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { deleteRetired, publish } from "../../../api/publication/publish.ts";
import {
  type SnapshotPage,
  type SnapshotRoot,
  snapshotRootSchema,
} from "../../../shared/contracts/boards/snapshot.ts";
import { contentHash, textHash } from "../../../shared/contracts/content-hash.ts";
import { latestSnapshot, problemOf, serve } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

const GRACE_MS = 2 * 3_600_000;

/** A service with a finished run on no board, a clock, and the keys that are written and deleted. */
async function published() {
  const clock = {
    aheadMs: 0,
    get now() {
      return Date.now() + this.aheadMs;
    },
  };
  const written: string[] = [];
  const deleted: string[] = [];
  const { objects } = harness().platform;
  const rig = harness({
    now: () => clock.now,
    objects: {
      ...objects,
      async putOnce(key, text) {
        written.push(key);
        return objects.putOnce(key, text);
      },
      async remove(keys) {
        deleted.push(...keys);
        await objects.remove(keys);
      },
    },
  });
  const { platform } = rig;
  const dataset = await relayDataset(platform, 4);
  const finish = async () => {
    const run = await submitRun(platform, dataset, { options: { sample: { n: 2 } } });
    await rig.deliverAll();
    return run;
  };
  const run = await finish();
  await publish(platform);
  written.length = 0;
  const api = serve(platform);
  const root = async () => (await (await api.get("/v1/snapshot")).json()) as SnapshotRoot;
  /** The path of the run according to the newest root. */
  const pathOf = async (id: string) => {
    for (const { hash } of (await root()).runs) {
      const read = await (await api.get(`/v1/snapshot/pages/${hash}`)).json();
      const { items } = read as Extract<SnapshotPage, { kind: "runs" }>;
      const found = items.find((item) => item.id === id);
      if (found) return `/v1/snapshot/runs/${id}/${found.hash}`;
    }
    return null;
  };
  return { ...rig, platform, api, run, root, pathOf, finish, written, deleted, clock };
}

const isListed = async (platform: Platform, run: string) =>
  (await latestSnapshot(platform)).runs.some(({ id }) => id === run);

describe("publish()", () => {
  it("writes the changed run and its page, and keeps replaced objects for two hours", async () => {
    const { platform, api, run, root, pathOf, finish, written, clock } = await published();
    const [before, path] = [await root(), await pathOf(run)];
    const other = await finish();
    await publish(platform);
    expect(written.map((key) => key.replaceAll(/[0-9a-f]{64}/g, "#")).sort()).toEqual([
      `runs/${other}/published/#.json`,
      `runs/${other}/sums-0/statement.json`,
      "snapshot/pages/#.json",
    ]);
    expect(await isListed(platform, run)).toBe(true);
    expect(await isListed(platform, other)).toBe(true);
    const kept = new Set((await root()).runs.map(({ hash }) => hash));
    const old = before.runs.flatMap(({ hash }) =>
      kept.has(hash) ? [] : [`/v1/snapshot/pages/${hash}`],
    );
    for (const one of [...old, path ?? ""]) expect((await api.get(one)).status, one).toBe(200);
    expect((await api.get(`/v1/snapshots/${before.hash}`)).status).toBe(410);
    clock.aheadMs += GRACE_MS + 1;
    await deleteRetired(platform);
    for (const one of old) expect((await api.get(one)).status, one).toBe(410);
    expect(await isListed(platform, run)).toBe(true);
  });

  it("writes nothing if no listed item has changed", async () => {
    const { platform, run, root, written } = await published();
    const { hash } = await root();
    await platform.publications.markChanged();
    await publish(platform);
    expect([(await root()).hash, written]).toEqual([hash, []]);
    expect(await isListed(platform, run)).toBe(true);
  });

  it("publishes many changes in several passes, and has no root before the first publication is done", async () => {
    const { platform, mail } = harness();
    await env.DB.prepare(
      "UPDATE publications SET hash = NULL, root = NULL, changes = changes + 1",
    ).run();
    const ids = Array.from({ length: 1_200 }, (_, i) => `["relay","none-${i}","v"]`);
    const values = JSON.stringify(ids);
    const counted =
      "INSERT INTO snapshot_changes (kind, id) SELECT 'datasets', value FROM json_each(?)";
    await env.DB.prepare(counted).bind(values).run();
    const api = serve(platform);
    for (const left of [3, 2, 1]) {
      expect(await publish(platform), `${left} passes to go`).toBe(true);
      const early = await api.get("/v1/snapshot");
      expect([early.status, early.headers.get("retry-after")]).toEqual([409, "10"]);
      expect((await problemOf(early)).detail).toContain("is being written");
      expect(mail.finish.splice(0)).toMatchObject([{ kind: "board", board: null }]);
    }
    await publish(platform);
    expect(mail.finish).toEqual([]);
    expect((await api.get("/v1/snapshot")).status).toBe(200);
    const { changes, published: done } = await platform.publications.state();
    expect(done).toBe(changes);
  });

  it("keeps the former snapshot if it dies before the commit, and reuses its objects afterwards", async () => {
    const { platform, run, finish, written } = await published();
    const commit = () => Promise.reject(new Error("the Worker is gone"));
    const dying = { ...platform, publications: { ...platform.publications, commit } };
    const other = await finish();
    await env.DB.prepare("UPDATE runs SET notes = '[\"late\"]' WHERE id = ?").bind(other).run();
    await env.DB.prepare("INSERT INTO snapshot_changes (kind, id) VALUES ('runs', ?)")
      .bind(other)
      .run();
    await platform.publications.markChanged();
    await expect(publish(dying)).rejects.toThrow("the Worker is gone");
    expect(await isListed(platform, run)).toBe(true);
    const first = written.splice(0).filter((key) => key.startsWith("runs/"));
    await publish(platform);
    expect(written.filter((key) => !first.includes(key) && key.startsWith("runs/"))).toEqual([]);
    expect(await isListed(platform, other)).toBe(true);
  });

  it("commits one of two concurrent publications; the other starts again, and nothing is lost", async () => {
    const { platform, finish } = await published();
    await env.DB.prepare("UPDATE publications SET changes = changes + 1").run();
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reach = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const pages: Platform["publications"]["changed"] = async (limit) => {
      const changed = await platform.publications.changed(limit);
      reach();
      await gate;
      return changed;
    };
    const slow = { ...platform, publications: { ...platform.publications, changed: pages } };
    const publishing = publish(slow);
    await reached;
    const run = await finish();
    await publish(platform);
    expect(await isListed(platform, run)).toBe(true);
    go();
    expect(await publishing).toBe(false);
    expect(await isListed(platform, run)).toBe(true);
    expect(await publish(platform)).toBe(true);
  });

  it("refers to no object that is being deleted or was deleted meanwhile", async () => {
    const { platform, api, run, pathOf, clock } = await published();
    const path = (await pathOf(run)) ?? "";
    await platform.runs.hide(run, "spam", clock.now);
    // The objects of the withdrawn run are due for deletion, but not deleted yet.
    const stays = { ...platform.publications, retired: async () => [] };
    await publish({ ...platform, publications: stays });
    await platform.runs.hide(run, null, clock.now);
    expect(await publish(platform)).toBe(false);
    const begun = await platform.publications.state();
    await deleteRetired(platform);
    const nothing = {
      changes: [],
      listed: [],
      unlisted: [],
      named: [],
      retired: [],
      withdrawn: [],
    };
    const late = { ...nothing, root: null, published: 0, deleteAt: 0 };
    const former = { former: begun.writer, now: clock.now };
    expect(await platform.publications.commit(late, "late", former)).toBe(false);
    expect(await publish(platform)).toBe(true);
    expect(await pathOf(run)).toBe(path);
    expect((await api.get(path)).status).toBe(200);
  });
});

describe("a withdrawn run", () => {
  it.each(["hide", "remove"] as const)(
    "is unreadable by its hash at once, and its object is deleted with the next publication: %s",
    async (how) => {
      const { platform, api, run, pathOf, deleted, clock } = await published();
      const path = (await pathOf(run)) ?? "";
      expect((await api.get(path)).status).toBe(200);
      if (how === "hide") await platform.runs.hide(run, "spam", clock.now);
      else await platform.runs.remove(run, clock.now);
      const gone = await api.get(path);
      expect([gone.status, (await problemOf(gone)).detail]).toMatchObject([
        410,
        expect.stringContaining("a run was withdrawn"),
      ]);
      await publish(platform);
      expect(await pathOf(run)).toBeNull();
      expect(deleted.filter((key) => key.startsWith(`runs/${run}/published/`))).toHaveLength(1);
      if (how === "remove") return;
      await platform.runs.hide(run, null, clock.now);
      await publish(platform);
      expect((await api.get((await pathOf(run)) ?? "")).status).toBe(200);
    },
  );

  it("is removed with the objects of its board that list it, even during a build", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 3);
    const run = await submitRun(platform, dataset);
    await deliverAll();
    await submitRun(platform, dataset);
    await deliverAll();
    const board = (await platform.boards.find("relay", dataset, null))?.id ?? "";
    const listing = async () => {
      const keys = await platform.objects.keys(`boards/${board}/`);
      const texts = await Promise.all(keys.map((key) => platform.objects.getText(key)));
      return texts.filter((text) => text?.includes(run)).length;
    };
    expect(await listing()).toBe(2);
    await serve(platform).delete(`/v1/runs/${run}`);
    await deliverAll();
    expect(await listing()).toBe(0);
    expect(
      (await latestSnapshot(platform)).boards.find(({ id }) => id === board)?.entries,
    ).toHaveLength(1);
  });
});

it("a run on no board is published even if the Worker died at its end", async () => {
  const { platform } = harness();
  const dies = () => Promise.reject(new Error("the Worker is gone"));
  const dying = harness({ publications: { ...platform.publications, markChanged: dies } });
  const options = { sample: { n: 2 } };
  const run = await submitRun(dying.platform, await relayDataset(platform, 4), { options });
  await dying.deliverAll();
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", boardId: null });
  await runCron(platform);
  expect(await isListed(platform, run)).toBe(true);
});

it("an unlisted run is in no snapshot, and has no object", async () => {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 3);
  const run = await submitRun(platform, dataset, { visibility: "unlisted" });
  await deliverAll();
  await publish(platform);
  expect(await isListed(platform, run)).toBe(false);
  expect(await platform.objects.keys(`runs/${run}/published/`)).toEqual([]);
});

it("roots are named by the hash of their content, objects by that of their bytes; caches keep them for five minutes", async () => {
  const { api, root, pathOf, run } = await published();
  const { hash, createdAt: _, ...content } = snapshotRootSchema.parse(await root());
  expect(contentHash(content)).toBe(hash);
  for (const path of ["/v1/snapshot", `/v1/snapshots/${hash}`]) {
    expect((await api.get(path)).headers.get("etag")).toBe(`"${hash}"`);
    const held = { "if-none-match": `"other", W/"${hash}"` };
    const unchanged = await api.get(path, held);
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, `"${hash}"`]);
  }
  const path = (await pathOf(run)) ?? "";
  const object = await api.get(path);
  expect(textHash(await object.text())).toBe(path.split("/").at(-1));
  // Caches must not keep withdrawn objects for longer.
  expect(object.headers.get("cache-control")).toContain("max-age=240");
  expect((await api.get("/v1/snapshots/newest")).status).toBe(422);
  expect((await api.get(`/v1/snapshot/pages/${"0".repeat(64)}`)).status).toBe(410);
});

it("all runs are published again after a release that changes their format", async () => {
  const { platform, root, run, written } = await published();
  await env.DB.prepare("UPDATE publications SET format = 'of an older release'").run();
  await env.DB.prepare("UPDATE runs SET notes = '[\"another shape\"]' WHERE id = ?")
    .bind(run)
    .run();
  const { hash } = await root();
  await publish(platform);
  expect((await root()).hash).not.toBe(hash);
  expect(written.some((key) => key.startsWith(`runs/${run}/published/`))).toBe(true);
});
