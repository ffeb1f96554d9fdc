import {
  alsoNote,
  asBrief,
  figureColumns,
  metricNamed,
  type SectionParts,
  stackOf,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { pairsMetrics } from "../metrics.ts";
import type { ReportFacts } from "./advice-rules.ts";

/** What each figure is for a judge without bias. */
const unbiased: Readonly<Record<string, string>> = {
  firstShare: "50%",
  firstTwice: "0%",
  secondTwice: "0%",
  longerWins: "as by the labels",
};

/**
 * Whether the place or the length of an answer decides: both orders of each pair together, and the shares.
 * Source: Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, section 3.3.
 * @example biasSection(facts).id // "bias"
 */
export function biasSection({ metrics, breakdown: { counts } }: ReportFacts): SectionParts {
  const count = (name: string) => counts[`orders ${name}`] ?? 0;
  const ids = [
    "firstShare",
    "firstTwice",
    "secondTwice",
    "longerWins",
    "longerLabelled",
    "tieRate",
  ];
  return {
    id: "bias",
    title: "Position and length",
    intro:
      "A judge without position bias gives the same verdict in both orders. A pair whose orders differ counts as a tie.",
    blocks: [
      stackOf("Both orders together", "pairs", [
        ["Same answer", count("same"), "right", "The same answer won in both orders."],
        ["Tie", count("tie"), "neutral", "A tie in both orders."],
        ["Tie in one order", count("half"), "close", "One order is a tie, the other is not."],
        ["First", count("first"), "kind0", "The first answer won in both orders."],
        ["Second", count("second"), "kind1", "The second answer won in both orders."],
        ["Without two verdicts", count("unjudged"), "failed", "An order has no verdict."],
      ]),
      asBrief(
        tableOf(
          "What decided, with 95% intervals",
          [
            ["label", "Share of pairs", "text"],
            ...figureColumns(metrics, "Pairs"),
            ["without", "Without bias", "text", ({ id }) => unbiased[id] ?? null],
          ],
          ids.map((id) => metricNamed(pairsMetrics, id)),
        ),
      ),
      alsoNote(counts, [
        ["status error", "pairs have no verdict because a request failed"],
        ["status refused", "pairs were refused in both orders"],
        ["status empty", "answers are empty"],
        ["truncated", "answers were cut off at the token limit"],
      ]),
    ],
  };
}
