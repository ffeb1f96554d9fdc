import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Highlights } from "#shared/contracts/run-report.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import type { ComparisonRequest } from "./boards/comparison-request.ts";
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
    slug: "a/b",
    name: "B",
    url: null,
    license: null,
    parameters: null,
    quantization: null,
    simulated: false,
  },
  provenance: { kind: "called", endpointHost: "api.example" },
  status: finishedAt ? "finished" : "running",
  statusReason: null,
  visibility: "public",
  hiddenReason: null,
  phase: "answering",
  judging: null,
  progress: { total: 1, done: 1, failed: 0 },
  options: {},
  prices: null,
  cost: null,
  concurrency: { wanted: 1, now: 1 },
  scoringVersion: "s",
  promptHash: null,
  codeRevision: null,
  notes: [],
  headline: "eqs",
  metrics: null,
  breakdown: { fields: 1 },
  timeline: null,
  points: null,
  answersRemovedAt: null,
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: null,
  finishedAt,
  estimatedFinishAt: null,
  waitingUntil: null,
  links: { self: "", samples: "", report: "", badge: "", statement: null },
});

const wait = globalThis.setTimeout;

let cacheDir: string;
let server: Server;
let origin: string;
let asked: string[];
let answer: unknown;
/** Replies by path; other paths get `answer`. A number is a status. */
let answers: Record<string, unknown>;
/** Body of the first reply in `before`. */
let firstBody: string;
/** Replies before `answer`: status and value of Retry-After. */
let before: [status: number, retryAfter: string][];

beforeEach(async () => {
  // Others, such as the HTTP client, also use timers and pass arguments.
  const sooner = (call: (...args: unknown[]) => void, ms: number, ...args: unknown[]) =>
    wait(call, ms / 50, ...args);
  vi.stubGlobal("setTimeout", sooner);
  cacheDir = await mkdtemp(join(tmpdir(), "assay-runs-"));
  asked = [];
  before = [];
  answers = {};
  firstBody = "{}";
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const first = before.shift();
    if (first) {
      response.writeHead(first[0], { "retry-after": first[1] }).end(firstBody);
      return;
    }
    const reply = answers[request.url ?? ""];
    if (reply !== undefined) {
      response.writeHead(typeof reply === "number" ? reply : 200).end(JSON.stringify(reply));
      return;
    }
    response.writeHead(answer === null ? 404 : 200).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  vi.unstubAllGlobals();
  server.close();
  await rm(cacheDir, { recursive: true });
});

const open = () =>
  openSource(readSettings({ ASSAY_ORIGIN: `${origin}/`, ASSAY_CACHE_DIR: cacheDir }));

const hashes = { page: "a".repeat(64), run: "b".repeat(64), news: "c".repeat(64) };
const noNews = { canaries: [], drifts: [], datasetChanges: [], republications: [] };

/** Serves one published run; `more`: further replies by path. */
function publish(run: Run, more: Record<string, unknown> = {}) {
  const page = { page: 0, hash: hashes.page, items: 1 };
  const root = { version: 2, hash: "e", createdAt: run.createdAt, runs: [page], boards: [] };
  const { id, finishedAt } = run;
  answers = {
    "/v1/snapshot": { ...root, datasets: [], sweeps: [], parities: [], news: hashes.news },
    [`/v1/snapshot/pages/${hashes.page}`]: {
      kind: "runs",
      items: [{ id, hash: hashes.run, finishedAt }],
    },
    [`/v1/snapshot/runs/${id}/${hashes.run}`]: run,
    [`/v1/snapshot/news/${hashes.news}`]: noNews,
    ...more,
  };
}

it("openSource() reads root, pages and objects; later builds reuse the objects", async () => {
  const run = aRun("2026-01-01T00:01:00Z");
  publish(run);
  const { breakdown: _, timeline: __, points: ___, ...listed } = run;
  for (const source of [open(), open()]) {
    expect(await source.snapshot()).toMatchObject({ hash: "e", runs: [listed], boards: [] });
    expect(await source.run(listed)).toEqual(run);
  }
  expect(asked.sort()).toEqual(
    ["/v1/snapshot", "/v1/snapshot", ...Object.keys(answers).slice(1)].sort(),
  );
});

