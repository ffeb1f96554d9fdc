import type { Estimates } from "../../../contracts/metric.ts";
import type { ColumnFormat, NoteBlock, ReportBlock } from "../../../contracts/report.ts";
import { onDevice } from "../../../measures/hybrid.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import {
  type Column,
  metricNamed,
  metricValue,
  note,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { boxesOf } from "../../../measures/report/charts/feature-boxes.ts";
import { pointsText } from "../../../measures/report/charts/point-scatter.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import {
  barsOfParts,
  belowParts,
  partInterval,
} from "../../../measures/report/figures/part-interval.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { levelLabels, toolsMetrics } from "../metrics.ts";
import type { Level } from "../sample.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { toolsAdvice } from "./advice-rules.ts";
import { callSection, failureSection } from "./call-section.ts";
import { functionSection } from "./function-section.ts";
import { hybridSection } from "./hybrid-section.ts";
import { bars, isRouted, type ReportFacts, rankingMetric } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { turnSection } from "./turn-section.ts";

/** Maximum listed sources: usually there are few, but an endpoint may name a different source in each answer. */
const mostSources = 15;

const figure = (id: string) => metricNamed(toolsMetrics, id);

/**
 * The report of a tools run, one file per section: the total and its levels, calls, turns, functions, errors, sources
 * of answers, hybrid routing, tags, performance, and advice.
 * Source: docs/spec/tools.md.
 * @example toolsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const toolsReport = suiteReport(breakdownSchema, [
  summarySection,
  levelSection,
  callSection,
  turnSection,
  functionSection,
  failureSection,
  sourceSection,
  hybridSection,
  ({ breakdown }) =>
    tagSection(breakdown.tags, {
      figures: [figure("avgF1"), figure("total"), figure("onDeviceRatio")],
      steps: shareSteps,
      things: "Answers",
    }),
  passSection,
  (facts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds.",
      headline: { label: "score of a sample", format: rankingMetric(facts).format },
      catalogue: toolsMetrics,
    }),
  (facts: ReportFacts) => adviceSection(toolsAdvice(facts)),
]);

/**
 * The levels with their components, and the distribution of samples within each.
 * Source: docs/spec/tools.md, metrics.
 * @example levelSection(facts).id // "levels"
 */
function levelSection({ metrics, breakdown, points }: ReportFacts): SectionParts {
  const present = breakdown.levels.map(({ level }) => level);
  return {
    id: "levels",
    title: "Levels",
    intro:
      "Easy samples offer one tool, medium ones several to choose from, hard ones need several calls.",
    blocks: [
      barsOfParts(
        bars(
          "Call F1 by level",
          present.map((level) => `${level}F1`),
          metrics,
        ),
      ),
      levelTable(metrics, breakdown),
      untimedNote(metrics, present),
      spread(points, present),
    ],
  };
}

function levelTable(
  metrics: ReportFacts["metrics"],
  { levels: present }: ReportFacts["breakdown"],
) {
  const of = (level: Level, figure: string) => metricValue(metrics, `${level}${figure}`);
  const column = (id: string, label: string, format: ColumnFormat, figure: string): Column<Its> => [
    id,
    label,
    format,
    ({ level }) => of(level, figure),
  ];
  const [table, ...more] = tableOf(
    "Levels in parts",
    [
      ["level", "Level", "text", ({ level }) => levelLabels[level]],
      ["weight", "Weight", "percent"],
      column("score", "Level score", "percent", "Score"),
      column("f1", "Call F1", "score", "F1"),
      [
        "interval",
        "95% interval of F1",
        "figure",
        ({ level, n }) => intervalText(partInterval(n, metrics[`${level}F1`]?.interval ?? null)),
      ],
      column("time", "Mean latency", "ms", "Time"),
      column("timeScore", "Time score", "score", "TimeScore"),
      column("onDevice", "On device", "percent", "OnDevice"),
      ["n", "Samples", "count"],
    ],
    present,
  );
  const parts = present.map(({ level, n }) => ({ n, value: of(level, "F1") }));
  return [{ ...table, ...belowParts(parts) }, ...more];
}

type Its = ReportFacts["breakdown"]["levels"][number];

function untimedNote(metrics: Estimates, present: readonly Level[]): NoteBlock | null {
  const untimed = present.filter((level) => metricValue(metrics, `${level}Time`) === null);
  if (untimed.length === 0) return null;
  const text = `No answer to ${untimed.join(" or ")} samples has a latency, so their time score is 0. For answers made elsewhere, set latencyMs; batches have none.`;
  return note("No latencies", text, "fair");
}

function spread(points: ReportFacts["points"], present: readonly Level[]): ReportBlock[] {
  if (points === null || points.points.length === 0) return [];
  const groups = present.map((level) => ({
    label: levelLabels[level],
    values: points.points.flatMap(({ score, features }) =>
      features["level"] === level && score !== null ? [score] : [],
    ),
  }));
  const title = `Scores of samples by level${pointsText(points, points.points.length)}`;
  return boxesOf(title, { label: "Score of a sample", format: "percent" }, groups);
}

/**
 * The stated sources of answers.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example sourceSection(facts).id // "sources"
 */
function sourceSection(facts: ReportFacts): SectionParts {
  const { sources, answers } = facts.breakdown;
  const { options } = facts;
  const declared =
    options.source === undefined
      ? "An answer without a source counts as cloud."
      : `Answers without a source count as ${options.source}, as the run declares.`;
  return {
    id: "sources",
    title: "Sources of answers",
    intro: `The source on-device counts as the device, any other as cloud. ${declared}`,
    blocks: [
      undeclaredNote(facts),
      tableOf(
        "Sources",
        [
          ["name", "Source", "text"],
          ["n", "Answers", "count"],
          ["share", "Share", "percent", ({ n }) => (answers === 0 ? null : n / answers)],
        ],
        sources,
        mostSources,
      ),
    ],
  };
}

/** A note on answers from several sources, which an endpoint names only after its board is determined. */
function undeclaredNote(facts: ReportFacts): NoteBlock | null {
  const isLocal = ({ name }: { name: string }) => name === onDevice;
  const { sources } = facts.breakdown;
  if (isRouted(facts) || !sources.some(isLocal) || sources.every(isLocal)) return null;
  const text =
    "Only some answers came from the device, but the run was submitted as a plain endpoint, so it ranks by call F1. To rank by the total among systems that route, submit the endpoint with the option routed: true, or rescore the stored answers with it.";
  return note("Answers from two sources", text);
}
