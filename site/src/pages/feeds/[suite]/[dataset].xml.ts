import type { APIRoute } from "astro";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { defaultBoards } from "../../../data/boards/boards.ts";
import { atomFeed, feedEntries } from "../../../data/feed.ts";
import { suiteLabel } from "../../../data/metrics.ts";
import { feedFileName, paths } from "../../../data/paths.ts";
import { snapshot } from "../../../data/results.ts";
import { settings } from "../../../data/settings.ts";

export const getStaticPaths = () =>
  defaultBoards.map(({ board, path }) => ({
    params: { suite: board.suite, dataset: feedFileName(board.dataset.name) },
    props: { board, path },
  }));

export const GET: APIRoute<{ board: Leaderboard; path: string }> = ({ props: { board, path } }) => {
  const { suite, updatedAt } = board;
  const dataset = board.dataset.name;
  const head = {
    title: `Assay: new results of ${suiteLabel(suite)} on ${dataset}`,
    id: `results/${suite}/${dataset}`,
    self: paths.datasetFeed(suite, dataset),
    page: path,
    updated: updatedAt,
  };
  const entries = feedEntries(snapshot, { suite, dataset });
  return new Response(atomFeed(head, entries, settings.siteOrigin), {
    headers: { "content-type": "application/atom+xml; charset=utf-8" },
  });
};