it("openSource() deletes cached objects that the newest snapshot does not name", async () => {
  const run = aRun("2026-01-01T00:01:00Z");
  publish(run);
  await open().snapshot();
  expect(await readdir(cacheDir)).toHaveLength(3);
  answers["/v1/snapshot"] = { ...(answers["/v1/snapshot"] as object), runs: [], news: null };
  expect((await open().snapshot()).runs).toEqual([]);
  expect(await readdir(cacheDir)).toEqual([]);
});

it("openSource() starts again if the snapshot changed while it was read", async () => {
  const run = aRun("2026-01-01T00:01:00Z");
  publish(run);
  before = [
    [200, "0"],
    [410, "0"],
  ];
  const [first] = Object.values(answers);
  firstBody = JSON.stringify(first);
  expect((await open().snapshot()).runs).toHaveLength(1);
  expect(asked.filter((path) => path === "/v1/snapshot")).toHaveLength(2);
});

it("openSource() explains in a sentence why an object can't be read", async () => {
  const run = aRun("2026-01-01T00:01:00Z");
  const path = `/v1/snapshot/runs/r1/${hashes.run}`;
  publish(run, { [path]: 410 });
  await expect(open().snapshot()).rejects.toThrow(
    `${origin}${path} answered 410: the results changed while the site was being built. Build it again.`,
  );
  publish(run, { [path]: { other: "shape" } });
  await expect(open().snapshot()).rejects.toThrow(
    `this site can't read ${path}: deploy the API from the same revision as the site`,
  );
  publish(run, { "/v1/snapshot": { version: 1, runs: [] } });
  await expect(open().snapshot()).rejects.toThrow("this site can't read /v1/snapshot");
});

it("openSource() retries replies of 429 and 409", async () => {
  publish(aRun("2026-01-01T00:01:00Z"));
  before = [
    [429, "0"],
    [409, "0"],
  ];
  expect((await open().snapshot()).runs).toHaveLength(1);
  expect(asked.slice(0, 3)).toEqual(Array(3).fill("/v1/snapshot"));
});

const pick = { kind: "best" as const, reason: "highest score", repeat: 0 };

/** A run with one answer picked as a highlight. */
const pickedRun = (more: Partial<Run> = {}): Run => ({
  ...aRun("2026-01-01T00:01:00Z"),
  points: { answers: 1, points: [], latency: [], picks: [{ ...pick, seq: 0, id: "s0" }] },
  ...more,
});

const someHighlights: Highlights = {
  samples: [
    {
      ...pick,
      result: {
        seq: 0,
        id: "s0",
        status: "scored",
        covered: true,
        score: 1,
        errorClass: null,
        latencyMs: 5,
        inputTokens: null,
        outputTokens: null,
        requests: 1,
        attempts: 1,
        queueWaitMs: null,
        retryWaitMs: null,
        sample: { id: "s0" },
        answer: emptyAnswer,
        detail: null,
      },
    },
  ],
};

it("openSource() fetches a run's highlights once, whether ahead or on demand", async () => {
  answer = someHighlights;
  await open().fetchAhead(pickedRun());
  await open().fetchAhead(pickedRun());
  expect(await open().highlights(pickedRun())).toEqual(someHighlights.samples);
  expect(asked).toEqual(["/v1/runs/r1/highlights"]);
});

it("openSource() requests no highlights if none were picked, and continues if they are missing", async () => {
  for (const run of [pickedRun({ points: null }), aRun(null)]) {
    expect(await open().highlights(run)).toEqual([]);
  }
  expect(asked).toEqual([]);
  answer = null;
  expect(await open().highlights(pickedRun())).toEqual([]);
});

it("openSource() continues without highlights that fail or are too large, with a warning and no retry", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const path = "/v1/runs/r1/highlights";
  for (const [reply, why] of [
    [
      503,
      `No highlights of run r1: ${origin}${path} answered 503: check that ASSAY_ORIGIN is the API.`,
    ],
    [
      "x".repeat(17 * 1024 * 1024),
      `${origin}${path} answered more than the limit of 16777216 bytes.`,
    ],
  ] as const) {
    [answers, asked] = [{ [path]: reply }, []];
    const source = open();
    await source.fetchAhead(pickedRun());
    expect(await source.highlights(pickedRun())).toEqual([]);
    expect(asked).toEqual([path]);
    expect(warned.mock.lastCall?.[0]).toContain(why);
  }
  expect(warned).toHaveBeenCalledTimes(2);
  expect(await readdir(cacheDir)).toEqual([]);
  warned.mockRestore();
});

