import type { APIRoute } from "astro";
import { commandPages, forReaders } from "../data/docs/guides.ts";
import { commandText } from "../data/docs/markdown-pages.ts";

/** Every command of `assay` as Markdown, on one page. */
export const GET: APIRoute = () =>
  new Response(forReaders(["# Commands", ...commandPages.map(commandText)].join("\n\n")), {
    headers: { "content-type": "text/markdown; charset=utf-8" },
  });
