import { expect, it } from "vitest";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Dataset } from "../../../shared/contracts/datasets/dataset.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { problemOf } from "../support/client.ts";
import { submitRun } from "../support/harness.ts";
import { hosted, listedBoards } from "../support/hosted.ts";

/** Two questions about each of `count` texts, tagged with a topic. */
const pairs = (count: number, more: object = {}) => {
  const test = crypto.randomUUID();
  return Array.from({ length: 2 * count }, (_, i) =>
    JSON.stringify({
      id: `s${i}`,
      prompt: `Describe ${test}, place ${i >> 1}.`,
      tags: { topic: i < count ? "north" : "south", ...more },
    }),
  ).join("\n");
};

function service() {
  const rig = hosted({ suites: { all: suites, byId: suiteById } });
  const upload = (name: string, rows: string, more = "") =>
    rig.call(
      "acme",
      "POST",
      `/v1/datasets?suite=quality&name=${name}&visibility=public${more}`,
      rows,
    );
  const stored = async (reply: Response) => {
    expect(reply.status).toBe(201);
    return (await reply.json()) as Dataset;
  };
  const tagsOf = async ({ version }: Dataset) => {
    const { heads } = await rig.platform.datasets.index("quality", version);
    return heads.map(({ tags }) => tags["cluster"]);
  };
  return { ...rig, upload, stored, tagsOf };
}

it("an upload whose samples share texts gets a question about clusters, also on boards, until it is answered", async () => {
  const { platform, upload, stored, deliverAll, call } = service();
  const rows = pairs(4);
  const asked = await stored(await upload("acme/pairs", rows));
  expect(asked.likelyClusters).toEqual({ by: "prompt", samples: 8, groups: 4 });
  await submitRun(platform, "acme/pairs", { suite: "quality" });
  await deliverAll();
  const boards = async () =>
    (await listedBoards(platform, "acme/pairs")).map(({ id, likelyClusters }) => ({
      id,
      likelyClusters,
    }));
  const [board] = await boards();
  expect(board?.likelyClusters).toEqual(asked.likelyClusters);
  const answered = await stored(await upload("acme/pairs", rows, "&clusters=independent"));
  expect(answered).toMatchObject({ version: asked.version, createdAt: asked.createdAt });
  expect(answered.likelyClusters).toBeUndefined();
  const read = await call(null, "GET", "/v1/datasets/quality/acme%2Fpairs");
  expect(((await read.json()) as Dataset).likelyClusters).toBeUndefined();
  const one = await call(null, "GET", `/v1/boards/${board?.id}`);
  expect(((await one.json()) as Leaderboard).likelyClusters).toBeUndefined();
  expect(await boards()).toEqual([{ id: board?.id, likelyClusters: undefined }]);
});

it("clusters=likely tags samples that share a text, which makes another version", async () => {
  const { upload, stored, tagsOf } = service();
  const rows = pairs(3);
  const asked = await stored(await upload("acme/tagged", rows));
  const tagged = await stored(await upload("acme/tagged", rows, "&clusters=likely"));
  expect(tagged.version).not.toBe(asked.version);
  expect(tagged.likelyClusters).toBeUndefined();
  const tags = await tagsOf(tagged);
  expect(tags[0]).toMatch(/^prompt [0-9a-f]{8}$/);
  expect(new Set(tags).size).toBe(3);
  expect(tags[0]).toBe(tags[1]);
  // The same upload gives the same version.
  expect((await stored(await upload("acme/tagged", rows, "&clusters=likely"))).version).toBe(
    tagged.version,
  );
});

it("clusters=NAME uses the values of a tag, and notes keep the line numbers of the file", async () => {
  const { upload, stored, tagsOf } = service();
  const rows = `{"id": "bad"}\n${pairs(2)}`;
  const more = "&clusters=topic&allowPartial=true";
  const tagged = await stored(await upload("acme/topics", rows, more));
  expect(await tagsOf(tagged)).toEqual(["north", "north", "south", "south"]);
  expect(tagged.malformed).toMatchObject([{ line: 1, id: "bad" }]);
});

it("clusters with an unsuitable tag is refused, and nothing is stored", async () => {
  const { upload, platform } = service();
  const unknown = await upload("acme/wrong", pairs(2), "&clusters=session");
  expect(unknown.status).toBe(422);
  expect((await problemOf(unknown)).errors?.[0]).toMatchObject({
    parameter: "clusters",
    detail: 'no sample has a tag "session": tags are topic; or give independent or likely',
  });
  const alike = pairs(2).replaceAll("south", "north");
  const one = await upload("acme/wrong", alike, "&clusters=topic");
  expect((await problemOf(one)).errors?.[0]?.detail).toContain("have the same value of tag topic");
  const twice = await upload("acme/wrong", pairs(2, { cluster: "c" }), "&clusters=likely");
  expect((await problemOf(twice)).errors?.[0]?.detail).toContain("have the tag cluster already");
  expect(await platform.datasets.find("quality", "acme/wrong", null)).toBeNull();
});

it("a sample with the maximum number of tags is named, and nothing is stored", async () => {
  const { upload, platform } = service();
  const tags = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`t${i}`, "x"]));
  const full = await upload("acme/full", pairs(2, tags), "&clusters=likely");
  expect((await problemOf(full)).errors?.[0]?.detail).toContain('sample "s0" is invalid');
  expect(await platform.datasets.find("quality", "acme/full", null)).toBeNull();
});

it("clusters=__proto__ is an ordinary tag name", async () => {
  const { upload, stored, tagsOf } = service();
  const rows = pairs(2).replaceAll('"topic":"north"', '"__proto__":"north"');
  const tagged = await stored(await upload("acme/named", rows, "&clusters=__proto__"));
  expect(await tagsOf(tagged)).toEqual(["north", "north", undefined, undefined]);
});

it("an upload after a deletion can answer the question of existing boards", async () => {
  const { platform, upload, stored, deliverAll, call } = service();
  const rows = pairs(4);
  await stored(await upload("acme/back", rows));
  await submitRun(platform, "acme/back", { suite: "quality" });
  await deliverAll();
  expect((await call("acme", "DELETE", "/v1/datasets/quality/acme%2Fback")).status).toBe(200);
  await stored(await upload("acme/back", rows, "&clusters=independent"));
  const boards = await listedBoards(platform, "acme/back");
  expect(boards.map(({ likelyClusters }) => likelyClusters)).toEqual([undefined]);
});

it("samples without shared texts, or with the tag cluster, get no question", async () => {
  const { upload, stored, tagsOf } = service();
  const apart = pairs(1).split("\n").slice(1).join("\n");
  expect((await stored(await upload("acme/apart", apart))).likelyClusters).toBeUndefined();
  const tagged = await stored(await upload("acme/said", pairs(3, { cluster: "one" })));
  expect(tagged.likelyClusters).toBeUndefined();
  const untouched = await stored(await upload("acme/apart", apart, "&clusters=likely"));
  expect(await tagsOf(untouched)).toEqual([undefined]);
});
