import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { DatasetVisibilityChange } from "../../../shared/contracts/datasets/dataset.ts";
import { everyReply, type NamedIds } from "../../support/every-route.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import { allObjects } from "../support/everything-kept.ts";
import { anAccount, harness } from "../support/harness.ts";
import { ownDataset } from "../support/private-world.ts";

const accounts = {
  acme: anAccount("acme"),
  other: anAccount("other"),
  root: anAccount("root", { scopes: ["admin", "submit"] }),
};
const as = (who: string) => ({ authorization: `Bearer ${who}` });
const { DB } = env as unknown as { DB: D1Database };

/** Part of every name and text of the dataset, and of nothing else. */
const canary = "goldammer";

/** A dataset of acme with a public and an unlisted run of acme and, if it is public, a run of another account. */
async function aDataset(visibility: "public" | "private" = "public") {
  const rig = harness();
  const { settings } = rig.platform;
  const platform: Platform = { ...rig.platform, settings: { ...settings, requireApiKey: true } };
  const dataset = `acme/${canary}-${crypto.randomUUID().slice(0, 8)}`;
  const version = await ownDataset(platform, dataset, visibility, [canary, canary, canary]);
  const api = serve(platform, accounts);
  const runOf = async (owner: string, seen: string) => {
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "M", slug: `${owner}/${canary}`, endpoint }];
    const body = { suite: "relay", dataset, visibility: seen, models };
    const reply = await api.post("/v1/submissions", body, as(owner));
    expect([owner, reply.status]).toEqual([owner, 202]);
    return ((await reply.json()) as { runs: { id: string }[] }).runs[0]!.id;
  };
  const runs = {
    own: await runOf("acme", "public"),
    unlisted: await runOf("acme", "unlisted"),
    ...(visibility === "public" && { foreign: await runOf("other", "public") }),
  };
  await rig.deliverAll();
  await publish(platform);
  const { boardId, submissionId: submission } = (await platform.runs.get(runs.own))!;
  const ids: NamedIds = {
    run: runs.own,
    submission,
    dataset,
    slug: `acme/${canary}`,
    board: boardId ?? "",
    parity: `acme/none`,
  };
  const change = async (to: string, query = "", who = "acme") => {
    const reply = await api.patch(
      `/v1/datasets/relay/${dataset}${query}`,
      { visibility: to },
      as(who),
    );
    return { status: reply.status, change: (await reply.json()) as DatasetVisibilityChange };
  };
  const settled = async () => {
    await rig.deliverAll();
    await publish(platform);
  };
  return { platform, api, dataset, runs, ids, change, settled, runOf, version };
}

const never = (): NamedIds => ({
  run: `run_${crypto.randomUUID().replaceAll("-", "")}`,
  submission: `sub_${crypto.randomUUID().replaceAll("-", "")}`,
  dataset: `acme/${canary}-${crypto.randomUUID().slice(0, 8)}`,
  slug: `acme/${crypto.randomUUID().slice(0, 8)}`,
  board: crypto.randomUUID().replaceAll("-", "").slice(0, 16),
  parity: "acme/none",
});

