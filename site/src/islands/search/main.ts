import { searchIndexPath } from "../../data/search-index.ts";
import { findPart } from "../find-part.ts";
import { readIndex, searchIsland } from "./search-island.ts";

searchIsland(findPart(document, "[data-search]"), findPart(document, "[data-found]"), window, () =>
  readIndex(searchIndexPath),
);
