import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { z } from "zod";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { NewLink, NewShare, Share } from "../../../shared/contracts/keys/share.ts";
import type { VisibilityChange } from "../../../shared/contracts/submissions/run-requests.ts";
import { everyReply, type NamedIds, withoutIds } from "../../support/every-route.ts";
import { problemOf, serve } from "../support/client.ts";
import { allObjects } from "../support/everything-kept.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { latestSnapshot } from "../support/latest-snapshot.ts";
import { relaySuite } from "../support/relay-suite.ts";

const accounts = { acme: anAccount("acme"), other: anAccount("other") };
const as = (who: string) => ({ authorization: `Bearer ${who}` });
const METHODS = ["get", "post", "put", "patch", "delete"];

/** In every private name and text, and nowhere else. */
const canary = "zeisig";
const tag = () => `${canary}-${crypto.randomUUID().slice(0, 8)}`;

/** A service with keys and a board of two public runs. */
async function publicWorld() {
  const optionsSchema = z.strictObject({ temperature: z.number().default(0) });
  const suite = { ...relaySuite, optionsSchema, sweeps: { temperature: "temperature" } };
  const suites = { all: [suite], byId: (id: string) => (id === suite.id ? suite : undefined) };
  const made = harness({ suites });
  const { settings } = made.platform;
  const platform: Platform = { ...made.platform, settings: { ...settings, requireApiKey: true } };
  const dataset = await relayDataset(platform, 3);
  const slug = `acme/${crypto.randomUUID().slice(0, 8)}`;
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const run = await submitRun(platform, dataset, { models: [{ name: "Open", slug, endpoint }] });
  await submitRun(platform, dataset);
  await made.deliverAll();
  await publish(platform);
  const board = (await platform.runs.get(run))?.boardId ?? "";
  const submission = (await platform.runs.get(run))?.submissionId ?? "";
  const ids: NamedIds = { run, submission, dataset, slug, board };
  return { ...made, platform, api: serve(platform, accounts), ids, endpoint };
}

type World = Awaited<ReturnType<typeof publicWorld>>;

/** Private runs of acme: on the public board's dataset, of its public model, in a sweep, and on a private dataset. */
async function privateThings({ api, platform, ids, endpoint, deliverAll }: World) {
  const secret = `acme/${tag()}`;
  const models = [{ name: canary, slug: secret, endpoint }];
  const visibility = "private";
  const run = await submitRun(platform, ids.dataset, { visibility, models });
  const again = [{ name: "Open", slug: ids.slug, endpoint }];
  const own = await submitRun(platform, ids.dataset, { visibility, models: again });
  const options = { sweep: { temperature: [0, 1] } };
  await submitRun(platform, ids.dataset, { visibility, models, options });
  const dataset = `acme/${tag()}`;
  const rows = [0, 1].map((i) => JSON.stringify({ id: `s${i}`, first: canary, expected: canary }));
  const registered = await registerDataset(platform, {
    suite: relaySuite,
    name: dataset,
    visibility,
    owner: "acme",
    anyOwner: false,
    file: new TextEncoder().encode(rows.join("\n")),
    allowPartial: false,
  });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
  const onIt = await submitRun(platform, dataset, { visibility, models });
  await deliverAll();
  const parity = `acme/${tag()}`;
  const hosts = { name: parity, reference: { run: onIt, label: canary }, margin: 0.1 };
  const made = await api.post("/v1/parities", hosts, as("acme"));
  if (made.status !== 201) throw new Error(await made.text());
  const started = await api.post(`/v1/parities/${parity}/hosts`, { endpoint }, as("acme"));
  if (started.status !== 202) throw new Error(await started.text());
  await deliverAll();
  await publish(platform);
  const submission = (await platform.runs.get(run))?.submissionId ?? "";
  const board = (await platform.runs.get(onIt))?.countedOn ?? "";
  return { run, own, onIt, ids: { run, submission, dataset, slug: secret, board, parity } };
}

