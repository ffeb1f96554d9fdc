import type { Estimates } from "../../../contracts/metric.ts";
import { passMetrics, type RepeatOptions } from "../../passes/pass-metrics.ts";
import {
  asBrief,
  figureColumns,
  metricValue,
  type SectionParts,
  stackOf,
  tableOf,
} from "../charts/blocks.ts";
import { figureText } from "../figures/figure-text.ts";

/** Ids of the three shares of samples. */
const shares = ["alwaysPasses", "sometimesPasses", "neverPasses"] as const;

/**
 * How reliably samples pass in repeated requests; null without repeats, and if answers neither pass nor fail.
 * @example passSection({ metrics, options })?.id // "passes"
 */
export function passSection({
  metrics,
  options: { repeats, passScore },
}: {
  metrics: Estimates;
  options: RepeatOptions;
}): SectionParts | null {
  const n = metrics["alwaysPasses"]?.n ?? 0;
  if (passScore === null || repeats < 2 || n === 0) return null;
  const [always = 0, sometimes = 0, never = 0] = shares.map((id) =>
    Math.round((metricValue(metrics, id) ?? 0) * n),
  );
  const least =
    passScore === 1 ? "its score is 1" : `its score is at least ${figureText(passScore, "score")}`;
  return {
    id: "passes",
    title: "Reliability of samples",
    intro: `Each sample was asked ${repeats} times. An answer passes if ${least}. pass^k is the chance that k answers in a row all pass.`,
    blocks: [
      asBrief(
        stackOf("Samples by passing", "samples", [
          ["Always pass", always, "right", `All ${repeats} answers pass.`],
          ["Sometimes", sometimes, "close", "Some answers pass and some don't."],
          ["Never", never, "wrong", "No answer passes."],
        ]),
      ),
      tableOf(
        "Pass rates",
        [["measure", "Measure", "text", ({ label }) => label], ...figureColumns(metrics)],
        passMetrics.filter(({ id }) => metricValue(metrics, id) !== null),
      ),
    ],
  };
}
