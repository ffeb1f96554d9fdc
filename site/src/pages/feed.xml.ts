import type { APIRoute } from "astro";
import { atomFeed } from "../data/feed.ts";
import { snapshot } from "../data/results.ts";
import { settings } from "../data/settings.ts";

/** New results for feed readers: a file, since the site is static. */
export const GET: APIRoute = () =>
  new Response(atomFeed(snapshot.runs, settings.siteOrigin, snapshot.createdAt), {
    headers: { "content-type": "application/atom+xml; charset=utf-8" },
  });
