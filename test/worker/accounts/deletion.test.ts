import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sendDeletions } from "../../../api/accounts/delete-account.ts";
import { compareInQueue } from "../../../api/comparisons/compare.ts";
import { boardMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { deleteRetired, publish } from "../../../api/publication/publish.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { problemOf, serve } from "../support/client.ts";
import { allObjects, allRows } from "../support/everything-kept.ts";
import { anAccount, harness } from "../support/harness.ts";
import {
  everyTable,
  fillTables,
  OWN_TEXT,
  ownDataset,
  ownRun,
  tablesNaming,
} from "../support/owned-things.ts";

const MINUTE_MS = 60_000;

/** Tables without data of an account. */
const WITHOUT = {
  judge_models: "models of the deployment",
  database_sizes: "sizes",
  sample_turns: "times",
  alerts: "conditions of the service",
  dataset_leftovers: "hashes",
  publications: "hashes",
  snapshot_changes: "changes until they are published",
  retired_objects: "keys of objects, until builds in progress have ended",
  samples_1: "the table of samples that is not being filled",
  leases: "of active runs, a test of their own",
};

/** A service with two accounts that use each other's data. */
async function twoAccounts(overrides: (platform: Platform) => Partial<Platform> = () => ({})) {
  const clock = { now: Date.parse("2026-11-30T12:00:00Z") };
  const rig = harness({ now: () => clock.now });
  Object.assign(rig.platform, overrides(rig.platform));
  const { platform, deliverAll } = rig;
  const owner = `zebediah-${crypto.randomUUID().slice(0, 8)}`;
  const api = serve(platform, {
    own: anAccount(owner, { person: owner }),
    bob: anAccount("bob", { person: "bob" }),
    operator: anAccount("operator", { scopes: ["admin"] }),
  });
  const [data, closed, bobsData] = [
    await ownDataset(platform, owner, "ocelot"),
    await ownDataset(platform, owner, OWN_TEXT),
    await ownDataset(platform, "bob", "word"),
  ];
  const [first, second] = [
    await ownRun(platform, owner, closed),
    await ownRun(platform, owner, bobsData),
  ];
  const runs = [first, second, await ownRun(platform, owner, data)];
  await deliverAll();
  const bobs = await ownRun(platform, "bob", data);
  const bobsClosed = await ownRun(platform, "bob", closed);
  await deliverAll();
  await env.DB.prepare("UPDATE datasets SET visibility = 'private' WHERE name = ?1")
    .bind(closed)
    .run();
  const plan = { plannedTest: { metric: "passed", margin: 0.1, against: runs[1] } };
  const planned = await ownRun(platform, "bob", bobsData, { options: plan });
  await deliverAll();
  await compareInQueue(platform, [runs[1] ?? "", planned]);
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const parity = { name: "bob/hosts", reference: { run: planned, label: "B" }, margin: 0.1 };
  await api.post("/v1/parities", { ...parity, name: `bob/${owner.slice(9)}` }, as("bob"));
  await fillTables(platform, owner, runs[0] ?? "", "bob");
  await publish(platform);
  const erase = (query = `?confirm=${owner}`) =>
    api.delete(`/v1/operator/accounts/${owner}${query}`, as("operator"));
  /** Runs cron jobs and messages until a deletion has ended and retired objects have expired. */
  async function settle() {
    for (const minutes of [0, 1, 1, 15, 1, 60, 60, 60]) {
      clock.now += minutes * MINUTE_MS;
      await sendDeletions(platform);
      for (const board of await platform.boards.outdated()) {
        await platform.queues.finish(boardMessage(board));
      }
      await deliverAll();
      await cleanUp(platform);
      await publish(platform);
      await deleteRetired(platform);
    }
  }
  const texts = [owner, ...runs, OWN_TEXT];
  return {
    ...rig,
    clock,
    owner,
    api,
    as,
    data,
    bobsData,
    runs,
    bobs,
    bobsClosed,
    planned,
    erase,
    settle,
    texts,
  };
}

/** Occurrences of the texts in the database and in objects, with context. */
async function traces(texts: readonly string[]): Promise<string[]> {
  const all = `${await allRows()}\n${await allObjects()}`.toLowerCase();
  return texts.flatMap((text) => {
    const at = all.indexOf(text.toLowerCase());
    return at < 0 ? [] : [all.slice(Math.max(0, at - 200), at + 100)];
  });
}

describe("DELETE /v1/account", () => {
  it("leaves no trace in any table or object except the fact of the deletion", async () => {
    const { platform, owner, texts, erase, settle, api, as } = await twoAccounts();
    const before = await tablesNaming(texts);
    expect([...everyTable.keys()].filter((name) => !before.includes(name)).toSorted()).toEqual(
      [...Object.keys(WITHOUT), "deletions"].toSorted(),
    );
    const erased = await erase();
    expect(erased.status).toBe(202);
    expect(await erased.json()).toMatchObject({
      owner,
      removes: { runs: 3, datasets: 2, runsOfOthers: 2 },
    });
    const key = { owner, name: "k", scopes: ["submit"] };
    const taken = await problemOf(await api.post("/v1/keys", key, as("operator")));
    expect(JSON.stringify(taken)).toContain("was deleted");
    await settle();
    expect(await traces(texts)).toEqual([]);
    const { results } = await env.DB.prepare("SELECT * FROM deletions WHERE finished_at > 0").all();
    expect(results.length).toBeGreaterThan(0);
    expect(await platform.accounts.byOwner(owner)).toBeNull();
    expect((await api.post("/v1/keys", key, as("operator"))).ok).toBe(false);
    const list = await api.get("/v1/operator/deletions", as("operator"));
    expect([list.status, (await list.text()).includes(owner)]).toEqual([200, false]);
  });

  it("keeps data of other accounts, without the deleted name", async () => {
    const { platform, api, as, runs, bobs, bobsClosed, planned, erase, settle, data, bobsData } =
      await twoAccounts();
    const figures = async (id: string) => (await api.run(id)).metrics;
    const all = async () => [
      await figures(bobs),
      await figures(bobsClosed),
      await figures(planned),
    ];
    const before = await all();
    await erase();
    await settle();
    expect(await all()).toEqual(before);
    for (const [run, samples] of [
      [bobs, 200],
      [bobsClosed, 403],
    ] as const) {
      const { dataset } = await api.run(run);
      expect(dataset.name).toMatch(/^deleted\/[0-9a-f]{12}$/);
      expect((await api.get(`/v1/runs/${run}/report`)).status).toBe(200);
      expect((await api.get(`/v1/runs/${run}/samples/s0`, as("bob"))).status).toBe(samples);
    }
    const again = await api.post(`/v1/runs/${bobsClosed}/rescore`, { options: {} }, as("bob"));
    expect(again.status).toBe(409);
    // The public dataset that others use keeps its rows, and a board with their run.
    const { name } = (await api.run(bobs)).dataset;
    const rows = await api.get(`/v1/dataset.jsonl?suite=relay&dataset=${name}`);
    expect([rows.status, await rows.text()]).toEqual([200, expect.stringContaining("ocelot")]);
    expect(await platform.objects.keys(`runs/${bobs}/answers/`)).not.toEqual([]);
    const kept = await api.get(`/v1/leaderboard?suite=relay&dataset=${name}`);
    const ranked = (await kept.json()) as { entries: { run: string }[] };
    expect(ranked.entries.map(({ run }) => run)).toEqual([bobs]);
    const { plannedResult } = await api.run(planned);
    expect(plannedResult?.note).toMatch(
      /^not possible: run run_deleted[0-9a-f]{12} was withdrawn$/,
    );
    expect((await api.get(`/v1/runs/${runs[0]}`)).status).toBe(404);
    expect((await api.get(`/v1/leaderboard?suite=relay&dataset=${data}`)).status).toBe(404);
    const board = await api.get(`/v1/leaderboard?suite=relay&dataset=${bobsData}`);
    const { entries } = (await board.json()) as { entries: { run: string }[] };
    expect(entries.map(({ run }) => run)).toEqual([planned]);
  });

  it("requires the name and the right to delete, and only plans with dryRun", async () => {
    const { api, as, owner, erase, runs } = await twoAccounts();
    expect((await problemOf(await erase("?confirm=bob"))).detail).toContain(`confirm=${owner}`);
    expect((await erase("")).status).toBe(422);
    expect((await erase(`?confirm=${owner}&dryRun=true`)).status).toBe(200);
    expect((await api.get(`/v1/runs/${runs[0]}`)).status).toBe(200);
    const mine = await api.delete(`/v1/operator/accounts/${owner}?confirm=${owner}`, as("bob"));
    expect(mine.status).toBe(403);
    const byKey = (query: string) => api.delete(`/v1/account?confirm=${owner}${query}`, as("own"));
    expect((await byKey("&dryRun=true")).status).toBe(200);
    const refused = await byKey("");
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      403,
      expect.stringMatching(
        /^a key of .* can't delete it: .*\/account\/, sign in, and do it there$/,
      ),
    ]);
    expect((await erase()).status).toBe(202);
  });

  it.each([1, 4, 9])("completes after a crash at write %i", async (write) => {
    let left = Number.POSITIVE_INFINITY;
    const crashing = <Port extends object>(port: Port, names: readonly (keyof Port)[]): Port => {
      const made = Object.fromEntries(
        names.map((name) => [
          name,
          async (...args: unknown[]) => {
            const done = await (port[name] as (...args: unknown[]) => unknown)(...args);
            if (--left === 0) throw new Error("crashed");
            return done;
          },
        ]),
      );
      return { ...port, ...made };
    };
    const rig = await twoAccounts((platform) => ({
      objects: crashing(platform.objects, ["remove"]),
      cleanup: crashing(platform.cleanup, ["dropLeases", "dropSamples", "dropRun"]),
      deletions: crashing(platform.deletions, [
        "withdraw",
        "renameDatasetOf",
        "renameDataset",
        "dropNames",
      ]),
    }));
    const erase = (name: string) =>
      rig.api.delete(`/v1/operator/accounts/${name}?confirm=${name}`, rig.as("operator"));
    expect((await erase("assay")).status).toBe(409);
    expect((await erase(rig.owner)).status).toBe(202);
    left = write;
    await rig.settle().catch(() => {});
    await rig.settle();
    expect(left).toBeLessThanOrEqual(0);
    expect(await traces(rig.texts)).toEqual([]);
  });
});

it("objects that late messages write for removed runs are deleted, too", async () => {
  const { erase, platform, runs, clock, deliverAll, settle } = await twoAccounts();
  await erase();
  await deliverAll();
  const late = [
    `runs/${runs[0]}/sums-0/x.json`,
    `runs/${runs[0]}/notes/compared/y.json`,
    "compared/y.json",
  ];
  for (const key of late) await platform.objects.put(key, { run: runs[0] });
  clock.now += MINUTE_MS;
  await settle();
  for (const key of late) expect(await platform.objects.get(key)).toBeNull();
  expect(await platform.objects.keys("deletions/")).toEqual([]);
});
