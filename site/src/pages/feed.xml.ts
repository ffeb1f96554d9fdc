import type { APIRoute } from "astro";
import { atomFeed, feedEntries, wholeFeed } from "../data/feed.ts";
import { snapshot } from "../data/results.ts";
import { settings } from "../data/settings.ts";

/** New results for feed readers: a file, since the site is static. */
export const GET: APIRoute = () => {
  const head = { ...wholeFeed, updated: snapshot.createdAt };
  return new Response(atomFeed(head, feedEntries(snapshot), settings.siteOrigin), {
    headers: { "content-type": "application/atom+xml; charset=utf-8" },
  });
};
