import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { loadStanding } from "./load-standing.ts";
import { showRank } from "./show-rank.ts";

beforeEach(() => {
  vi.stubGlobal("document", new JSDOM(`<p data-api="https://api.example">`).window.document);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const reportOf = (id: string, more: object = {}) =>
  ({
    run: {
      id,
      status: "finished",
      visibility: "public",
      variant: null,
      options: {},
      progress: { total: 9, done: 9, failed: 0 },
      dataset: { name: "own/set", version: "v1" },
      ...more,
    },
    suite: { id: "tools", metrics: [{ id: "main", label: "Main", format: "score" }] },
  }) as unknown as RunReport;

/** A board of `count` models, where `a` and `b` tie for first. */
function aBoard(count: number) {
  const ids = ["a", "b", "c", ...Array.from({ length: count - 3 }, (_, i) => `r${i}`)];
  return {
    id: "board",
    suite: "tools",
    dataset: { name: "own/set" },
    headline: "main",
    isDefault: true,
    supersededBy: null,
    nextCursor: null,
    listed: count,
    tests: { count: 3, pHolm: [[], [0.5], [0.001, 0.001]] },
    entries: ids.map((run, i) => ({
      run,
      rank: i + 1,
      rankInterval: null,
      tieGroup: i < 2 ? 1 : 2,
      model: { name: run.toUpperCase() },
      metrics: {},
      concurrency: 4,
      provenance: { kind: "called" },
    })),
  };
}

const pair = (a: string, b: string) => ({
  a,
  b,
  difference: { value: 0.2, interval: [0.1, 0.3] },
  samplesToSeparate: 20,
});
const comparison = {
  metrics: [
    {
      metric: "main",
      better: "higher",
      units: { kind: "samples", count: 9 },
      samples: 9,
      standings: ["a", "b", "c"].map((run) => ({ run, best: 0.3, tieGroup: 1 })),
      pairs: [pair("a", "b"), pair("a", "c"), pair("b", "c")],
    },
  ],
};

/** Returns the requests; the board has entries from request number `from` on. */
function mockReplies(count: number, from = 1): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice("https://api.example".length));
    const found = asked.length < from ? { ...aBoard(3), entries: [] } : aBoard(count);
    return Response.json(url.includes("/v1/compare") ? comparison : found);
  });
  return asked;
}

const wait = async () => {};

it("loadStanding() has the run's rank and verdict on its board", async () => {
  const asked = mockReplies(3);
  const standing = await loadStanding(reportOf("c"), { looks: 1, wait });
  expect(standing).toMatchObject({ board: "/leaderboards/tools/own/set/", rank: 3, ranked: 3 });
  expect(standing?.rival).toEqual({ run: "a", name: "A" });
  expect(standing?.verdict).toEqual({
    lead: "Behind A.",
    rest: ["C: −0.200 Main against A (95% CI −0.300 to −0.100, corrected p = 0.001)."],
  });
  expect(asked).toEqual([
    "/v1/leaderboard?suite=tools&dataset=own%2Fset%40v1",
    "/v1/compare?runs=a,b,c",
  ]);
});

it("loadStanding() has only the rank of a run that the board does not compare", async () => {
  mockReplies(30);
  const standing = await loadStanding(reportOf("r26"), { looks: 1, wait });
  expect(standing).toMatchObject({ rank: 30, ranked: 30, verdict: null });
});

/** Serves the board in pages of 100 entries, like the API. */
function paged(count: number): string[] {
  const asked: string[] = [];
  const { entries, ...board } = aBoard(count);
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice("https://api.example".length));
    const from = Number(new URL(url).searchParams.get("cursor") ?? 0);
    const nextCursor = from + 100 < count ? `${from + 100}` : null;
    return Response.json({ ...board, entries: entries.slice(from, from + 100), nextCursor });
  });
  return asked;
}

it("loadStanding() finds a run on a later page of the board", async () => {
  const asked = paged(250);
  const standing = await loadStanding(reportOf("r200"), { looks: 1, wait });
  expect(standing).toMatchObject({ rank: 204, ranked: 250, verdict: null });
  expect(asked.at(-1)).toBe("/v1/leaderboard?suite=tools&dataset=own%2Fset%40v1&cursor=200");
});

it("showRank() writes the rank, and keeps the link of a run that is not found", async () => {
  paged(150);
  const cellOf = (run: string) => {
    const { body } = new JSDOM(
      `<dd><a data-rank="board" data-run="${run}">on the board</a><small></small></dd>`,
    ).window.document;
    return body.querySelector("a")!;
  };
  const [found, missing] = [cellOf("r100"), cellOf("r999")];
  await showRank(found);
  expect(found.textContent).toBe("104 of 150");
  await showRank(missing);
  expect(missing.textContent).toBe("on the board");
});

it("loadStanding() waits for a run that will be ranked soon", async () => {
  mockReplies(3, 3);
  expect((await loadStanding(reportOf("b"), { looks: 3, wait }))?.rank).toBe(2);
  mockReplies(3, 3);
  expect(await loadStanding(reportOf("b"), { looks: 2, wait })).toBeNull();
});

it.each([
  { visibility: "unlisted" },
  { status: "running" },
  { options: { sample: 5 } },
  { variant: { index: 0 } },
])("loadStanding() requests no board for a run with %o", async (more) => {
  const asked = mockReplies(3);
  expect(await loadStanding(reportOf("c", more), { looks: 1, wait })).toBeNull();
  expect(asked).toEqual([]);
});