it("openSource() deletes the highlights of a run whose raw answers were removed", async () => {
  answer = someHighlights;
  await open().fetchAhead(pickedRun());
  const removed = pickedRun({ answersRemovedAt: "2026-02-01T00:00:00Z" });
  await open().fetchAhead(removed);
  expect(await open().highlights(removed)).toEqual([]);
  expect(await readdir(cacheDir)).toEqual([]);
});

it("openSource() reads highlights from a folder", async () => {
  const folder = openSource(readSettings({ ASSAY_SNAPSHOT_DIR: cacheDir }));
  expect(await folder.highlights(pickedRun())).toEqual([]);
  await mkdir(join(cacheDir, "highlights"));
  await writeFile(join(cacheDir, "highlights", "r1.json"), JSON.stringify(someHighlights));
  expect(await folder.highlights(pickedRun())).toEqual(someHighlights.samples);
});

it("openSource() explains in a sentence that the API does not answer", async () => {
  answer = null;
  await expect(open().snapshot()).rejects.toThrow(
    `${origin}/v1/snapshot answered 404: check that ASSAY_ORIGIN is the API.`,
  );
  server.close();
  server.closeAllConnections();
  await expect(open().snapshot()).rejects.toThrow(
    `${origin}/v1/snapshot does not answer: start the API or correct ASSAY_ORIGIN.`,
  );
});

it("openSource() is empty without an origin or folder", async () => {
  expect(await openSource(readSettings({})).snapshot()).toEqual(emptySnapshot);
});

const aSweep: Sweep = {
  submission: "s1",
  suite: "quality",
  headline: "overall",
  parameters: [],
  models: [],
  dataset: { name: "stock", version: "v", samples: 1 },
  createdAt: "2026-01-01T00:00:00Z",
};

it("openSource() waits for a sweep, caches it, and fetches it again if its hash changes", async () => {
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

it("openSource() continues without a sweep that no longer exists", async () => {
  answer = null;
  expect(await open().sweep({ submission: "s1", hash: "a" })).toBeNull();
  before = [[409, "2"]];
  expect(await open().sweep({ submission: "s1", hash: "a" })).toBeNull();
  before = [[500, "0"]];
  await expect(open().sweep({ submission: "s1", hash: "a" })).rejects.toThrow(/answered 500/);
});

const aComparison: Comparison = {
  suite: "quality",
  dataset: { name: "stock", version: "v" },
  scoringVersion: "s",
  runs: [],
  metrics: [],
  frontiers: { latency: null, cost: null },
  bestBy: [],
  differing: [],
};

const aRequest = (finishedAt: string): ComparisonRequest => ({
  board: "b1",
  runs: ["run a", "r2"].map((run) => ({ run, finishedAt, scoringVersion: "s" })),
});

it("openSource() waits for a comparison, caches it, and fetches it again if a run changes", async () => {
  answer = aComparison;
  before = [[202, "0"]];
  expect(await open().comparison(aRequest("2026-01-01T00:00:00Z"))).toEqual(aComparison);
  expect(asked).toEqual(Array(2).fill("/v1/compare?runs=run%20a,r2"));
  await open().comparison(aRequest("2026-01-01T00:00:00Z"));
  expect(asked).toHaveLength(2);
  await open().comparison(aRequest("2026-01-02T00:00:00Z"));
  expect(asked).toHaveLength(3);
});

it("openSource() continues without a comparison that fails, with a warning", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  answer = null;
  expect(await open().comparison(aRequest("t"))).toBeNull();
  expect(warned).not.toHaveBeenCalled();
  before = [[422, "0"]];
  expect(await open().comparison(aRequest("t"))).toBeNull();
  answer = { runs: 5 };
  expect(await open().comparison(aRequest("t"))).toBeNull();
  server.close();
  expect(await open().comparison(aRequest("t"))).toBeNull();
  expect(warned).toHaveBeenCalledTimes(3);
  warned.mockRestore();
});

it("openSource() reads comparisons from a folder", async () => {
  const folder = openSource(readSettings({ ASSAY_SNAPSHOT_DIR: cacheDir }));
  expect(await folder.comparison(aRequest("t"))).toBeNull();
  await mkdir(join(cacheDir, "comparisons"));
  await writeFile(join(cacheDir, "comparisons", "b1.json"), JSON.stringify(aComparison));
  expect(await folder.comparison(aRequest("t"))).toEqual(aComparison);
});
