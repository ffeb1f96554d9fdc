import type { Advice } from "../report/advice.ts";
import { shareAdvice } from "../report/answer-advice.ts";
import { figureText } from "../report/figure-text.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeName } from "./judge-blocks.ts";

/** What advice on judges rests on. */
interface JudgedRun {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
  /** A metric's label. */
  labelOf(metric: string): string;
}

/** Below this alpha no conclusion is to be drawn. Source: Krippendorff 2004, chapter 11. */
export const leastAlpha = 2 / 3;

/** Below this kappa agreement is fair at best. Source: Landis and Koch 1977. */
const leastKappa = 0.4;

/** Fewer answers give agreements that mean little. */
const leastAnswers = 20;

/** Judgments of a judge whose own maker made the model, as a share that can be borne. */
const mostOwn = 0.1;

/**
 * What to change about the judges of a run: programs in their place, a panel that does not agree, a judge that
 * people don't agree with, one of the model's own maker. Each rests on its figure; none fires on an interval
 * that reaches over its limit.
 * Source: specification of the memory suite, judges, panels and calibration.
 * @example judgeAdvice({ judges: [], panels: [], labelOf }) // []
 */
export function judgeAdvice(run: JudgedRun): Advice[] {
  return [
    ...simulatedAdvice(run),
    ...run.panels.flatMap((panel) => agreementAdvice(panel, run.labelOf)),
    ...run.judges.flatMap((row) => calibrationAdvice(row, run.labelOf)),
    ...ownMakerAdvice(run),
  ];
}

const judgedOf = (rows: readonly JudgeRow[]) => rows.reduce((sum, { judged }) => sum + judged, 0);

function simulatedAdvice({ judges }: JudgedRun): Advice[] {
  return shareAdvice({
    ...{
      tone: "poor",
      change: "judges",
      cell: "Simulated judgments",
      things: "judgments",
      limit: 0,
    },
    ...{ count: judgedOf(judges.filter((row) => row.simulated)), n: judgedOf(judges) },
    finding: "come from a program that plays a judge.",
    action:
      "Judge the stored answers again by language models before anything is decided by this run.",
  });
}

function agreementAdvice(
  { metric, alpha: { value, interval }, answers }: PanelRow,
  labelOf: JudgedRun["labelOf"],
): Advice[] {
  if (value === null || interval === null || answers < leastAnswers) return [];
  if (interval[1] >= leastAlpha) return [];
  const label = labelOf(metric);
  return [
    {
      ...{ tone: "fair", change: "judges", cell: `Agreement on ${label.toLowerCase()}` },
      ...{ value, format: "score", interval, n: answers },
      finding: `The judges of the panel do not agree on ${label.toLowerCase()}: Krippendorff's alpha is ${figureText(value, "score")}.`,
      action:
        "Read the judgments that lie furthest apart; take more or other judges for this metric, and rest nothing on it until they agree.",
    },
  ];
}

function calibrationAdvice(
  { metric, judge, calibration }: JudgeRow,
  labelOf: JudgedRun["labelOf"],
): Advice[] {
  if (calibration === null || calibration.n < leastAnswers) return [];
  const { value, interval } = calibration.kappa;
  if (value === null || interval === null || interval[1] >= leastKappa) return [];
  const label = labelOf(metric);
  return [
    {
      ...{ tone: "fair", change: "judges" },
      cell: `${judgeName(judge)} and people on ${label.toLowerCase()}`,
      ...{ value, format: "score", interval, n: calibration.n },
      finding: `${judgeName(judge)} does not go with what people gave for ${label.toLowerCase()}: weighted kappa is ${figureText(value, "score")}.`,
      action: "Have another model judge this metric; it goes in judgeOverrides or judge.",
    },
  ];
}

function ownMakerAdvice({ judges }: JudgedRun): Advice[] {
  return shareAdvice({
    ...{ tone: "fair", change: "judges", cell: "Judgments by the model's own maker" },
    ...{ things: "judgments", limit: mostOwn, n: judgedOf(judges) },
    count: judgedOf(judges.filter((row) => row.selfPreference)),
    finding: "come from the same maker as the model; judges tend to prefer what reads like theirs.",
    action: "Have judges of another maker judge the stored answers again.",
  });
}
