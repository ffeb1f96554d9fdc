import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import type { ReportFacts } from "../report-facts.ts";
import { measured } from "./measured.ts";

/** Half the width of an interval that still tells neighbouring models apart. */
const wantedReach = 0.05;

/**
 * An interval of EQS that is too wide to compare by, and how many samples would do: its width falls with the
 * root of their number.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example sizeAdvice(facts)[0]?.change // "data"
 */
export function sizeAdvice(facts: ReportFacts): Advice[] {
  const figure = measured(facts, "eqs");
  if (!figure?.interval) return [];
  const reach = (figure.interval[1] - figure.interval[0]) / 2;
  if (reach <= wantedReach) return [];
  const needed = Math.ceil((figure.n * (reach / wantedReach) ** 2) / 10) * 10;
  return [
    {
      ...figure,
      tone: "neutral",
      change: "data",
      finding: `EQS is known within ±${figureText(reach, "score")} alone, which is too wide to tell neighbouring models apart.`,
      action: `Evaluate more samples: about ${needed.toLocaleString("en")} bring it within ±${wantedReach}.`,
    },
  ];
}
