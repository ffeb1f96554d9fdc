import { expect, it } from "vitest";
import { homeBoards } from "./home-boards.ts";
import type { BoardPage } from "./place-boards.ts";

const suites = ["extraction", "tools"].map((id) => ({ id, label: id, question: "?" }));

const aPage = (suite: string, dataset: string, ranks: (number | null)[]) =>
  ({
    board: { suite, entries: ranks.map((rank) => ({ rank })) },
    path: `/leaderboards/${suite}/${dataset}/`,
    others: [],
  }) as unknown as BoardPage;

it("homeBoards() takes the board that ranks most models, and keeps the others", () => {
  const small = aPage("extraction", "a", [1, null, null]);
  const large = aPage("extraction", "b", [1, 2]);
  expect(homeBoards(suites, [small, large])).toEqual([
    { suite: suites[0], page: large, others: [small] },
    { suite: suites[1], page: null, others: [] },
  ]);
});

it("homeBoards() takes the first by path of boards that rank as many", () => {
  const [b, a] = [aPage("tools", "b", [1]), aPage("tools", "a", [1])];
  expect(homeBoards(suites, [b, a])[1]).toEqual({ suite: suites[1], page: a, others: [b] });
});
