import type {
  NoteBlock,
  ReportBlock,
  ReportSection,
  TableBlock,
} from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { onDevice } from "../../../measures/hybrid.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import { metricValue, tableOf } from "../../../measures/report/charts/blocks.ts";
import { boxesOf } from "../../../measures/report/charts/feature-boxes.ts";
import { pointsText } from "../../../measures/report/charts/point-scatter.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import {
  barsOfParts,
  belowParts,
  partInterval,
} from "../../../measures/report/figures/part-interval.ts";
import { tagBlocks } from "../../../measures/report/parts/tag-blocks.ts";
import { latencyBlocks } from "../../../measures/report/performance/latency-blocks.ts";
import {
  ratesBlocks,
  timesBlocks,
} from "../../../measures/report/performance/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/performance/timeline-blocks.ts";
import { toolsMetrics } from "../metrics.ts";
import type { ToolsOptions } from "../options.ts";
import type { Level } from "../sample.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { toolsAdvice } from "./advice-rules.ts";
import { callSection, failureSection } from "./call-section.ts";
import { functionSection } from "./function-section.ts";
import { hybridSection } from "./hybrid-section.ts";
import {
  bars,
  isRouted,
  levelLabels,
  note,
  type ReportFacts,
  rankingMetric,
  steps,
} from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";

/** Sources are few; an endpoint that names each answer's is cut here. */
const mostSources = 15;

/** In the order of the page. */
const sections = [
  summarySection,
  levelSection,
  callSection,
  functionSection,
  failureSection,
  sourceSection,
  hybridSection,
  tagSection,
  performanceSection,
  (facts: ReportFacts) => adviceSection(toolsAdvice(facts)),
] as const;

/**
 * The report of a tools run, a file a section: the total and its levels, calls, functions, what went wrong,
 * where answers came from, hybrid routing, tags, performance, and what to change. Sections without anything to
 * show are left out.
 * Source: docs/spec/tools.md.
 * @example toolsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function toolsReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<ToolsOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  return sections.map((section) => section(facts)).filter((section) => section !== null);
}

/**
 * The levels with their components, and how samples spread within each.
 * Source: docs/spec/tools.md, metrics.
 * @example levelSection(facts).id // "levels"
 */
function levelSection({ metrics, breakdown, points }: ReportFacts): ReportSection {
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
      ...levelTable(metrics, breakdown),
      ...untimedNote(metrics, present),
      ...spread(points, present),
    ],
  };
}

function levelTable(
  metrics: ReportFacts["metrics"],
  { levels: present }: ReportFacts["breakdown"],
) {
  const of = (level: Level, figure: string) => metricValue(metrics, `${level}${figure}`);
  const [table, ...more] = tableOf(
    "Levels in parts",
    [
      ["level", "Level", "text"],
      ["weight", "Weight", "percent"],
      ["score", "Level score", "percent"],
      ["f1", "Call F1", "score"],
      ["interval", "95% interval of F1", "figure"],
      ["time", "Mean latency", "ms"],
      ["timeScore", "Time score", "score"],
      ["onDevice", "On device", "percent"],
      ["n", "Samples", "count"],
    ],
    present.map(({ level, n, weight }): TableBlock["rows"][number] => ({
      level: levelLabels[level],
      n,
      weight,
      score: of(level, "Score"),
      f1: of(level, "F1"),
      interval: intervalText(partInterval(n, metrics[`${level}F1`]?.interval ?? null)),
      time: of(level, "Time"),
      timeScore: of(level, "TimeScore"),
      onDevice: of(level, "OnDevice"),
    })),
  );
  const parts = present.map(({ level, n }) => ({ n, value: of(level, "F1") }));
  return [{ ...table, ...belowParts(parts) }, ...more];
}

function untimedNote(metrics: ReportFacts["metrics"], present: readonly Level[]): NoteBlock[] {
  const untimed = present.filter((level) => metricValue(metrics, `${level}Time`) === null);
  if (untimed.length === 0) return [];
  const text = `No answer to ${untimed.join(" or ")} samples has a latency, so their time score is 0. Answers made elsewhere take it from latencyMs.`;
  return [note("No latencies", text, "fair")];
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
 * Where answers came from, as they say.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example sourceSection(facts).id // "sources"
 */
function sourceSection(facts: ReportFacts): ReportSection {
  const { sources, answers } = facts.breakdown;
  const { options } = facts;
  const declared =
    options.source === undefined
      ? "An answer that does not say where it came from counts as cloud."
      : `Answers that do not say so themselves count as ${options.source}, as the run declares.`;
  return {
    id: "sources",
    title: "Where answers came from",
    intro: `The source on-device counts as the device, any other as cloud. ${declared}`,
    blocks: [
      ...undeclaredNote(facts),
      ...tableOf(
        "Sources",
        [
          ["name", "Source", "text"],
          ["n", "Answers", "count"],
          ["share", "Share", "percent"],
        ],
        sources.map(({ name, n }) => ({ name, n, share: answers === 0 ? null : n / answers })),
        mostSources,
      ),
    ],
  };
}

/** An endpoint's answers say where they came from when its board is long settled. */
function undeclaredNote(facts: ReportFacts): NoteBlock[] {
  const isLocal = ({ name }: { name: string }) => name === onDevice;
  const { sources } = facts.breakdown;
  if (isRouted(facts) || !sources.some(isLocal) || sources.every(isLocal)) return [];
  const text =
    "Some answers came from the device and some did not, but the run was submitted as a plain endpoint, so it ranks by call F1. To rank by the total among systems that route, submit the endpoint with the option routed: true, or rescore the stored answers with it.";
  return [note("Answers from two places", text)];
}

/**
 * Figures by tag; null if no tag has more than one value.
 * @example tagSection(facts)?.id // "tags"
 */
function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, {
    figures: [
      { id: "avgF1", label: "Call F1", format: "score" },
      { id: "total", label: "Total", format: "percent" },
      { id: "onDeviceRatio", label: "On device", format: "percent" },
    ],
    steps,
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}

/**
 * Times, throughput, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
function performanceSection(facts: ReportFacts): ReportSection {
  const { metrics, points, timeline } = facts;
  const { id, format } = rankingMetric(facts);
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds.",
    blocks: [
      ...latencyBlocks(metrics, points, {
        headline: { id, label: "score of a sample", format },
      }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, toolsMetrics),
    ],
  };
}
