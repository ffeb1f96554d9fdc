import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/sweep.ts";
import { readSettings } from "./settings.ts";
import { emptySnapshot, openSource } from "./source.ts";

const aRun = (finishedAt: string | null): Run => ({
  id: "r1",
  submission: "s1",
  parent: null,
  variant: null,
  hybrid: null,
  suite: "extraction",
  suiteVersion: "1",
  dataset: { name: "stock", version: "v", samples: 1 },
  model: {
    ...{ slug: "a/b", name: "B", url: null, license: null },
    ...{ parameters: null, quantization: null, simulated: false },
  },
  provenance: { kind: "called", endpointHost: "api.example" },
  status: finishedAt ? "finished" : "running",
  statusReason: null,
  visibility: "public",
  hiddenReason: null,
  ...{ phase: "answering", judging: null },
  progress: { total: 1, done: 1, failed: 0 },
  options: {},
  prices: null,
  cost: null,
  concurrency: { wanted: 1, now: 1 },
  scoringVersion: "s",
  promptHash: null,
  notes: [],
  headline: "eqs",
  metrics: null,
  breakdown: { fields: 1 },
  timeline: null,
  answersRemovedAt: null,
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: null,
  finishedAt,
  estimatedFinishAt: null,
  waitingUntil: null,
  links: { self: "", samples: "", report: "", badge: "" },
});

let cacheDir: string;
let server: Server;
let origin: string;
let asked: string[];
let answer: unknown;
/** Replies before `answer`: status and seconds to wait. */
let before: [status: number, retryAfter: string][];

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), "assay-runs-"));
  asked = [];
  before = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const first = before.shift();
    if (first) {
      response.writeHead(first[0], { "retry-after": first[1] }).end("{}");
      return;
    }
    response.writeHead(answer === null ? 404 : 200).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.close();
  await rm(cacheDir, { recursive: true });
});

const open = () =>
  openSource(readSettings({ ASSAY_ORIGIN: `${origin}/`, ASSAY_CACHE_DIR: cacheDir }));

it("openSource() fetches a finished run once and keeps it", async () => {
  const run = aRun("2026-01-01T00:01:00Z");
  answer = run;
  expect(await open().run(run)).toEqual(run);
  expect(await open().run(run)).toEqual(run);
  expect(asked).toEqual(["/v1/runs/r1"]);
});

it("openSource() fetches an unfinished run anew, and one that was scored again", async () => {
  answer = aRun(null);
  await open().run(aRun(null));
  await open().run(aRun(null));
  answer = { ...aRun("2026-01-01T00:01:00Z"), scoringVersion: "t" };
  await open().run(aRun("2026-01-01T00:01:00Z"));
  await open().run({ ...aRun("2026-01-01T00:01:00Z"), scoringVersion: "u" });
  expect(asked).toHaveLength(4);
});

it("openSource() says in a sentence that the API does not answer", async () => {
  answer = null;
  await expect(open().snapshot()).rejects.toThrow(
    `${origin}/v1/snapshot answered 404: check that ASSAY_ORIGIN is the API.`,
  );
  server.close();
  const closed = openSource(readSettings({ ASSAY_ORIGIN: "http://127.0.0.1:1" }));
  await expect(closed.snapshot()).rejects.toThrow(
    "http://127.0.0.1:1/v1/snapshot does not answer: start the API or correct ASSAY_ORIGIN.",
  );
});

it("openSource() is empty without an origin or folder", async () => {
  expect(await openSource(readSettings({})).snapshot()).toEqual(emptySnapshot);
});

const aSweep: Sweep = {
  ...{ submission: "s1", suite: "quality", headline: "overall", parameters: [], models: [] },
  dataset: { name: "stock", version: "v", samples: 1 },
  createdAt: "2026-01-01T00:00:00Z",
};

it("openSource() waits for a sweep, fetches it once, and anew when its hash is another", async () => {
  answer = aSweep;
  before = [
    [202, "0"],
    [429, "0"],
  ];
  expect(await open().sweep({ submission: "s1", hash: "a" })).toEqual(aSweep);
  expect(asked).toEqual(Array(3).fill("/v1/submissions/s1/sweep"));
  expect(await open().sweep({ submission: "s1", hash: "a" })).toEqual(aSweep);
  expect(asked).toHaveLength(3);
  await open().sweep({ submission: "s1", hash: "b" });
  expect(asked).toHaveLength(4);
});

it("openSource() goes without a sweep that is not there any more", async () => {
  answer = null;
  expect(await open().sweep({ submission: "s1", hash: "a" })).toBeNull();
  before = [[409, "2"]];
  expect(await open().sweep({ submission: "s1", hash: "a" })).toBeNull();
  before = [[500, "0"]];
  await expect(open().sweep({ submission: "s1", hash: "a" })).rejects.toThrow(/answered 500/);
});
