import type { APIRoute } from "astro";
import { llmsText } from "../data/docs/markdown-pages.ts";

/** Index of the documentation for language models. Source: llmstxt.org, version 2. */
export const GET: APIRoute = () =>
  new Response(llmsText(), { headers: { "content-type": "text/plain; charset=utf-8" } });
