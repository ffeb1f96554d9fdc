import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadComparison, loadSamples } from "./load-comparison.ts";

beforeEach(() => {
  vi.stubGlobal("document", new JSDOM(`<p data-api="https://api.example">`).window.document);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const { signal } = new AbortController();

/** Replies by path and query, and 404 otherwise; returns the requests. */
function mockReplies(answers: (path: URL) => unknown): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice("https://api.example".length));
    const body = answers(new URL(url));
    return new Response(JSON.stringify(body ?? { detail: "no" }), { status: body ? 200 : 404 });
  });
  return asked;
}

it("loadComparison() has the metrics of the runs that it can read", async () => {
  const runs = [{ run: "a" }, { run: "b" }];
  const metrics = { main: { value: 1, interval: null, n: 1, coverage: 1 } };
  mockReplies(({ pathname }) => {
    if (pathname === "/v1/compare") return { suite: "s", runs, metrics: [{ metric: "main" }] };
    return pathname === "/v1/runs/a" ? { metrics } : null;
  });
  const compared = await loadComparison(["a", "b"], [], { signal, onWait: () => {} });
  expect(compared.suite).toMatchObject({ id: "s", headline: "main", views: [] });
  expect([...compared.figures]).toEqual([
    ["a", metrics],
    ["b", {}],
  ]);
});

it("loadComparison() fails with the API's message", async () => {
  mockReplies(() => null);
  const loading = { signal, onWait: () => {} };
  await expect(loadComparison(["a", "b"], [], loading)).rejects.toThrow("no");
});

/** Pages of a run of `total` samples. */
const paged = (total: number) => (url: URL) => {
  const from = Number(url.searchParams.get("cursor") ?? 0);
  const size = Math.min(500, total - from);
  const samples = Array.from({ length: size }, (_, i) => ({ id: `s${from + i}`, score: 1 }));
  return { samples, nextCursor: from + size < total ? String(from + size) : null };
};

it.each([
  [0, 0, false, 1],
  [1_200, 1_200, false, 3],
  [2_000, 2_000, false, 4],
  [5_000, 2_000, true, 4],
])("loadSamples() of a run of %i reads %i of them", async (total, count, isPart, pages) => {
  const asked = mockReplies(paged(total));
  const read = await loadSamples("a/b", signal);
  expect([read.rows.length, read.isPart, asked.length]).toEqual([count, isPart, pages]);
  expect(asked[0]).toBe("/v1/runs/a%2Fb/samples?limit=500");
});
