import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { judgingBlocks } from "#shared/measures/judging/judging-blocks.ts";
import { TableBlock } from "../../report/blocks/TableBlock.tsx";
import { getJson } from "../api.ts";
import type { ListedSuite } from "../listed-suite.ts";

/** How much the judging decides among rescored runs: the result of `assay rescore --judgings`, as HTML. */
export async function judgingsHtml(
  submissions: string,
  suites: readonly ListedSuite[],
): Promise<string> {
  const path = `/v1/judgings?submissions=${encodeURIComponent(submissions)}`;
  const study = await getJson<JudgingStudy>(path);
  const suite = suites.find(({ id }) => id === study.suite);
  const metric = suite?.metrics.find(({ id }) => id === study.metric);
  const blocks = judgingBlocks(study, metric ?? { label: study.metric, format: "score" });
  const html = blocks.map((block) => String(<TableBlock block={block} />));
  return `<h2>How much the judging decides</h2>${html.join("")}`;
}
