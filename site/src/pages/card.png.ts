import type { APIRoute } from "astro";
import { cardPng } from "../cards/card-png.ts";

/** The picture of pages without a result of their own. */
export const GET: APIRoute = async () => {
  const png = await cardPng({
    topic: "Scores with intervals, reports, leaderboards, badges",
    title: "Language models, evaluated in the open",
    rows: [],
    marks: [],
    foot: "Scores are measurements: read them with their intervals.",
  });
  return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
};