/** Of the same form as private ids, and of nothing. */
const never = (): NamedIds => ({
  run: `run_${crypto.randomUUID().replaceAll("-", "")}`,
  submission: `sub_${crypto.randomUUID().replaceAll("-", "")}`,
  dataset: `acme/${tag()}`,
  slug: `acme/${tag()}`,
  board: crypto.randomUUID().replaceAll("-", "").slice(0, 16),
  parity: `acme/${tag()}`,
});

const everybody = { nobody: {}, other: as("other") };

it("private runs and datasets change no reply, list, count, snapshot or object for others", {
  timeout: 300_000,
}, async () => {
  const world = await publicWorld();
  const { api, ids, platform } = world;
  const seen = async () => ({
    ...Object.fromEntries(
      await Promise.all(
        Object.entries(everybody).map(async ([who, headers]) => [
          who,
          Object.fromEntries(await everyReply(api, ids, headers)),
        ]),
      ),
    ),
    snapshot: await latestSnapshot(platform),
  });
  const before = await seen();
  const its = await privateThings(world);
  expect(await platform.runs.get(its.run)).toMatchObject({ status: "finished", boardId: null });
  const after = await seen();
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain(canary);
  const published = (await allObjects()).split("\n").filter((line) => line.includes("published/"));
  expect(published.filter((line) => line.includes(its.run))).toEqual([]);
});

it("whatever is asked about private ids is answered as for ids that never were", {
  timeout: 300_000,
}, async () => {
  const world = await publicWorld();
  const { api, platform } = world;
  const { ids, run, onIt } = await privateThings(world);
  const share = await shareOf(world, run, { expiresInDays: 1 });
  const revoked = await shareOf(world, run);
  await api.delete(`/v1/runs/${run}/shares/${revoked.id}`, as("acme"));
  const board = { board: { suite: "relay", dataset: ids.dataset } };
  const [toBoard, toParity] = [await linkTo(world, board), await linkTo(world, ids)];
  for (const { id } of [toBoard, toParity]) await api.delete(`/v1/shares/${id}`, as("acme"));
  const expired = [await linkTo(world, board), await linkTo(world, ids)];
  const late = serve({ ...platform, now: () => platform.now() + 2 * 86_400_000 }, accounts);
  const by = ({ token }: Pick<NewLink, "token">) => ({ "assay-share": token });
  const reads = ["get"];
  const asked: [
    who: string,
    api: World["api"],
    headers: Record<string, string>,
    methods: readonly string[],
  ][] = [
    ["nobody", api, {}, METHODS],
    ["another account", api, as("other"), METHODS],
    ["a revoked link", api, by(revoked), METHODS],
    ["a revoked link to the board", api, by(toBoard), reads],
    ["a revoked link to the parity", api, by(toParity), reads],
    ["an expired link", late, by(share), reads],
    ...expired.map((link): (typeof asked)[number] => ["an expired link", late, by(link), reads]),
    ["a forged link", api, { "assay-share": `${share.token.slice(0, -4)}AAA=` }, reads],
  ];
  for (const [who, from, headers, methods] of asked) {
    for (const its of methods === reads ? [ids] : [ids, { ...ids, run: onIt }]) {
      const [found, missing] = await Promise.all([
        everyReply(from, its, headers, methods),
        everyReply(from, never(), headers, methods),
      ]);
      for (const [operation, reply] of found) {
        expect.soft(reply, `${operation}, asked by ${who}`).toBe(missing.get(operation));
      }
    }
  }
  expect(await platform.runs.get(run)).toMatchObject({ visibility: "private", deletedAt: null });
});

