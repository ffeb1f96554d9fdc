import { type Scale, unitValue } from "../../contracts/judging/judge.ts";
import type { BarsBlock, MatrixBlock, ReportBlock, TableBlock } from "../../contracts/report.ts";
import { brief, type ToneSteps, tableOf, toneOf } from "../report/charts/blocks.ts";
import { stepsLegend } from "../report/charts/steps-legend.ts";
import { intervalText } from "../report/figures/figure-text.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeName } from "./judge-words.ts";

type Row = TableBlock["rows"][number];

/** What judges of a run did. */
export interface Judged {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
}

/** What readers call it. */
export interface Words {
  shownOf(metric: string): { label: string; scale: Scale };
  /** What was judged, such as "Answers". */
  things: string;
}

/** Most judges in one chart that readers can still distinguish. */
const mostJudges = 8;

/** Source: Krippendorff 2004, chapter 11: from 0.8 reliable, from 2/3 for tentative conclusions. */
const alphaSteps = [
  [0.8, "good"],
  [2 / 3, "fair"],
] as const satisfies ToneSteps;

/**
 * How the judges of panels agree by metric, and what each of them gave; nothing where no two judged the same.
 * Source: docs/spec/memory.md, panels.
 * @example agreementBlocks({ judges: [], panels: [] }, words) // []
 */
export const agreementBlocks = (judged: Judged, words: Words): ReportBlock[] => [
  ...panelBars(judged, words),
  ...panelTable(judged, words),
  ...judgeMatrix(judged, words),
];

function panelBars({ panels }: Judged, { shownOf }: Words): BarsBlock[] {
  if (panels.length < 2) return [];
  const bars = panels.map(({ metric, alpha, answers }) => ({
    label: shownOf(metric).label,
    n: answers,
    tone: toneOf(alpha.value, alphaSteps),
    value: alpha.value,
    interval: alpha.interval,
  }));
  const legend = stepsLegend(alphaSteps, "score");
  const title = "Krippendorff's alpha by metric";
  return brief([{ kind: "bars", title, format: "score", legend, bars }]);
}

/** Of a single metric, of which a chart would be one bar. */
function panelTable({ panels }: Judged, { shownOf, things }: Words): ReportBlock[] {
  if (panels.length !== 1) return [];
  const blocks = tableOf(
    "Agreement of the panel",
    [
      ["metric", "Metric", "text"],
      ["alpha", "Krippendorff's alpha", "score"],
      ["interval", "95% interval", "figure"],
      ["answers", things, "count"],
      ["ratings", "Judgments", "count"],
    ],
    panels.map(
      ({ metric, alpha, answers, ratings }): Row => ({
        metric: shownOf(metric).label,
        alpha: alpha.value,
        interval: intervalText(alpha.interval),
        answers,
        ratings,
      }),
    ),
  );
  return brief<ReportBlock>(blocks);
}

/** What each judge gave, of the metrics that several judged; the table has all of them. */
function judgeMatrix({ judges: rows }: Judged, { shownOf }: Words): MatrixBlock[] {
  const judged = rows.filter((row) => row.judged > 0);
  const isShared = ({ metric, judge }: JudgeRow) =>
    judged.some((other) => other.metric === metric && other.judge !== judge);
  const judges = judged.filter(isShared);
  const metrics = [...new Set(judges.map(({ metric }) => metric))];
  const names = [...new Set(judges.map(({ judge }) => judgeName(judge)))].slice(0, mostJudges);
  if (metrics.length < 2) return [];
  const cell = (metric: string, name: string) => {
    const row = judges.find((its) => its.metric === metric && judgeName(its.judge) === name);
    const mean = row?.mean ?? null;
    return mean === null ? null : unitValue(mean, shownOf(metric).scale);
  };
  return [
    {
      kind: "matrix",
      title: "Mean value by metric and judge, as a share of its scale",
      rows: { label: "Metric", names: metrics.map((metric) => shownOf(metric).label) },
      columns: { label: "Judge", names },
      cells: metrics.map((metric) => names.map((name) => cell(metric, name))),
      format: "score",
      scale: "share",
    },
  ];
}
