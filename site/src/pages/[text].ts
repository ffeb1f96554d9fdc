import type { APIRoute, GetStaticPaths } from "astro";
import { commandPages, forReaders } from "../data/docs/guides.ts";
import { commandText, llmsText } from "../data/docs/markdown-pages.ts";

/** Every command of `assay` as Markdown, on one page. */
const commandsText = () =>
  forReaders(["# Commands", ...commandPages.map(commandText)].join("\n\n"));

/** By path: the index of the documentation for language models (llmstxt.org, version 2), and the commands. */
const texts: Readonly<Record<string, () => string>> = {
  "llms.txt": llmsText,
  "commands.md": commandsText,
};

export const getStaticPaths: GetStaticPaths = () =>
  Object.keys(texts).map((text) => ({ params: { text } }));

export const GET: APIRoute = ({ params: { text = "" } }) => new Response(texts[text]?.());
