import type { APIRoute } from "astro";
import MiniSearch from "minisearch";
import { searchEntries } from "../../data/docs/search-entries.ts";
import { searchOptions } from "../../data/search-index.ts";

/** Characters of a result's text that are shown. */
const START = 140;

const startOf = (text: string): string => {
  const plain = text.replaceAll("`", "");
  return plain.length <= START ? plain : `${plain.slice(0, START).replace(/\s+\S*$/, "")} …`;
};

/** The index of the search, which the search page reads. */
export const GET: APIRoute = () => {
  const index = new MiniSearch(searchOptions);
  index.addAll(searchEntries.map((entry, id) => ({ ...entry, id, start: startOf(entry.text) })));
  return new Response(JSON.stringify(index), { headers: { "content-type": "application/json" } });
};
