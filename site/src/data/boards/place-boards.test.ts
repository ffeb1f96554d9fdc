import { expect, it } from "vitest";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { readSettings } from "../settings.ts";
import { type BoardPage, homeBoards, placeBoards } from "./place-boards.ts";

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
  judgeWarnings: [],
  bridges: [],
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

it("placeBoards() gives the dataset's address to the default board of its newest version", () => {
  const boards = [aBoard("a", "old", true), aBoard("b", "new", false), aBoard("c", "new", true)];
  const pages = placeBoards({ boards, datasets });
  expect(pages.map(({ board, path }) => [board.id, path])).toEqual([
    ["c", "/leaderboards/extraction/acme/stock/"],
    ["a", "/boards/a/"],
    ["b", "/boards/b/"],
  ]);
  expect(pages[0]?.others.map(({ board }) => board.id)).toEqual(["a", "b"]);
});

it("placeBoards() never gives the address to a superseded board", () => {
  const boards = [aBoard("a", "new", true, "b"), aBoard("b", "old", true)];
  expect(placeBoards({ boards, datasets })[0]?.board.id).toBe("b");
});

it("placeBoards() prefers the board with the suite's headline over that of hybrid targets", () => {
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

const suites = ["extraction", "tools"].map((id) => ({ id, label: id, question: "?" }));

const aPage = (suite: string, dataset: string, ranks: (number | null)[]) =>
  ({
    board: { suite, dataset: { name: dataset }, entries: ranks.map((rank) => ({ rank })) },
    path: `/leaderboards/${suite}/${dataset}/`,
    others: [],
  }) as unknown as BoardPage;

it("homeBoards() takes the board with most ranked models, and lists the others", () => {
  const small = aPage("extraction", "a", [1, null, null]);
  const large = aPage("extraction", "b", [1, 2]);
  expect(homeBoards(suites, [small, large])).toEqual([
    { suite: suites[0], page: large, others: [small] },
    { suite: suites[1], page: null, others: [] },
  ]);
});

it("homeBoards() takes the first by path of boards with equally many ranked models", () => {
  const [b, a] = [aPage("tools", "b", [1]), aPage("tools", "a", [1])];
  expect(homeBoards(suites, [b, a])[1]).toEqual({ suite: suites[1], page: a, others: [b] });
});

it("homeBoards() prefers the board of a dataset that is configured as first", () => {
  const small = aPage("extraction", "a", [1]);
  const large = aPage("extraction", "b", [1, 2]);
  const first = readSettings({ ASSAY_FIRST_DATASETS: "tools=x, extraction=a,nonsense" });
  const [home] = homeBoards(suites, [small, large], first.firstDatasets);
  expect(home).toEqual({ suite: suites[0], page: small, others: [large] });
});
