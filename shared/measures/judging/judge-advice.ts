import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import type { Advice } from "../report/advice/advice.ts";
import { shareAdvice } from "../report/advice/answer-advice.ts";
import { figureText } from "../report/figures/figure-text.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeName } from "./judge-blocks.ts";

/** Input of advice on judges. */
interface JudgedRun {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
  /** A metric's label. */
  labelOf(metric: string): string;
}

/** Below this alpha, no conclusions. Source: Krippendorff 2004, chapter 11. */
const leastAlpha = 2 / 3;

/** Below this kappa, agreement is at most fair. Source: Landis and Koch 1977. */
const leastKappa = 0.4;

/** Agreement on fewer answers is too uncertain. */
const leastAnswers = 20;

/** Accepted share of judgments by a judge whose maker also made the model. */
const mostOwn = 0.1;

/**
 * Advice on a run's judges: simulated judges, a panel that does not agree, a judge that people don't agree with, a
 * judge by the model's maker. Each is based on a figure; none is given if the interval extends beyond the limit.
 * Source: docs/spec/memory.md, judges, panels and calibration.
 * @example judgeAdvice({ judges: [], panels: [], labelOf }) // []
 */
export function judgeAdvice(run: JudgedRun): Advice[] {
  return [
    simulatedAdvice(run),
    agreementAdvice(run),
    calibrationAdvice(run),
    ownMakerAdvice(run),
  ].filter((advice) => advice !== null);
}

const judgedOf = (rows: readonly JudgeRow[]) => rows.reduce((sum, { judged }) => sum + judged, 0);

function simulatedAdvice({ judges }: JudgedRun): Advice | null {
  return shareAdvice({
    tone: "poor",
    change: "judges",
    cell: "Simulated judgments",
    things: "judgments",
    limit: 0,
    count: judgedOf(judges.filter((row) => row.simulated)),
    n: judgedOf(judges),
    finding: "come from a program that simulates a judge.",
    action:
      "Judge the stored answers again with language models before you base a decision on this run.",
  });
}

/** The lowest of the figures whose interval is below a limit, and how many there are. */
function lowest<Row>(
  rows: readonly Row[],
  limit: number,
  figureOf: (row: Row) => { n: number; value: number | null; interval: Interval | null } | null,
) {
  const low = rows.flatMap((row) => {
    const { n = 0, value = null, interval = null } = figureOf(row) ?? {};
    if (value === null || interval === null || n < leastAnswers || interval[1] >= limit) return [];
    return [{ row, n, value, interval }];
  });
  const [worst] = low.sort((a, b) => a.value - b.value);
  return worst === undefined ? null : { ...worst, count: low.length };
}

function agreementAdvice({ panels, labelOf }: JudgedRun): Advice | null {
  const worst = lowest(panels, leastAlpha, ({ alpha, answers }) => ({ ...alpha, n: answers }));
  if (worst === null) return null;
  const { row, count, value, interval, n } = worst;
  const label = labelOf(row.metric).toLowerCase();
  const where = count === 1 ? `on ${label}` : `on ${count} metrics, least on ${label}`;
  return {
    tone: "fair",
    change: "judges",
    cell: `Agreement on ${label}`,
    format: "score",
    value,
    interval,
    n,
    finding: `The judges of the panel do not agree ${where}: Krippendorff's alpha is ${figureText(value, "score")}.`,
    action:
      "Read the judgments that differ most; use more or other judges, and don't rely on such a metric until they agree.",
  };
}

function calibrationAdvice({ judges, labelOf }: JudgedRun): Advice | null {
  const worst = lowest(
    judges,
    leastKappa,
    ({ calibration }) => calibration && { ...calibration.kappa, n: calibration.n },
  );
  if (worst === null) return null;
  const { row, count, value, interval, n } = worst;
  const name = judgeName(row.judge);
  const label = labelOf(row.metric).toLowerCase();
  const more = count === 1 ? "" : ` It is the lowest of ${count} that are too low.`;
  return {
    tone: "fair",
    change: "judges",
    cell: `${name} and people on ${label}`,
    value,
    format: "score",
    interval,
    n,
    finding: `${name} does not agree with human ratings of ${label}: weighted kappa is ${figureText(value, "score")}.${more}`,
    action: "Let another model judge this metric: set judgeOverrides or judge.",
  };
}

function ownMakerAdvice({ judges }: JudgedRun): Advice | null {
  return shareAdvice({
    tone: "fair",
    change: "judges",
    cell: "Judgments by the model's own maker",
    things: "judgments",
    limit: mostOwn,
    n: judgedOf(judges),
    count: judgedOf(judges.filter((row) => row.selfPreference)),
    finding: "come from the same maker as the model; judges tend to prefer what reads like theirs.",
    action: "Let judges of another maker judge the stored answers again.",
  });
}
