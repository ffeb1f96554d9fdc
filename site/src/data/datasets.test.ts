import { expect, it } from "vitest";
import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { BoardPage } from "./boards/place-boards.ts";
import { datasetPages } from "./datasets.ts";

const aSet = (suite: string, name: string, version: string, month: string) =>
  ({
    suite,
    name,
    version,
    samples: 3,
    visibility: "public",
    createdAt: `2026-${month}-01T00:00:00Z`,
  }) as Snapshot["datasets"][number];

const of = (suite: string, name: string) => ({
  suite,
  dataset: { name, version: "v", samples: 3 },
});

it("datasetPages() groups versions by suite and name, newest first", () => {
  const old = aSet("extraction", "stock", "old", "01");
  const now = aSet("extraction", "stock", "now", "02");
  const other = aSet("tools", "stock", "now", "03");
  const pages = datasetPages([old, other, now], [], []);
  expect(pages.map(({ suite, versions }) => ({ suite, versions }))).toEqual([
    { suite: "extraction", versions: [now, old] },
    { suite: "tools", versions: [other] },
  ]);
});

it("datasetPages() finds the boards and runs of each dataset", () => {
  const sets = [aSet("extraction", "stock", "v", "01"), aSet("extraction", "acme/a", "v", "01")];
  const board = { board: of("extraction", "stock"), path: "/", others: [] } as unknown as BoardPage;
  const runs = [of("extraction", "acme/a"), of("tools", "stock"), of("extraction", "stock")];
  const [acme, stock] = datasetPages(sets, [board], runs);
  expect(acme).toMatchObject({ name: "acme/a", boards: [], runs: [runs[0]] });
  expect(stock).toMatchObject({ name: "stock", boards: [board], runs: [runs[2]] });
});

it("datasetPages() without datasets is empty", () => {
  expect(datasetPages([], [], [])).toEqual([]);
});
