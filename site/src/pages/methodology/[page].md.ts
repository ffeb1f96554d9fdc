import type { APIRoute } from "astro";
import { suites } from "#shared/suites/registry.ts";
import { forReaders } from "../../data/docs/guides.ts";
import { metricLines } from "../../data/docs/markdown-pages.ts";
import { methodologyOf, statisticsText } from "../../data/docs/references.ts";

export const getStaticPaths = () => [
  ...suites.map((suite) => ({
    params: { page: suite.id },
    props: {
      text: `# ${suite.label}\n\n${suite.question}\n\n${methodologyOf(suite.id)?.rawContent() ?? ""}\n${metricLines(suite)}`,
    },
  })),
  {
    params: { page: "statistics" },
    props: { text: `# Statistics\n\n${statisticsText.rawContent()}` },
  },
];

/** The methodology of a suite, or of intervals and ranks, as Markdown. */
export const GET: APIRoute = ({ props }) =>
  new Response(forReaders(props["text"]), {
    headers: { "content-type": "text/markdown; charset=utf-8" },
  });