it("what names a private run or dataset is refused as if it named nothing", async () => {
  const world = await publicWorld();
  const { api, ids: open, endpoint } = world;
  const { ids } = await privateThings(world);
  const answers = [{ id: "s0", output: "x" }];
  const refused = async (its: NamedIds) => {
    const body = { suite: "relay", dataset: its.dataset, models: [{ name: "M", answers }] };
    const plannedTest = { metric: "score", margin: 0.1, against: its.run };
    const called = { suite: "relay", dataset: open.dataset, models: [{ name: "M", endpoint }] };
    const parity = { name: "other/hosts", reference: { run: its.run }, margin: 0.1, hosts: [] };
    const schedule = { suite: "relay", dataset: its.dataset, model: called.models[0] };
    const writes: [path: string, body: object][] = [
      ["/v1/submissions", body],
      ["/v1/submissions?dryRun=true", body],
      ["/v1/submissions", { ...called, options: { plannedTest } }],
      ["/v1/schedules", { ...schedule, everyHours: 24 }],
      ["/v1/parities", parity],
    ];
    const replies = await Promise.all([
      ...writes.map(([path, its]) => api.post(path, its, as("other"))),
      api.get(`/v1/compare?runs=${open.run},${its.run}`, as("other")),
      api.get(`/v1/judgings?submissions=${its.submission}`, as("other")),
    ]);
    const texts = await Promise.all(replies.map((reply) => reply.text()));
    return texts.map((text, i) => `${replies[i]?.status} ${withoutIds(text, its)}`);
  };
  const found = await refused(ids);
  expect(found).toEqual(await refused(never()));
  expect(found.map((text) => text.slice(0, 3)).every((status) => status >= "404")).toBe(true);
});

async function shareOf({ api }: World, run: string, body: object = {}): Promise<NewShare> {
  const reply = await api.post(`/v1/runs/${run}/shares`, body, as("acme"));
  expect(reply.status).toBe(201);
  return (await reply.json()) as NewShare;
}

/** A link to a board or parity of acme, for a day. */
async function linkTo(
  { api }: World,
  { board, parity }: { board?: unknown; parity?: string },
): Promise<NewLink> {
  const thing = typeof board === "object" ? { board } : { parity };
  const reply = await api.post("/v1/shares", { expiresInDays: 1, ...thing }, as("acme"));
  expect(reply.status).toBe(201);
  return (await reply.json()) as NewLink;
}

