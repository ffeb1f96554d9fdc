import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { latestSnapshot } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { hosted, someRows } from "../support/hosted.ts";
import { relaySuite } from "../support/relay-suite.ts";

const appOf = (platform: Platform) =>
  createApp({
    platform: () => ({ ...platform, settings: { ...platform.settings, requireApiKey: true } }),
    account: async (_c, key) => anAccount(key),
    site: async () => new Response("the site"),
  });

type App = ReturnType<typeof appOf>;

const get = (app: App, path: string) => app.request(`http://assay.test${path}`);

const submitAs = (app: App, owner: string, body: object, query = "") =>
  app.request(`http://assay.test/v1/submissions${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${owner}` },
    body: JSON.stringify(body),
  });

const answers = [{ id: "s0", output: "x" }];
const submission = (dataset: string, slug: string) => ({
  suite: "relay",
  dataset,
  visibility: "public",
  models: [{ name: "M", slug, answers }],
});

/** The replies of every route that lists things without being asked for an id. */
async function allLists(platform: Platform, dataset: string, slug: string): Promise<string> {
  const app = appOf(platform);
  const paths = [
    "/v1/datasets",
    "/v1/datasets?suite=relay",
    "/v1/suites",
    `/v1/leaderboard?suite=relay&dataset=${dataset}`,
    `/v1/leaderboard.csv?suite=relay&dataset=${dataset}`,
    `/badge/${slug}.svg`,
    `/badge/${slug}.json`,
    `/badge/${slug}.svg?suite=relay`,
  ];
  const replies = await Promise.all(paths.map(async (path) => (await get(app, path)).text()));
  return [JSON.stringify(await latestSnapshot(platform)), ...replies].join("\n");
}

/** An unlisted dataset of `owner`. */
async function unlistedDataset(platform: Platform, owner = "acme") {
  const name = `${owner}/hidden-${crypto.randomUUID().slice(0, 8)}`;
  const row = { id: "s0", first: `secret ${name}`, expected: "x" };
  const input = { suite: relaySuite, name, owner, anyOwner: false, allowPartial: false };
  const registered = await registerDataset(platform, {
    ...input,
    visibility: "unlisted",
    file: new TextEncoder().encode(JSON.stringify(row)),
  });
  if (!registered.ok) throw new Error("the dataset was refused");
  return { name, version: registered.value.version };
}

describe("an unlisted run", () => {
  it("is in no list", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 4);
    const shown = await submitRun(platform, dataset);
    const run = await submitRun(platform, dataset, { visibility: "unlisted" });
    await deliverAll();
    const record = await platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", boardId: null });
    const lists = await allLists(platform, dataset, record?.modelSlug ?? "");
    expect(lists).toContain(shown);
    expect(lists).toContain("not evaluated");
    for (const trace of [run, record?.submissionId, record?.modelSlug]) {
      expect(lists).not.toContain(trace);
    }
  });

  it("can be read by its id, with its samples", async () => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2), {
      visibility: "unlisted",
    });
    await deliverAll();
    const app = appOf(platform);
    for (const path of ["", "/samples", "/samples.csv", "/samples/s0"]) {
      expect((await get(app, `/v1/runs/${run}${path}`)).status).toBe(200);
    }
    const { links } = (await (await get(app, `/v1/runs/${run}`)).json()) as {
      links: { report: unknown };
    };
    expect(links.report).toBeNull();
  });

  it("is not revealed by another submission", async () => {
    const { platform } = harness();
    const dataset = await relayDataset(platform, 1);
    const run = await submitRun(platform, dataset, { visibility: "unlisted" });
    const app = appOf(platform);
    const other = await submitAs(app, "other", submission(dataset, "other/m"));
    expect(other.status).toBe(202);
    expect(await other.text()).not.toContain(run);
  });

  it("has an id that can't be guessed from ids of the same time", async () => {
    const { platform } = harness();
    const ids = Array.from({ length: 1_000 }, () => platform.newId("run"));
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(1_000);
  });
});

