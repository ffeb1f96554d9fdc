import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import { placeBoards } from "./place-boards.ts";

const aBoard = (
  id: string,
  version: string,
  isDefault: boolean,
  supersededBy: string | null = null,
): Leaderboard => ({
  id,
  suite: "extraction",
  dataset: { name: "acme/stock", version, samples: 1 },
  scoringVersion: "s",
  promptHash: "p",
  structuredOutput: "auto",
  headline: "eqs",
  isDefault,
  repeats: 1,
  simulated: false,
  comparedSamples: null,
  tests: null,
  entries: [],
  judging: null,
  canaries: null,
  supersededBy,
  supersededAt: null,
  listed: 0,
  nextCursor: null,
  updatedAt: "2026-01-01T00:00:00Z",
});

const datasets = ["old", "new"].map((version, index) => ({
  suite: "extraction",
  name: "acme/stock",
  version,
  samples: 1,
  visibility: "public" as const,
  createdAt: `202${index}-01-01T00:00:00Z`,
}));

it("placeBoards() gives the default board of the newest dataset version its address", () => {
  const boards = [aBoard("a", "old", true), aBoard("b", "new", false), aBoard("c", "new", true)];
  const pages = placeBoards({ boards, datasets });
  expect(pages.map(({ board, path }) => [board.id, path])).toEqual([
    ["c", "/leaderboards/extraction/acme/stock/"],
    ["a", "/boards/a/"],
    ["b", "/boards/b/"],
  ]);
  expect(pages[0]?.others.map(({ board }) => board.id)).toEqual(["a", "b"]);
});

it("placeBoards() gives no superseded board the address", () => {
  const boards = [aBoard("a", "new", true, "b"), aBoard("b", "old", true)];
  expect(placeBoards({ boards, datasets })[0]?.board.id).toBe("b");
});

it("placeBoards() gives the address to the board that ranks by the suite's headline, where hybrid targets have their own", () => {
  const tools = (id: string, headline: string): Leaderboard => ({
    ...aBoard(id, "new", true),
    suite: "tools",
    headline,
  });
  const pages = placeBoards({ boards: [tools("a", "total"), tools("b", "avgF1")], datasets });
  expect(pages.map(({ board, path }) => [board.id, path])).toEqual([
    ["b", "/leaderboards/tools/acme/stock/"],
    ["a", "/boards/a/"],
  ]);
  const [alone] = placeBoards({ boards: [tools("a", "total")], datasets });
  expect(alone?.path).toBe("/leaderboards/tools/acme/stock/");
});
