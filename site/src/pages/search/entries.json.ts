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

/** Models and datasets in the index: a few thousand names are as large as all texts. */
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

function indexWith(entries: readonly SearchEntry[], before?: string): MiniSearch {
  const index =
    before === undefined
      ? new MiniSearch(searchOptions)
      : MiniSearch.loadJSON(before, searchOptions);
  const first = index.documentCount;
  index.addAll(
    entries.map((entry, i) => ({ ...entry, id: first + i, start: startOf(entry.text) })),
  );
  return index;
}

/** The index of the search, which the search page reads. Its texts change with the code alone. */
export const GET: APIRoute = async () => {
  const texts = await keptPart(searchIndexPath, null, async () => {
    const { textEntries } = await import("../../data/docs/search-entries.ts");
    return JSON.stringify(indexWith(textEntries));
  });
  const index = indexWith(resultEntries, texts);
  return new Response(JSON.stringify(index), { headers: { "content-type": "application/json" } });
};
