import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { judgingBlocks } from "#shared/measures/judging/judging-blocks.ts";
import { TableBlock } from "../../report/blocks/TableBlock.tsx";
import type { ListedSuite } from "../listed-suite.ts";

/** Path of a study of judgings in the API. */
export const judgingsPath = (submissions: string): string =>
  `/v1/judgings?submissions=${encodeURIComponent(submissions)}`;

/** How much the judging decides among rescored runs, as HTML: the result of `assay rescore --judgings`. */
export function judgingsHtml(study: JudgingStudy, suites: readonly ListedSuite[]): string {
  const suite = suites.find(({ id }) => id === study.suite);
  const metric = suite?.metrics.find(({ id }) => id === study.metric);
  const blocks = judgingBlocks(study, metric ?? { label: study.metric, format: "score" });
  const html = blocks.map((block) => String(<TableBlock block={block} />));
  return `<h2>How much the judging decides</h2>${html.join("")}`;
}
