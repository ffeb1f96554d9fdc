import type { Share } from "../../../contracts/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import type { SlotsDetail } from "./score.ts";

/** Metrics that runs are compared by, the headline first. */
const compared = [
  ...(["f1", "precision", "recall", "valueF1", "exactMatchCoverage"] as const),
  ...(["tokenF1", "bleu1", "f1Macro", "judgeScore"] as const),
] as const;
type Values = Record<(typeof compared)[number], number | Share | null>;

const unscored = Object.fromEntries(compared.map((metric) => [metric, null])) as Values;

/**
 * What an answer adds to each metric that runs are compared by, as shares of counts, so that over any
 * samples Σ of / Σ over is the micro figure; an F1 is 2 · right / (predicted + expected). Null what
 * no judge said, and all of it where the answer was lost on our side.
 * Source: docs/spec/slots.md, metrics.
 * @example sampleValues(score).f1 // { of: 2 · TP, over: 2 · TP + FP + FN }
 */
export function sampleValues({ status, detail }: SampleScore<SlotsDetail>): Values {
  if (status !== "scored") return unscored;
  const [predicted, expected] = [detail.tp + detail.fp, detail.tp + detail.fn];
  const tokens = detail.predictedTokens + detail.expectedTokens;
  return {
    f1: { of: 2 * detail.tp, over: predicted + expected },
    precision: { of: detail.tp, over: predicted },
    recall: { of: detail.tp, over: expected },
    valueF1: { of: 2 * detail.exact, over: predicted + expected },
    exactMatchCoverage: { of: detail.exact, over: expected },
    tokenF1: { of: 2 * detail.sharedTokens, over: tokens },
    bleu1: { of: detail.bleuSum, over: expected },
    f1Macro: detail.f1,
    judgeScore:
      (detail.judged?.score ?? null) === null ? null : { of: detail.judged!.sum, over: expected },
  };
}
