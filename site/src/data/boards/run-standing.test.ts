import { expect, it } from "vitest";
import { mostCompared } from "./comparison-request.ts";
import type { BoardPage } from "./place-boards.ts";
import { placeOfRun } from "./run-standing.ts";

const entry = (run: string, rank: number | null) => ({
  run,
  rank,
  rankInterval: rank && [rank, rank + 1],
  finishedAt: "2026-11-01T00:00:00Z",
  scoringVersion: "s",
  model: { name: run.toUpperCase() },
});
const entries = [entry("a", 1), entry("b", 2), entry("c", null), entry("d", 3)];
const page = {
  path: "/leaderboards/tools/stock/",
  board: { id: "board", entries: entries.slice(0, 3) },
} as unknown as BoardPage;
const placeOf = (run: string) => placeOfRun(page, entries as never, run);

it("placeOfRun() compares the first with the second, and others with the first", () => {
  expect(placeOf("a")).toMatchObject({ rank: 1, ranked: 3, rival: { run: "b", name: "B" } });
  expect(placeOf("b")).toMatchObject({ rankInterval: [2, 3], rival: { run: "a", name: "A" } });
  expect(placeOf("b")?.compared).toHaveLength(2);
});

it("placeOfRun() is null for runs that are not ranked, or not among the first", () => {
  expect([placeOf("c"), placeOf("d"), placeOf("x")]).toEqual([null, null, null]);
  const many = Array.from({ length: 30 }, (_, i) => entry(`r${i}`, i + 1));
  const large = { ...page, board: { ...page.board, entries: many } } as unknown as BoardPage;
  const places = many.map(({ run }) => placeOfRun(large, many as never, run)?.rank ?? null);
  expect(places).toEqual(many.map(({ rank }) => (rank! <= mostCompared ? rank : null)));
});
