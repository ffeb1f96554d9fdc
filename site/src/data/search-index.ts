import type { Options } from "minisearch";
import type { SearchEntry } from "./docs/search-sections.ts";

/** Shared by the build, which makes the index, and the page, which reads it. */
export const searchOptions: Options<SearchEntry & { id: number }> = {
  fields: ["title", "page", "text"],
  tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
  storeFields: ["href", "page", "title", "start"],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    combineWith: "AND",
  },
};

export const searchIndexPath = "/search/entries.json";
