import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { ShareRecord } from "../../../api/keys/share-schema.ts";
import type { AuditRecord } from "../../../api/operator/schema.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { NewLink, Share } from "../../../shared/contracts/keys/share.ts";
import {
  as,
  canary,
  linkTo,
  privateThings,
  publicWorld,
  shareOf,
  tag,
} from "../support/private-world.ts";

it("a link to a board or parity of private runs opens nothing else", {
  timeout: 120_000,
}, async () => {
  const world = await publicWorld();
  const { api, platform } = world;
  const { ids, run, own, onIt } = await privateThings(world);
  const query = (dataset: string) => `/v1/leaderboard?suite=relay&dataset=${dataset}&mine=true`;
  const parity = `/v1/parities/${ids.parity}`;
  const links = {
    board: await linkTo(world, { board: { suite: "relay", dataset: ids.dataset } }),
    parity: await linkTo(world, ids),
  };
  expect(links.board.link).toBe(
    `/leaderboards/own/?suite=relay&dataset=${encodeURIComponent(ids.dataset)}#share=${encodeURIComponent(links.board.token)}`,
  );
  const opened = async (path: string, link: Pick<NewLink, "token">) => {
    const reply = await api.get(path, { "assay-share": link.token });
    if (reply.status === 200) expect(reply.headers.get("cache-control")).toBe("private, no-store");
    return { status: reply.status, text: await reply.text() };
  };
  const ranked = JSON.parse((await opened(query(ids.dataset), links.board)).text) as Leaderboard;
  // One entry for the host that the parity started, and one for the reference model with its newest run.
  expect(ranked.entries.map(({ attempts }) => attempts.total)).toEqual([1, 1]);
  expect(ranked.entries.map((entry) => entry.run)).toEqual(["entry_1", "entry_2"]);
  for (const path of [parity, `${parity}/statement`]) {
    const { status, text } = await opened(path, links.parity);
    expect([status, text.includes(onIt)]).toEqual([200, true]);
    expect((await api.get(path, as("acme"))).headers.get("cache-control")).toBe(
      "private, no-store",
    );
  }
  const theirs = async (link: Pick<NewLink, "token">) => {
    const paths = [query(ids.dataset), query(world.ids.dataset), parity, `/v1/runs/${onIt}`];
    const replies = await Promise.all(paths.map((path) => opened(path, link)));
    return replies.map(({ status }) => status);
  };
  expect(await theirs(links.board)).toEqual([200, 401, 404, 404]);
  expect(await theirs(links.parity)).toEqual([401, 401, 200, 404]);
  expect(await theirs(await shareOf(world, run))).toEqual([401, 401, 404, 404]);
  // An unlisted run that the owner adds later is also on the board, because the link covers all runs of the account.
  await api.patch(`/v1/runs/${own}`, { visibility: "unlisted" }, as("acme"));
  const foreign = await api.post("/v1/shares", { parity: ids.parity }, as("other"));
  expect(foreign.status).toBe(404);
  const ofOthers = { name: `other/${tag()}`, reference: { run: own }, margin: 0.1 };
  expect((await api.post("/v1/parities", ofOthers, as("other"))).status).toBe(404);
  // The link does not open a later parity of the same name.
  const movedBy = (ms: number) =>
    env.DB.prepare("UPDATE parities SET created_at = created_at + ?1 WHERE name = ?2").bind(
      ms,
      ids.parity,
    );
  await movedBy(60_000).run();
  expect((await opened(parity, links.parity)).status).toBe(404);
  await movedBy(-60_000).run();
  const both = { parity: ids.parity, board: { suite: "relay", dataset: ids.dataset } };
  expect((await api.post("/v1/shares", both, as("acme"))).status).toBe(422);

  const listed = async (who: string) => {
    const reply = await api.get("/v1/shares?limit=2", as(who));
    return (await reply.json()) as { shares: Share[]; nextCursor: string | null };
  };
  expect((await listed("acme")).shares.map(({ opens }) => opens)).toEqual([
    null,
    { parity: ids.parity },
  ]);
  expect((await listed("acme")).nextCursor).not.toBeNull();
  expect(JSON.stringify(await listed("acme"))).not.toContain("token");
  expect(await listed("other")).toEqual({ shares: [], nextCursor: null });
  const noted = async ({ id: target }: Pick<NewLink, "id">) => {
    const filter = { actor: null, target, since: null };
    return (await platform.audit.list(filter, { after: null, limit: 5 })).map(({ after }) => after);
  };
  const [board] = await noted(links.board);
  expect(board).toMatchObject({
    owner: "acme",
    kind: "board",
    suite: "relay",
    dataset: ids.dataset,
  });
  expect(await noted(links.parity)).toMatchObject([{ kind: "parity", parity: ids.parity }]);
  const revoke = (who: string) => api.delete(`/v1/shares/${links.parity.id}`, as(who));
  expect((await revoke("other")).status).toBe(404);
  expect((await revoke("acme")).status).toBe(200);
  expect((await opened(parity, links.parity)).status).toBe(404);

  const mine = await (await api.get("/v1/parities?mine=true", as("acme"))).text();
  expect(mine).toContain(ids.parity);
  expect((await api.get("/v1/parities?mine=true")).status).toBe(401);
  expect(await (await api.get("/v1/parities")).text()).not.toContain(canary);
  await platform.runs.changeVisibility(onIt, { visibility: "public", note: null }, 0);
  expect((await api.get(parity)).status).toBe(200);
});

it("a run has at most a hundred active links; ended links do not count", async () => {
  const world = await publicWorld();
  const { shares } = world.platform;
  const runId = `run_${tag()}`;
  const share = (i: number, more: Partial<ShareRecord> = {}): ShareRecord => ({
    id: `share_${runId}_${i}`,
    runId,
    runs: [runId],
    opens: null,
    owner: "acme",
    note: null,
    createdBy: null,
    createdAt: 1_000 + i,
    expiresAt: 5_000,
    revokedAt: null,
    ...more,
  });
  const entry = (i: number): AuditRecord => ({
    at: 1,
    id: `act_${runId}_${i}`,
    actor: "acme",
    keyId: null,
    action: "share.create",
    target: runId,
    reason: null,
    before: null,
    after: null,
    status: 201,
    requestId: "r",
  });
  const add = (i: number, more?: Partial<ShareRecord>) => shares.add(share(i, more), entry(i));
  for (let i = 0; i < 98; i++) expect(await add(i)).toBe(true);
  const atOnce = await Promise.all([98, 99, 100, 101].map((i) => add(i)));
  expect(atOnce.filter(Boolean)).toHaveLength(2);
  expect(await shares.ofRun(runId)).toHaveLength(100);
  await shares.revoke({ runId }, share(0).id, 1_500, entry(200));
  expect(await add(102)).toBe(true);
  // A repeated call whose reply was lost.
  expect(await add(102)).toBe(true);
  expect(await add(103)).toBe(false);
  // All links have expired by now; lists keep the newest hundred of them.
  expect(await add(104, { createdAt: 6_000, expiresAt: 9_000 })).toBe(true);
  const [newest, ...ended] = await shares.ofRun(runId);
  expect([newest?.id, ended.length]).toEqual([share(104).id, 100]);
  expect(await shares.get(share(0).id)).toBeNull();
  expect(newest).toEqual(share(104, { createdAt: 6_000, expiresAt: 9_000 }));
});
