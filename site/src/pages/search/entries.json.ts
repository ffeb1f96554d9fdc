import type { APIRoute } from "astro";
import MiniSearch from "minisearch";
import { boardPages } from "../../data/boards/boards.ts";
import { allDatasets } from "../../data/datasets.ts";
import type { SearchEntry } from "../../data/docs/search-sections.ts";
import { suiteLabel } from "../../data/metrics.ts";
import { modelsWithPage } from "../../data/page-files.ts";
import { paths } from "../../data/paths.ts";
import { keptPart } from "../../data/render-cache.ts";
import { searchIndexPath, searchOptions } from "../../data/search-index.ts";

/** Maximum models and datasets in the index: a few thousand names are as large as all texts. */
const MOST_NAMES = 2000;

const resultEntries: readonly SearchEntry[] = [
  ...boardPages.map(({ board, path }) => ({
    href: path,
    page: "Leaderboards",
    title: `${suiteLabel(board.suite)}: ${board.dataset.name}`,
    text: `${board.entries.length} models`,
  })),
  ...modelsWithPage.slice(0, MOST_NAMES).map(({ model }) => ({
    href: paths.model(model.slug),
    page: "Models",
    title: model.name,
    text: model.slug,
  })),
  ...allDatasets.slice(0, MOST_NAMES).map(({ suite, name }) => ({
    href: paths.dataset(suite, name),
    page: "Datasets",
    title: name,
    text: suiteLabel(suite),
  })),
];

/** Characters of a result's text that are shown. */
const START = 140;

const startOf = (text: string): string => {
  const plain = text.replaceAll("`", "");
  return plain.length <= START ? plain : `${plain.slice(0, START).replace(/\s+\S*$/, "")} …`;
};

const started = (entries: readonly SearchEntry[], idOf: (i: number) => number) =>
  entries.map((entry, i) => ({ ...entry, id: idOf(i), start: startOf(entry.text) }));

/** The index of texts, which change only with the code; the search page adds the results to it. */
export const GET: APIRoute = async () => {
  const texts = await keptPart(searchIndexPath, null, async () => {
    const { textEntries } = await import("../../data/docs/search-entries.ts");
    const index = new MiniSearch(searchOptions);
    index.addAll(started(textEntries, (i) => i));
    return JSON.stringify(index);
  });
  const results = JSON.stringify(started(resultEntries, (i) => -1 - i));
  const body = `{"texts":${texts},"results":${results}}`;
  return new Response(body, { headers: { "content-type": "application/json" } });
};
