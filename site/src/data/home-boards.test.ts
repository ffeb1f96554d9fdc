import { expect, it } from "vitest";
import { homeBoards } from "./home-boards.ts";
import type { BoardPage } from "./place-boards.ts";
import { readSettings } from "./settings.ts";

const suites = ["extraction", "tools"].map((id) => ({ id, label: id, question: "?" }));

const aPage = (suite: string, dataset: string, ranks: (number | null)[]) =>
  ({
    board: { suite, dataset: { name: dataset }, entries: ranks.map((rank) => ({ rank })) },
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

it("homeBoards() takes the board of the dataset that was put first, however few it ranks", () => {
  const small = aPage("extraction", "a", [1]);
  const large = aPage("extraction", "b", [1, 2]);
  const first = readSettings({ ASSAY_FIRST_DATASETS: "tools=x, extraction=a,nonsense" });
  const [home] = homeBoards(suites, [small, large], first.firstDatasets);
  expect(home).toEqual({ suite: suites[0], page: small, others: [large] });
});
