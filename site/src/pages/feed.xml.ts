import type { APIRoute } from "astro";
import { allResultsFeed, atomFeed, feedEntries } from "../data/feed.ts";
import { snapshot } from "../data/results.ts";
import { settings } from "../data/settings.ts";

/** New results for feed readers, as a file because the site is static. */
export const GET: APIRoute = () => {
  const head = { ...allResultsFeed, updated: snapshot.createdAt };
  return new Response(atomFeed(head, feedEntries(snapshot), settings.siteOrigin), {
    headers: { "content-type": "application/atom+xml; charset=utf-8" },
  });
};
