import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { badgeOf } from "../../../api/badges/badge.ts";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import { anAccount, deliver, harness, relayDataset, submitRun } from "../support/harness.ts";

const accounts = {
  owner: anAccount("acme"),
  stranger: anAccount("other"),
  admin: anAccount("operator", { scopes: ["admin"] }),
};
type Who = keyof typeof accounts;
const as = (who: Who | null) => (who === null ? {} : { authorization: `Bearer ${who}` });

/** Two finished runs on one board, `run` above `other`, and an API that requires keys. */
async function onBoard() {
  const rig = harness();
  const settings = { ...rig.platform.settings, requireApiKey: true };
  const platform: Platform = { ...rig.platform, settings };
  const dataset = await relayDataset(platform, 20);
  const other = await submitRun(platform, dataset);
  const run = await submitRun(platform, dataset);
  await rig.deliverAll();
  const stored = await platform.runs.get(run);
  const api = serve(platform, accounts);
  const submission = stored?.submissionId ?? "";
  return { ...rig, platform, dataset, run, other, api, submission, slug: stored?.modelSlug ?? "" };
}

/** A queued run, and an API that requires keys. */
async function queued() {
  const { platform } = harness();
  const run = await submitRun(platform, await relayDataset(platform, 2));
  const settings = { ...platform.settings, requireApiKey: true };
  return { run, api: serve({ ...platform, settings }, accounts) };
}

/** The paths at which the run can be read. */
const pathsOf = ({ run, submission }: { run: string; submission: string }) => [
  `/v1/runs/${run}`,
  `/v1/runs/${run}/report`,
  `/v1/runs/${run}/highlights`,
  `/v1/runs/${run}/samples`,
  `/v1/runs/${run}/samples/s0`,
  `/v1/runs/${run}/samples/s0/report`,
  `/v1/submissions/${submission}`,
];

const published = async (platform: Platform, dataset: string) => {
  const board = await platform.boards.find("relay", dataset, null);
  const snapshot = JSON.stringify(await latestSnapshot(platform));
  return { board: board?.entries.map(({ run }) => run) ?? [], snapshot };
};

