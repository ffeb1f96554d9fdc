import type { Estimate } from "../../contracts/metric.ts";
import type { NoteBlock, ReportSection, TableBlock } from "../../contracts/report.ts";
import { judges } from "../../judges/judges.ts";
import {
  judgeBlocks,
  judgeName,
  judgingTable,
  mostJudgeRows,
  whyUnjudged,
} from "../../measures/judging/judge-blocks.ts";
import { brief, intervalText, metricValue, tableOf } from "../../measures/report/blocks.ts";
import { ratesBlocks, timesBlocks } from "../../measures/report/performance-blocks.ts";
import type { MemoryBreakdown } from "./breakdown.ts";
import { memoryMetrics } from "./metrics.ts";
import { scaleText } from "./report-scores.ts";

type Metrics = Readonly<Record<string, Estimate>>;
type Row = TableBlock["rows"][number];

const labelOf = (metric: string) => judges.find(({ id }) => id === metric)?.label ?? metric;
const scaleOf = (metric: string) =>
  scaleText[judges.find(({ id }) => id === metric)?.scale ?? "ratio"];

const note = (title: string, text: string): NoteBlock => ({
  ...{ kind: "note", title, tone: "fair", text },
});

/**
 * Who judged, how panels agree, and what to hold against a judge.
 * @example judgesSection(tables).id // "judges"
 */
export function judgesSection(tables: MemoryBreakdown): ReportSection {
  return {
    id: "judges",
    title: "Judges",
    intro:
      "Which judge gave each number. Judges answer at temperature 0, by a fixed prompt whose hash is kept with every judgment.",
    blocks: judgeBlocks(tables, judges, "Answers"),
  };
}

/**
 * Judges against people, where the dataset has people's scores; none else.
 * @example peopleSections(tables)[0]?.id // "people"
 */
export function peopleSections({ judges: rows }: MemoryBreakdown): ReportSection[] {
  const calibrated = rows.flatMap(({ metric, judge, calibration }): Row[] => {
    if (calibration === null) return [];
    const { n, kappa, meanAbsoluteError: error } = calibration;
    return [
      {
        ...{ metric: labelOf(metric), judge: judgeName(judge), scale: scaleOf(metric), n },
        ...{ kappa: kappa.value, kappaInterval: intervalText(kappa.interval), error: error.value },
        errorInterval: intervalText(error.interval),
      },
    ];
  });
  if (calibrated.length === 0) return [];
  return [
    {
      id: "people",
      title: "Judges and people",
      intro:
        "Each judge's values against the scores that people gave to the dataset's samples. It says something of a judge where these answers are the ones that people scored.",
      blocks: brief(
        tableOf(
          "Calibration",
          [
            ["metric", "Metric", "text"],
            ["judge", "Judge", "text"],
            ["scale", "Scale", "text"],
            ["n", "Answers", "count"],
            ["kappa", "Weighted kappa", "score"],
            ["kappaInterval", "95% interval", "text"],
            ["error", "Mean absolute error", "score"],
            ["errorInterval", "95% interval", "text"],
          ],
          calibrated,
          mostJudgeRows,
        ),
      ),
    },
  ];
}

/**
 * What was not judged, and why.
 * @example unjudgedSection(metrics, tables).id // "unjudged"
 */
export function unjudgedSection(metrics: Metrics, tables: MemoryBreakdown): ReportSection {
  const { unjudged, answers } = tables;
  const rate = metricValue(metrics, "unjudgedRate");
  const invented = metricValue(metrics, "unsupportedEvidence") ?? 0;
  const text =
    unjudged.length === 0
      ? `Every metric was judged for all of ${answers} answers.`
      : `${(100 * (rate ?? 0)).toFixed(1)}% of all values are missing. They enter no mean; each metric's coverage says how much of the run it rests on.`;
  return {
    id: "unjudged",
    title: "Unjudged",
    intro: "A value that no judge gave is left out, and never made up.",
    blocks: [
      ...brief([
        { kind: "note" as const, title: "Share unjudged", tone: "neutral" as const, text },
      ]),
      ...(unjudged.length === 0 ? [] : brief(unjudgedTable(unjudged))),
      ...(invented === 0
        ? []
        : [
            note(
              "Invented quotations",
              `Judges quoted ${invented} passages that the answers do not have. They were thrown away.`,
            ),
          ]),
    ],
  };
}

const unjudgedTable = (rows: MemoryBreakdown["unjudged"]) =>
  tableOf(
    "Unjudged by metric",
    [
      ["metric", "Metric", "text"],
      ["reason", "Why", "text"],
      ["count", "Answers", "count"],
      ["share", "Share", "percent"],
    ],
    rows.map(({ metric, reason, count, share }) => ({
      ...{ metric: labelOf(metric), reason: whyUnjudged[reason], count, share },
    })),
    mostJudgeRows,
  );

const judgingIds = [
  ...(["generationTime", "evaluationTime", "totalTime"] as const),
  ...(["generationTimeMean", "evaluationTimeMean"] as const),
] as const;

/**
 * What the model took, and apart from it what its judges took.
 * @example performanceSections(metrics)[1]?.id // "judging"
 */
export function performanceSections(metrics: Metrics): ReportSection[] {
  const value = (id: string) => metricValue(metrics, id);
  return [
    {
      id: "performance",
      title: "Performance",
      intro: "Times of answered requests, in milliseconds, judging aside.",
      blocks: [...timesBlocks(metrics), ...ratesBlocks(metrics, memoryMetrics)],
    },
    {
      id: "judging",
      title: "Judging",
      intro: "What judging took; none of it is part of the model's own figures.",
      blocks: [
        ...tableOf(
          "Time of the run",
          [
            ["label", "Time", "text"],
            ["value", "Value", "ms"],
          ],
          judgingIds.map((id) => ({
            label: memoryMetrics.find((metric) => metric.id === id)?.label ?? id,
            value: value(id),
          })),
        ),
        ...judgingTable(metrics),
      ],
    },
  ];
}