it("a public dataset becomes private with all runs on it, and is visible nowhere", {
  timeout: 120_000,
}, async () => {
  const { platform, api, dataset, runs, ids, change, settled, version } = await aDataset();
  const { foreign = "" } = runs;
  const read = (path: string, who?: string) => api.get(path, who ? as(who) : {});
  const rows = `/v1/dataset.jsonl?suite=relay&dataset=${dataset}`;
  expect((await read(rows)).status).toBe(200);
  expect(JSON.stringify(await latestSnapshot(platform))).toContain(dataset);

  const model = { name: "M", endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" } };
  for (const named of [dataset, `${dataset}@${version.slice(0, 8)}`]) {
    const wanted = { suite: "relay", dataset: named, visibility: "public", everyHours: 24, model };
    expect((await api.post("/v1/schedules", wanted, as("acme"))).status).toBe(201);
  }

  const planned = await change("private", "?dryRun=true", "root");
  expect(planned.change).toMatchObject({ from: ["public"], to: "private", shows: [] });
  expect(planned.change.hides.join("\n")).toMatch(/become private: 3\. Of these, 1 belong/);
  expect((await read(rows)).status).toBe(200);
  expect((await change("private", "", "other")).status).toBe(403);
  expect((await change("secret")).status).toBe(422);
  expect((await change("private", "?dryRun=1")).status).toBe(422);

  expect((await change("private", "", "root")).status).toBe(200);
  // The change applies before any message is delivered.
  for (const path of [
    rows,
    `/v1/runs/${runs.own}`,
    `/v1/runs/${foreign}`,
    `/v1/boards/${ids.board}`,
    `/v1/datasets/relay/${dataset}`,
    `/v1/leaderboard?suite=relay&dataset=${dataset}`,
    `/v1/leaderboard.csv?suite=relay&dataset=${dataset}`,
  ]) {
    expect([path, (await read(path)).status]).toEqual([path, 404]);
  }
  await settled();
  for (const who of [{}, as("other")]) {
    for (const methods of [["get"], ["patch", "delete"]]) {
      const [found, missing] = [
        await everyReply(api, ids, who, methods),
        await everyReply(api, never(), who, methods),
      ];
      for (const [operation, reply] of found) {
        // Another account still has its own run of the dataset.
        const visible = JSON.stringify(who) === "{}" ? reply : reply.replaceAll(foreign, "");
        expect.soft(visible, operation).toBe(missing.get(operation));
      }
    }
  }
  expect(JSON.stringify(await latestSnapshot(platform))).not.toContain(canary);
  const published = (await allObjects()).split("\n").filter((line) => line.includes("published/"));
  for (const run of Object.values(runs)) {
    expect(published.filter((line) => line.includes(run))).toEqual([]);
  }
  // Attempts that were public still count, as for deleted runs.
  const attempts = await platform.boards.attempts(ids.board);
  const counted = { total: 2, finished: 0, unlisted: 0, deleted: 2 };
  expect(attempts.get(ids.slug)).toMatchObject(counted);

  expect((await read(rows, "acme")).status).toBe(200);
  expect((await read(`/v1/runs/${runs.own}/samples`, "acme")).status).toBe(200);
  expect(await (await read(`/v1/runs/${foreign}`, "other")).json()).toMatchObject({
    visibility: "private",
    notes: expect.arrayContaining(["its dataset was made private"]),
  });
  expect((await read(`/v1/runs/${foreign}/samples`, "other")).status).toBe(403);
  for (const visibility of ["public", "unlisted"]) {
    const shown = await api.patch(`/v1/runs/${foreign}`, { visibility }, as("other"));
    expect([visibility, shown.status]).toEqual([visibility, 409]);
  }
  const { schedules } = (await (await read("/v1/schedules", "acme")).json()) as {
    schedules: { dataset: string; visibility: string }[];
  };
  const seen = schedules.filter((one) => one.dataset.startsWith(dataset));
  expect(seen.map(({ visibility }) => visibility)).toEqual(["private", "private"]);
  const log = await (await api.get("/v1/operator/audit?limit=5", as("root"))).text();
  expect(log).toMatch(/dataset\.visibility/);
});

it("an owner can't remove results of other accounts from boards", async () => {
  const { platform, api, dataset, runs, change, runOf } = await aDataset();
  for (const to of ["private", "unlisted"]) {
    for (const query of ["", "?dryRun=true"]) {
      const { status, change: refused } = await change(to, query);
      expect([status, JSON.stringify(refused)]).toEqual([
        409,
        expect.stringMatching(/1 run of 1 other account on it.*Ask the operator/),
      ]);
    }
  }
  const remove = () => api.delete(`/v1/datasets/relay/${dataset}`, as("acme"));
  expect((await remove()).status).toBe(409);
  expect(await api.run(runs.foreign ?? "")).toMatchObject({ visibility: "public" });
  const setStatus = "UPDATE runs SET status = ?1, retries = ?2 WHERE id = ?3";
  await env.DB.prepare(setStatus).bind("running", '["again"]', runs.foreign).run();
  expect((await change("private", "?dryRun=true")).status).toBe(409);
  await env.DB.prepare(setStatus).bind("finished", "[]", runs.foreign).run();
  // Hidden, active and cancelled runs are on no board, so they do not count.
  const active = await runOf("other", "public");
  await platform.runs.hide(runs.foreign ?? "", "spam", 0);
  expect((await change("private", "?dryRun=true")).status).toBe(200);
  expect((await api.post(`/v1/runs/${active}/cancel`, {}, as("other"))).status).toBe(200);
  expect((await remove()).status).toBe(200);
});

it("a private dataset becomes public in one step with a preview", async () => {
  const { platform, api, dataset, runs, ids, change, settled } = await aDataset("private");
  const boardObjects = (id: string) => platform.objects.keys(`boards/${id}/`);
  const samples = `/v1/runs/${runs.own}/samples`;
  expect((await api.get(samples)).status).toBe(403);
  const { change: planned } = await change("public", "?dryRun=true");
  expect(planned).toMatchObject({ from: ["private"], to: "public", hides: [] });
  expect(planned.shows.join("\n")).toMatch(
    /everybody: all 3 samples[\s\S]*that others can read: 2/,
  );
  expect((await change("public")).change).toEqual(planned);
  expect((await change("public")).change).toMatchObject({ versions: [], shows: [] });
  const published = await boardObjects(ids.board);
  await settled();
  // A build in progress can still read published objects, but not withdrawn ones.
  expect(await boardObjects(ids.board)).toEqual(expect.arrayContaining(published));
  expect((await api.get(samples)).status).toBe(200);
  const { datasets, boards } = await latestSnapshot(platform);
  expect(datasets.find(({ name }) => name === dataset)).toMatchObject({ visibility: "public" });
  const board = boards.find((one) => one.dataset.name === dataset);
  expect([board?.entries.length, board?.hiddenSamples]).toEqual([1, undefined]);
  const shown = await boardObjects(ids.board);
  expect(shown.length).toBeGreaterThan(published.length);
  await change("unlisted");
  await settled();
  expect((await boardObjects(ids.board)).filter((key) => shown.includes(key))).toEqual([]);
});

it("an unlisted dataset is found only by its whole version, and its runs are in no list", async () => {
  const { platform, api, dataset, runs, ids, change, settled, version } = await aDataset();
  expect((await change("unlisted", "", "root")).change.hides.join()).toMatch(/become unlisted: 2/);
  await settled();
  expect((await api.get(`/v1/datasets/relay/${dataset}`)).status).toBe(404);
  expect((await api.get(`/v1/datasets/relay/${dataset}@${version}`)).status).toBe(200);
  expect((await api.get(`/v1/leaderboard?suite=relay&dataset=${dataset}`)).status).toBe(404);
  expect((await api.get(`/v1/boards/${ids.board}`)).status).toBe(404);
  expect(await api.run(runs.own)).toMatchObject({ visibility: "unlisted" });
  expect(JSON.stringify(await latestSnapshot(platform))).not.toContain(dataset);
  // Attempts still count.
  expect((await platform.boards.attempts(ids.board)).size).toBe(2);
});

it("a run that is stored while its dataset becomes private is private, too, and shows no samples", async () => {
  const { platform, api, runs, change } = await aDataset();
  const before = (await platform.runs.get(runs.own))!;
  await change("private", "", "root");
  const [id, submissionId] = [crypto.randomUUID(), crypto.randomUUID()];
  const late = { ...before, id, submissionId, samplesOwner: null, visibility: "public" as const };
  const { owner, suite, datasetName, datasetVersion, createdAt } = before;
  const submission = { id: submissionId, owner, suite, datasetName, datasetVersion, createdAt };
  await platform.runs.insert(submission, [late], null);
  expect((await api.get(`/v1/runs/${id}`)).status).toBe(404);
  expect(await platform.runs.get(id)).toMatchObject({ samplesOwner: "acme", boardId: null });
});

it("a dataset of the service's canaries keeps its visibility", async () => {
  const { runs, change } = await aDataset();
  await DB.prepare("UPDATE runs SET canary = 'x' WHERE id = ?1").bind(runs.own).run();
  expect((await change("private")).status).toBe(409);
});
