import type {
  NoteBlock,
  ReportBlock,
  ReportSection,
  TableBlock,
} from "../../../contracts/report.ts";
import { metricValue, tableOf } from "../../../measures/report/blocks.ts";
import { boxesOf } from "../../../measures/report/boxes-of.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import { barsOfParts, belowParts, partInterval } from "../../../measures/report/part-interval.ts";
import { pointsText } from "../../../measures/report/point-scatter.ts";
import type { Level } from "../sample.ts";
import { bars, levelLabels, note, type ReportFacts } from "./report-facts.ts";

/**
 * The levels with what they are made of, and how samples spread within each.
 * Source: docs/spec/tools.md, metrics.
 * @example levelSection(facts).id // "levels"
 */
export function levelSection({ metrics, breakdown, points }: ReportFacts): ReportSection {
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
