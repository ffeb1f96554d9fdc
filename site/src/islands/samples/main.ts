import { findPart } from "../find-part.ts";
import { offerForm } from "../page-state.ts";
import { listenToFilters, pageSearch, readQuery } from "./sample-query.ts";

const place = findPart(document, "[data-samples]");
const query = readQuery(location.search, location.pathname);
/** A run's own page already has the first samples, and needs no further script. */
const isDrawn = place.hasAttribute("data-drawn") && query !== null && pageSearch(query) === "?";

if (query === null) offerForm("");
else if (isDrawn) listenToFilters(place);
else await (await import("./show-samples.tsx")).showSamples(query);