it("boards, parities and judgings of private runs are opened by links of their own, which open nothing else", {
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
  // Of the host that the parity started, and of the reference: one model, whose newest run is listed.
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
  // A run that its owner adds later is on the board: the link opens what the account has.
  await api.patch(`/v1/runs/${own}`, { visibility: "unlisted" }, as("acme"));
  const foreign = await api.post("/v1/shares", { parity: ids.parity }, as("other"));
  expect(foreign.status).toBe(404);
  const ofOthers = { name: `other/${tag()}`, reference: { run: own }, margin: 0.1 };
  expect((await api.post("/v1/parities", ofOthers, as("other"))).status).toBe(404);
  // A link opens no later parity of the same name.
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

it("their owner, and who has a link, read them", async () => {
  const world = await publicWorld();
  const { api } = world;
  const { ids, run, own, onIt } = await privateThings(world);
  const mine = await (await api.get("/v1/datasets?mine=true", as("acme"))).text();
  expect(mine).toContain(ids.dataset);
  for (const id of [run, own, onIt]) {
    const report = await api.get(`/v1/runs/${id}/report`, as("acme"));
    expect([report.status, (await report.text()).includes(id)]).toEqual([200, true]);
  }
  const compared = `/v1/compare?runs=${run},${own}`;
  expect((await api.get(compared, as("acme"))).status).toBe(200);

  const board = `/v1/leaderboard?suite=relay&dataset=${world.ids.dataset}&mine=true`;
  const ranked = await api.get(board, as("acme"));
  expect(ranked.headers.get("cache-control")).toBe("private, no-store");
  const { entries } = (await ranked.json()) as Leaderboard;
  expect(entries.map((entry) => entry.run)).toEqual(expect.arrayContaining([run, own]));
  const onPrivate = `/v1/leaderboard?suite=relay&dataset=${ids.dataset}&mine=true`;
  expect((await api.get(onPrivate, as("acme"))).status).toBe(200);
  expect((await api.get(onPrivate, as("other"))).status).toBe(404);
  expect((await api.get(board)).status).toBe(401);

  const { token, link } = await shareOf(world, run, { with: [own], note: "review" });
  expect(link).toBe(`/compare/?runs=${run},${own}#share=${encodeURIComponent(token)}`);
  const shared = { "assay-share": token };
  for (const path of ["", "/report", "/samples", "/samples.csv", "/statement"]) {
    const reply = await api.get(`/v1/runs/${run}${path}`, shared);
    expect([path, reply.status]).toEqual([path, 200]);
    expect(reply.headers.get("cache-control")).toBe("private, no-store");
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
  }
  expect((await api.get(compared, shared)).status).toBe(200);
  expect((await api.get(`/v1/compare?runs=${run},${onIt}`, shared)).status).toBe(404);
  expect((await api.get(`/v1/runs/${onIt}`, shared)).status).toBe(404);
  expect((await api.get("/v1/usage", shared)).status).not.toBe(200);
  expect((await api.delete(`/v1/runs/${run}`, shared)).status).toBe(401);
  const foreign = await api.post(`/v1/runs/${run}/shares`, { with: [] }, as("other"));
  expect(foreign.status).toBe(404);
});

it("keys with only the scope rate or runner read nothing of their account but what they are for", {
  timeout: 120_000,
}, async () => {
  const world = await publicWorld();
  const { ids, run, onIt } = await privateThings(world);
  const keys = {
    rate: anAccount("acme", { scopes: ["rate"] }),
    runner: anAccount("acme", { scopes: ["runner"] }),
  };
  const api = serve(world.platform, keys);
  for (const who of Object.keys(keys)) {
    const paths = ["", "/report", "/samples", "/samples.csv", "/statement"];
    for (const id of [run, onIt]) {
      for (const path of paths) {
        const reply = await api.get(`/v1/runs/${id}${path}`, as(who));
        expect([who, path, reply.status]).toEqual([who, path, 404]);
      }
    }
    for (const path of [
      "/v1/datasets?mine=true",
      `/v1/datasets?name=${ids.dataset}`,
      `/v1/dataset.jsonl?suite=relay&dataset=${ids.dataset}`,
      `/v1/submissions/${ids.submission}`,
      `/v1/leaderboard?suite=relay&dataset=${world.ids.dataset}&mine=true`,
      `/v1/compare?runs=${run},${onIt}`,
    ]) {
      const text = await (await api.get(path, as(who))).text();
      expect([who, path, withoutIds(text, ids).includes(canary)]).toEqual([who, path, false]);
    }
  }
  // A rater needs the answers of a run, which is refused here for its suite and not as if it were not there.
  const tasks = (who: string) => api.get(`/v1/runs/${run}/rating-tasks?rater=Ada`, as(who));
  expect([(await tasks("rate")).status, (await tasks("runner")).status]).toEqual([409, 403]);
});

it("its badge is shown by a link of its own, which opens nothing else and is kept nowhere", async () => {
  const world = await publicWorld();
  const { platform } = world;
  Object.assign(platform.settings, { publicReadsKeptMs: 60_000 });
  const api = serve(platform, accounts);
  const { run, ids } = await privateThings(world);
  const { badge, token, id } = await shareOf(world, run);
  const shown = await api.get(badge);
  const text = await shown.text();
  expect(text).toContain("<title>Assay · relay: 1.000</title>");
  expect(text).not.toContain(canary);
  const headers = ["cache-control", "x-robots-tag"];
  expect(headers.map((name) => shown.headers.get(name))).toEqual(["no-store", "noindex"]);
  expect(shown.headers.get("content-type")).toContain("image/svg+xml");
  const other = JSON.stringify({ value: 0.25, interval: null, n: 4, coverage: 1 });
  await env.DB.prepare(
    "UPDATE runs SET metrics = json_set(metrics, '$.other', json(?2)) WHERE id = ?1",
  )
    .bind(run, other)
    .run();
  expect(await (await api.get(`${badge}&metric=other`)).text()).toBe(text);
  const share = `/v1/runs/${run}/shares`;
  const made = await shareOf(world, run, { metric: "other" });
  expect(await (await api.get(made.badge)).text()).toContain("other: 0.250");
  const unknown = await api.post(share, { metric: "nonsense" }, as("acme"));
  expect([unknown.status, (await problemOf(unknown)).errors?.[0]?.pointer]).toEqual([
    422,
    "/metric",
  ]);
  const ofBadge = new URL(badge, "http://a.test").searchParams.get("token") ?? "";
  const opened = await api.get(`/v1/runs/${run}`, { "assay-share": ofBadge });
  expect(opened.status).toBe(404);
  const grey = async (path: string, by = api) => (await by.get(path)).text();
  const nothing = await grey("/badge/shared.svg");
  expect(nothing).toContain("not available");
  const badgeBy = (its: string) => `/badge/shared.svg?${new URLSearchParams({ token: its })}`;
  for (const its of [token, `${ofBadge.slice(0, -4)}AAA=`, "x".repeat(600)]) {
    expect(await grey(badgeBy(its))).toBe(nothing);
  }
  const late = serve({ ...platform, now: () => platform.now() + 31 * 86_400_000 }, accounts);
  expect(await grey(badge, late)).toBe(nothing);
  expect(await grey(`/badge/${ids.slug}.svg`)).toContain("not evaluated");
  await api.delete(`/v1/runs/${run}/shares/${id}`, as("acme"));
  expect(await grey(badge)).toBe(nothing);
});

it("a run is made public in one step that says first what is seen, and the way back leaves nothing", {
  timeout: 300_000,
}, async () => {
  const world = await publicWorld();
  const { api, ids, platform, deliverAll } = world;
  const { run, own, ids: secret } = await privateThings(world);
  const seen = async () => {
    await deliverAll();
    await publish(platform);
    // A board says when it was ranked, so that the whole has another hash.
    const { boards, hash: _, createdAt: __, ...rest } = await latestSnapshot(platform);
    const ranked = boards.map(({ updatedAt: ___, ...board }) => board);
    const badge = await (await api.get(`/badge/${secret.slug}.svg`)).text();
    return { badge, ...rest, boards: ranked };
  };
  const before = await seen();
  const change = async (to: string, query = "") =>
    (await api.patch(`/v1/runs/${run}${query}`, { visibility: to }, as("acme"))).json();
  const planned = (await change("public", "?dryRun=true")) as VisibilityChange;
  expect(planned).toMatchObject({ from: "private", to: "public", hides: [] });
  expect(planned.shows.join("\n")).toMatch(/all 3 samples[\s\S]*a place on the board/);
  expect((await platform.runs.get(run))?.visibility).toBe("private");

  expect(await change("public")).toMatchObject({ visibility: "public" });
  const shown = await seen();
  const board = (await platform.boards.get(ids.board))?.entries ?? [];
  expect(board.map((entry) => entry.run)).toContain(run);
  expect(board.find((entry) => entry.run === run)?.attempts).toMatchObject({ total: 1 });
  expect(shown.runs.find(({ id }) => id === run)?.notes.join()).toMatch(/private until/);
  expect(shown.badge).not.toBe(before.badge);

  expect(await change("private")).toMatchObject({ visibility: "private" });
  expect((await api.get(`/v1/runs/${run}`)).status).toBe(404);
  expect(await seen()).toEqual(before);
  expect(await allObjects()).not.toContain(`runs/${run}/published/`);
  expect((await platform.boards.attempts(ids.board)).get(ids.slug)?.total).toBe(1);
  expect((await platform.runs.get(own))?.countedOn).toBe(ids.board);
});
