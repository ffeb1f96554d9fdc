import type { ReportBlock } from "../../contracts/report.ts";
import type { FieldTable, SampleToShow } from "../../contracts/suite.ts";
import { answerNotes } from "../../measures/report/show/answer-notes.ts";
import { shownTable, shownText } from "../../measures/report/show/shown-text.ts";
import { firstShown, orders } from "./ask.ts";
import type { PairsSample, Side } from "./sample.ts";
import type { PairsDetail } from "./score.ts";

const sides: readonly Side[] = ["A", "B"];

/**
 * The request, both answers, and the verdict in each order; the output if an order has no verdict. Without a detail
 * only request, answers and output. Never throws. Texts are cut.
 * @example showPairs({ sample, answer, score })[0]?.title // "Request"
 */
export function showPairs({
  sample: { query, answers, models, label },
  answer,
  score: { detail },
}: SampleToShow<PairsSample, PairsDetail>): ReportBlock[] {
  const { output } = answer;
  const titles = (side: Side) => [
    `Answer ${side}`,
    ...(models === null ? [] : [`by ${models[side]}`]),
    ...(label === side ? ["the better one by its label"] : []),
  ];
  const isRead = detail !== null && detail.verdict !== null;
  return [
    shownText("Request", query),
    ...sides.map((side) => shownText(titles(side).join(", "), answers[side])),
    ...answerNotes(answer),
    ...(isRead || output === null || output.trim() === "" ? [] : [shownText("Output", output)]),
    ...(detail === null ? [] : verdictTable(detail)),
  ];
}

function verdictTable(detail: PairsDetail): ReportBlock[] {
  return shownTable(
    "Verdicts",
    [
      ["order", "Shown first", "text"],
      ["verdict", "Better", "text"],
      ["reasoning", "Reasoning", "text"],
    ],
    [
      ...orders.map((order) => ({
        order: `Answer ${firstShown[order]}`,
        verdict: detail[order].verdict ?? "no verdict",
        reasoning: detail[order].reasoning,
      })),
      { order: "Both", verdict: detail.verdict ?? "no verdict", reasoning: "" },
    ],
  );
}

/** The verdicts on a pair, one row for each order. */
export const fieldTable: FieldTable<PairsSample, PairsDetail> = {
  columns: [
    { id: "order", description: "given: answer A is shown first; swapped: answer B is" },
    { id: "verdict", description: "A, B or tie; empty: no verdict" },
    { id: "label", description: "A, B or tie; empty: not labelled" },
    { id: "right", description: "whether the verdict is the label; empty: not labelled" },
    { id: "longer", description: "the longer answer, A or B; empty: equally long" },
    { id: "reasoning", description: "the judge's reasoning, at most 2,000 characters" },
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    const { label, longer } = detail;
    return orders.map((order) => {
      const { verdict, reasoning } = detail[order];
      return { order, verdict, label, right: label && verdict === label, longer, reasoning };
    });
  },
  parts: {
    name: "order",
    of: ({ order, verdict, right }) => ({
      path: `${order}`,
      verdict: `${verdict ?? "none"}`,
      isRight: typeof right === "boolean" ? right : null,
      patterns: [],
      judge: null,
    }),
    verdicts: ["A", "B", "tie", "none"],
    patterns: [],
  },
};