/** Number of rows of a run in each table. */
const leftOf = async (run: string) => {
  const counts = ["samples", "leases"].map((table) =>
    env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE run_id = ?`).bind(run).first("n"),
  );
  const row = env.DB.prepare("SELECT count(*) AS n FROM runs WHERE id = ?").bind(run).first("n");
  return Promise.all([...counts, row]);
};

describe("DELETE /v1/runs/{id}", () => {
  it("makes the run unreadable at once and removes it from board, snapshot and badge", async () => {
    const rig = await onBoard();
    const { platform, api, run, other, slug, dataset } = rig;
    const deleted = await api.delete(`/v1/runs/${run}`, as("owner"));
    expect(deleted.status).toBe(204);
    expect(await deleted.text()).toBe("");
    for (const path of pathsOf(rig)) {
      for (const who of ["owner", "admin", null] as const) {
        expect((await api.get(path, as(who))).status, `${path} for ${who}`).toBe(404);
      }
    }
    await rig.deliverAll();
    const after = await published(platform, dataset);
    expect(after.board).toEqual([other]);
    expect(after.snapshot).not.toContain(run);
    expect(await badgeOf(platform, slug)).toMatchObject({ message: "not evaluated" });
    expect((await api.delete(`/v1/runs/${run}`, as("owner"))).status).toBe(404);
  });

  it("is applied to board and snapshot by the cron job if its message was lost", async () => {
    const { platform, api, run, other, dataset, mail, deliverAll } = await onBoard();
    await api.delete(`/v1/runs/${run}`, as("owner"));
    mail.finish.length = 0;
    expect(await platform.boards.outdated()).toHaveLength(1);
    await runCron({ ...platform, cleanup: { ...platform.cleanup, deletedRuns: async () => [] } });
    await deliverAll();
    const after = await published(platform, dataset);
    expect(after.board).toEqual([other]);
    expect(after.snapshot).not.toContain(run);
    expect(await platform.boards.outdated()).toEqual([]);
  });

  it("removes a run on no board from the snapshot", async () => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 4), {
      options: { sample: { n: 2 } },
    });
    await deliverAll();
    const snapshot = async () => JSON.stringify(await latestSnapshot(platform));
    expect(await snapshot()).toContain(run);
    await serve(platform, accounts).delete(`/v1/runs/${run}`, as("owner"));
    await deliverAll();
    expect(await snapshot()).not.toContain(run);
  });

  it("leaves the submission's other runs readable", async () => {
    const { platform, deliverAll } = harness();
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = ["acme/one", "acme/two"].map((slug) => ({ name: "M", slug, endpoint }));
    const run = await submitRun(platform, await relayDataset(platform, 2), { models });
    await deliverAll();
    const api = serve(platform, accounts);
    const path = `/v1/submissions/${(await platform.runs.get(run))?.submissionId}`;
    await api.delete(`/v1/runs/${run}`, as("owner"));
    const left = (await (await api.get(path)).json()) as { runs: { id: string }[] };
    expect(left.runs).toHaveLength(1);
    expect(left.runs[0]?.id).not.toBe(run);
    await cleanUp(platform);
    expect((await api.get(path)).status).toBe(200);
  });

  it("cancels an active run, whose lanes write nothing afterwards", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 30));
    const api = serve(platform, accounts);
    await deliver(platform, "evaluate", mail.evaluate.shift());
    expect((await api.delete(`/v1/runs/${run}`, as("owner"))).status).toBe(204);
    expect(await platform.runs.get(run)).toMatchObject({
      status: "cancelled",
      sealedSecrets: null,
    });
    await deliverAll();
    await cleanUp(platform);
    expect(await leftOf(run)).toEqual([0, 0, 0]);
  });

  it("removes the run only after the leases of its lanes have expired", async () => {
    let clock = Date.now();
    const { platform, mail } = harness({ now: () => clock });
    const run = await submitRun(platform, await relayDataset(platform, 5));
    await platform.runs.takeLease({
      runId: run,
      lane: 0,
      place: 0,
      now: clock,
      endpointCap: 9,
      holder: "h",
      claim: 0,
      expiresAt: clock + 30_000,
      restUntil: clock + 30_000,
    });
    await serve(platform, accounts).delete(`/v1/runs/${run}`, as("owner"));
    await cleanUp(platform);
    expect(await platform.runs.get(run)).not.toBeNull();
    clock += 30_001;
    await cleanUp(platform);
    expect(await platform.runs.get(run)).toBeNull();
    mail.evaluate.length = 0;
  });

  it("removes objects, rows, leases and finally the run, also in concurrent and repeated cron runs", async () => {
    const rig = await onBoard();
    const { api, run, other, submission } = rig;
    const { keys, remove } = rig.platform.objects;
    const removed: string[] = [];
    const objects = {
      ...rig.platform.objects,
      keys: async (prefix: string) => (await keys(prefix)).slice(0, 1),
      remove: async (names: readonly string[]) => {
        removed.push(...names);
        await remove(names);
      },
    };
    const platform: Platform = { ...rig.platform, objects };
    await api.delete(`/v1/runs/${run}`, as("owner"));
    const count = (await keys(`runs/${run}/`)).length;
    expect(count).toBeGreaterThan(3);
    await Promise.all([cleanUp(platform), cleanUp(platform)]);
    await cleanUp(platform);
    expect(new Set(removed).size).toBe(count);
    expect(await keys(`runs/${run}/`)).toEqual([]);
    expect(await leftOf(run)).toEqual([0, 0, 0]);
    expect(await platform.runs.submission(submission)).toBeNull();
    expect((await keys(`runs/${other}/`)).length).toBeGreaterThan(3);
    expect((await leftOf(other))[0]).toBe(20);
  });

  it("is continued by the next cron run after a partial one", async () => {
    const { platform, api, run } = await onBoard();
    await api.delete(`/v1/runs/${run}`, as("owner"));
    const slow: Platform = {
      ...platform,
      objects: {
        ...platform.objects,
        keys: async (prefix) => (await platform.objects.keys(prefix)).slice(0, 1),
        remove: async () => {},
      },
    };
    await cleanUp(slow);
    expect((await leftOf(run))[2]).toBe(1);
    await cleanUp(platform);
    expect((await leftOf(run))[2]).toBe(0);
  });

  it.each<[string, Who | null, number]>([
    ["no key", null, 401],
    ["a stranger", "stranger", 403],
    ["an admin", "admin", 204],
  ])("answers by account: %s", async (_case, who, status) => {
    const { api, run } = await queued();
    expect((await api.delete(`/v1/runs/${run}`, as(who))).status).toBe(status);
    expect((await api.get(`/v1/runs/${run}`)).status).toBe(status === 204 ? 404 : 200);
  });
});

describe("POST /v1/runs/{id}/hide", () => {
  const hide = (api: ReturnType<typeof serve>, run: string, reason = "it is advertising") =>
    api.post(`/v1/runs/${run}/hide`, { reason }, as("admin"));

  it("hides the run from all but its owner and admins, who see the reason", async () => {
    const rig = await onBoard();
    const { platform, api, run, other, slug, dataset } = rig;
    const hidden = await hide(api, run);
    expect(hidden.status).toBe(200);
    for (const path of pathsOf(rig)) {
      expect((await api.get(path)).status, path).toBe(404);
      expect((await api.get(path, as("stranger"))).status, path).toBe(404);
      expect((await api.get(path, as("owner"))).status, path).toBe(200);
      expect((await api.get(path, as("admin"))).status, path).toBe(200);
    }
    expect(await (await api.get(`/v1/runs/${run}`, as("owner"))).json()).toMatchObject({
      hiddenReason: "it is advertising",
      links: { report: null },
    });
    await rig.deliverAll();
    const after = await published(platform, dataset);
    expect(after.board).toEqual([other]);
    expect(after.snapshot).not.toContain(run);
    expect(await badgeOf(platform, slug)).toMatchObject({ message: "not evaluated" });
  });

  it("is undone by unhide", async () => {
    const { platform, api, run, other, slug, dataset, deliverAll } = await onBoard();
    const before = await badgeOf(platform, slug);
    await hide(api, run);
    await deliverAll();
    const shown = await api.post(`/v1/runs/${run}/unhide`, undefined, as("admin"));
    expect(await shown.json()).toMatchObject({ id: run, hiddenReason: null });
    await deliverAll();
    const after = await published(platform, dataset);
    expect(after.board.toSorted()).toEqual([other, run].toSorted());
    expect(after.snapshot).toContain(run);
    expect(await badgeOf(platform, slug)).toEqual(before);
    expect((await api.get(`/v1/runs/${run}`)).status).toBe(200);
  });

  it.each([["hide"], ["unhide"]])(
    "is applied to board and snapshot by the cron job: %s",
    async (action) => {
      const { platform, api, run, other, dataset, mail, deliverAll } = await onBoard();
      await hide(api, run);
      if (action === "unhide") {
        await deliverAll();
        await api.post(`/v1/runs/${run}/unhide`, undefined, as("admin"));
      }
      mail.finish.length = 0;
      await runCron(platform);
      await deliverAll();
      const after = await published(platform, dataset);
      const wanted = action === "hide" ? [other] : [other, run];
      expect(after.board.toSorted()).toEqual(wanted.toSorted());
      expect(after.snapshot.includes(run)).toBe(action === "unhide");
    },
  );

  it("keeps a run off the board if it finishes while hidden", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 3);
    const run = await submitRun(platform, dataset);
    await hide(serve(platform, accounts), run);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished" });
    expect((await published(platform, dataset)).board).toEqual([]);
  });

  it("changes the reason of a hidden run, and refuses to show one that is not hidden", async () => {
    const { api, run } = await queued();
    await hide(api, run);
    expect(await (await hide(api, run, "spam")).json()).toMatchObject({ hiddenReason: "spam" });
    const path = `/v1/runs/${run}/unhide`;
    expect((await api.post(path, undefined, as("admin"))).status).toBe(200);
    const again = await api.post(path, undefined, as("admin"));
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ detail: `run "${run}" is not hidden` });
  });

  it("answers strangers as if the run did not exist", async () => {
    const { api, run } = await queued();
    await hide(api, run);
    for (const action of ["retry", "rescore", "cancel"]) {
      const refused = await api.post(`/v1/runs/${run}/${action}`, undefined, as("stranger"));
      expect(refused.status, action).toBe(404);
    }
    expect((await api.delete(`/v1/runs/${run}`, as("stranger"))).status).toBe(404);
  });

  it.each<[string, Who | null, string, unknown, number]>([
    ["no key", null, "hide", { reason: "x" }, 401],
    ["its owner", "owner", "hide", { reason: "x" }, 403],
    ["its owner", "owner", "unhide", undefined, 403],
    ["no reason", "admin", "hide", {}, 422],
    ["a blank reason", "admin", "hide", { reason: "  " }, 422],
    ["a reason that is too long", "admin", "hide", { reason: "x".repeat(501) }, 422],
    ["an unknown field", "admin", "hide", { reason: "x", until: 3 }, 422],
  ])("refuses %s", async (_case, who, action, body, status) => {
    const { api, run } = await queued();
    const refused = await api.post(`/v1/runs/${run}/${action}`, body, as(who));
    expect(refused.status).toBe(status);
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
  });

  it("answers 404 for an unknown run", async () => {
    const { api } = await queued();
    expect((await hide(api, "run_x")).status).toBe(404);
    expect((await api.post("/v1/runs/run_x/unhide", undefined, as("admin"))).status).toBe(404);
  });
});
