import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { publish } from "../../../api/publication/publish.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { NewLink } from "../../../shared/contracts/keys/share.ts";
import type { VisibilityChange } from "../../../shared/contracts/submissions/run-requests.ts";
import { everyReply, type NamedIds, withoutIds } from "../../support/every-route.ts";
import { latestSnapshot, problemOf, serve } from "../support/client.ts";
import { allObjects } from "../support/everything-kept.ts";
import { anAccount } from "../support/harness.ts";
import {
  accounts,
  as,
  canary,
  everybody,
  linkTo,
  METHODS,
  never,
  privateThings,
  publicWorld,
  shareOf,
  type World,
} from "../support/private-world.ts";

it("private runs and datasets change no reply, list, count, snapshot or public object for others", {
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
  const hidden = await privateThings(world);
  expect(await platform.runs.get(hidden.run)).toMatchObject({ status: "finished", boardId: null });
  const after = await seen();
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain(canary);
  const published = (await allObjects()).split("\n").filter((line) => line.includes("published/"));
  expect(published.filter((line) => line.includes(hidden.run))).toEqual([]);
});

it("every request about private ids is answered as for ids that never existed", {
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
    const missing = await everyReply(from, never(), headers, methods);
    for (const named of methods === reads ? [ids] : [ids, { ...ids, run: onIt }]) {
      const found = await everyReply(from, named, headers, methods);
      for (const [operation, reply] of found) {
        expect.soft(reply, `${operation}, asked by ${who}`).toBe(missing.get(operation));
      }
    }
  }
  expect(await platform.runs.get(run)).toMatchObject({ visibility: "private", deletedAt: null });
});

it("a request that names a private run or dataset is refused as if it did not exist", async () => {
  const world = await publicWorld();
  const { api, ids: open, endpoint } = world;
  const { ids } = await privateThings(world);
  const answers = [{ id: "s0", output: "x" }];
  const refused = async (named: NamedIds) => {
    const body = { suite: "relay", dataset: named.dataset, models: [{ name: "M", answers }] };
    const plannedTest = { metric: "score", margin: 0.1, against: named.run };
    const called = { suite: "relay", dataset: open.dataset, models: [{ name: "M", endpoint }] };
    const parity = { name: "other/hosts", reference: { run: named.run }, margin: 0.1, hosts: [] };
    const schedule = { suite: "relay", dataset: named.dataset, model: called.models[0] };
    const writes: [path: string, body: object][] = [
      ["/v1/submissions", body],
      ["/v1/submissions?dryRun=true", body],
      ["/v1/submissions", { ...called, options: { plannedTest } }],
      ["/v1/schedules", { ...schedule, everyHours: 24 }],
      ["/v1/parities", parity],
    ];
    const replies = await Promise.all([
      ...writes.map(([path, sent]) => api.post(path, sent, as("other"))),
      api.get(`/v1/compare?runs=${open.run},${named.run}`, as("other")),
      api.get(`/v1/judgings?submissions=${named.submission}`, as("other")),
    ]);
    const texts = await Promise.all(replies.map((reply) => reply.text()));
    return texts.map((text, i) => `${replies[i]?.status} ${withoutIds(text, named)}`);
  };
  const found = await refused(ids);
  expect(found).toEqual(await refused(never()));
  expect(found.map((text) => text.slice(0, 3)).every((status) => status >= "404")).toBe(true);
});

it("the owner and holders of a link can read private runs", async () => {
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

it("keys with only the scope rate or runner cannot read private data of their account", {
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
  // A rater needs the answers of a run: 409 is about its suite, and shows that the run was found.
  const tasks = (who: string) => api.get(`/v1/runs/${run}/rating-tasks?rater=Ada`, as(who));
  expect([(await tasks("rate")).status, (await tasks("runner")).status]).toEqual([409, 403]);
});

it("a private run's badge has its own link, which opens nothing else and is never cached", async () => {
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
  const badgeBy = (secret: string) => `/badge/shared.svg?${new URLSearchParams({ token: secret })}`;
  for (const secret of [token, `${ofBadge.slice(0, -4)}AAA=`, "x".repeat(600)]) {
    expect(await grey(badgeBy(secret))).toBe(nothing);
  }
  const late = serve({ ...platform, now: () => platform.now() + 31 * 86_400_000 }, accounts);
  expect(await grey(badge, late)).toBe(nothing);
  expect(await grey(`/badge/${ids.slug}.svg`)).toContain("not evaluated");
  await api.delete(`/v1/runs/${run}/shares/${id}`, as("acme"));
  expect(await grey(badge)).toBe(nothing);
});

it("a run becomes public in one step with a preview, and becoming private again leaves nothing behind", {
  timeout: 300_000,
}, async () => {
  const world = await publicWorld();
  const { api, ids, platform, deliverAll } = world;
  const { run, own, ids: secret } = await privateThings(world);
  const seen = async () => {
    await deliverAll();
    await publish(platform);
    // A board contains the time of its ranking, so the hash of the snapshot differs.
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