describe("an unlisted dataset", () => {
  it("is in no list, nor is a run on it that asked to be public", async () => {
    const { platform, deliverAll } = harness();
    const { name, version } = await unlistedDataset(platform);
    const models = [{ name: "M", slug: "acme/on-hidden", answers, promptHash: "a".repeat(64) }];
    const run = await submitRun(platform, name, { models, visibility: "public" });
    await submitRun(platform, await relayDataset(platform, 1));
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      visibility: "unlisted",
    });
    const lists = await allLists(platform, name, "acme/on-hidden");
    expect(lists).toContain('"status":"finished"');
    // The 404 of the board repeats the requested name.
    const rest = lists.replaceAll(
      `no finished run of suite \\"relay\\" on dataset \\"${name}\\"`,
      "",
    );
    for (const trace of [name, version, run, "acme/on-hidden"]) expect(rest).not.toContain(trace);
  });

  it.each(["", "?dryRun=true"])(
    "does not exist for a stranger who guesses its name%s",
    async (query) => {
      const { platform } = harness();
      const app = appOf(platform);
      const { name, version } = await unlistedDataset(platform);
      for (const dataset of [
        name,
        `${name}@${version.slice(0, 12)}`,
        `${name}@${version.slice(0, 63)}`,
      ]) {
        const refused = await submitAs(app, "other", submission(dataset, "other/m"), query);
        const missing = `${dataset.replace("hidden", "nowhere")}`;
        const absent = await submitAs(app, "other", submission(missing, "other/m"), query);
        expect(refused.status).toBe(422);
        const { errors } = (await refused.json()) as { errors: { detail: string }[] };
        const { errors: other } = (await absent.json()) as { errors: { detail: string }[] };
        expect(errors.map(({ detail }) => detail.replace("hidden", "nowhere"))).toEqual(
          other.map(({ detail }) => detail),
        );
      }
    },
  );

  it("can be used by its owner and by anyone who knows the whole version", async () => {
    const { platform } = harness();
    const app = appOf(platform);
    const { name, version } = await unlistedDataset(platform);
    expect((await submitAs(app, "acme", submission(name, "acme/m"))).status).toBe(202);
    const reply = await submitAs(app, "other", submission(`${name}@${version}`, "other/m"));
    expect(reply.status).toBe(202);
    const { runs } = (await reply.json()) as { runs: { id: string }[] };
    expect(await platform.runs.get(runs[0]?.id ?? "")).toMatchObject({ visibility: "unlisted" });
  });

  it("does not replace the public version of the same name for other accounts", async () => {
    let clock = Date.now();
    const { platform } = harness({ now: () => clock });
    const name = `acme/both-${crypto.randomUUID().slice(0, 8)}`;
    const input = { suite: relaySuite, name, owner: "acme", anyOwner: false, allowPartial: false };
    for (const visibility of ["public", "unlisted"] as const) {
      const row = JSON.stringify({ id: "s0", first: visibility, expected: "x" });
      const file = new TextEncoder().encode(row);
      await registerDataset(platform, { ...input, visibility, file });
      clock += 1_000;
    }
    const app = appOf(platform);
    for (const [owner, visibility] of [
      ["other", "public"],
      ["acme", "unlisted"],
    ] as const) {
      const created = await submitAs(app, owner, submission(name, `${owner}/m`));
      const { runs } = (await created.json()) as { runs: { id: string }[] };
      expect((await platform.runs.get(runs[0]?.id ?? ""))?.visibility).toBe(visibility);
    }
  });
});

it("nothing is public by default: a new dataset and a run on a public one are unlisted", async () => {
  const { call, upload } = hosted();
  const { ordered } = someRows();
  const uploaded = async (name: string, more = "") =>
    (await upload("acme", `acme/${name}`, ordered, more)).json();
  expect(await uploaded("quiet", "")).toMatchObject({ visibility: "unlisted" });
  expect(await uploaded("open", "&visibility=public")).toMatchObject({ visibility: "public" });
  expect(await uploaded("open", "")).toMatchObject({ visibility: "public" });
  const { visibility: _, ...body } = submission("acme/open", "acme/m");
  const asked = JSON.stringify({ ...body, options: { sample: { n: 1 } } });
  const created = await call("acme", "POST", "/v1/submissions", asked, "application/json");
  const [run] = ((await created.json()) as { runs: { links: { self: string } }[] }).runs;
  const read = await call(null, "GET", run?.links.self ?? "");
  expect(await read.json()).toMatchObject({ visibility: "unlisted" });
});
