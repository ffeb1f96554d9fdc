import type { TableBlock } from "../../contracts/report.ts";
import { figureText, intervalText } from "./figure-text.ts";
import { gradeText, isLetters, type MeasuredReading } from "./reading.ts";
import { type Tier, tierOf } from "./tier.ts";

const columns: readonly [id: string, label: string, format: "text" | "figure" | "count"][] = [
  ["measure", "Measure", "text"],
  ["value", "Value", "figure"],
  ["interval", "95% interval", "figure"],
  ["grade", "Grade", "text"],
  ["tier", "Threshold met", "text"],
  ["minimum", "Minimum", "figure"],
  ["target", "Target", "figure"],
  ["excellence", "Excellence", "figure"],
  ["n", "n", "count"],
];

/** Said where the limits are nobody's but this project's. */
const ownLimits =
  "The specification of this suite sets no thresholds and no grades: these are a reading aid of this project, and no standard. ";

const howMet =
  "A value meets a threshold or misses it; in brackets stands what the ends of its interval would meet, where that differs.";

const ownScale = "Grades are a scale of their own.";
const ownZones =
  " Minimum, target and excellence of scores begin where the zones “fair”, “good” and “excellent” of the gauge and the charts do.";

/**
 * The measures of a run with interval, grade, and the thresholds each meets or misses; and how grades and
 * thresholds go together. `isOwn`: the limits are this project's, which is then said. Formats differ from row to
 * row, so figures are text.
 * @example glanceBlocks(measured, { isOwn: true })[0].title // "At a glance"
 */
export function glanceBlocks(
  measured: readonly MeasuredReading[],
  { isOwn }: { isOwn: boolean },
): [TableBlock, TableBlock] {
  return [
    {
      ...{ kind: "table", title: "At a glance", brief: true },
      columns: columns.map(([id, label, format]) => ({ id, label, format })),
      rows: measured.map(glanceRow),
      below: `${isOwn ? ownLimits : ""}${howMet}`,
    },
    { ...gradeTable(measured), below: `${ownScale}${isOwn ? ownZones : ""}` },
  ];
}

function glanceRow(row: MeasuredReading): TableBlock["rows"][number] {
  const { label, value, interval, format, grade, limits, n } = row;
  const limit = (tier: Exclude<Tier, "fails">) => figureText(limits?.[tier] ?? null, format);
  return {
    ...{ measure: label, value: figureText(value, format), grade, n, tier: tierText(row) },
    interval: intervalText(interval, format),
    ...{ minimum: limit("minimum"), target: limit("target"), excellence: limit("excellence") },
  };
}

const words: Readonly<Record<Tier, string>> = {
  ...{ excellence: "excellence", target: "target", minimum: "minimum", fails: "none" },
};

function tierText({ limits, interval, tier }: MeasuredReading): string | null {
  if (limits === null || tier === null) return null;
  const ends = (interval ?? []).map((end) => tierOf(limits, end)!);
  if (limits.better === "lower") ends.reverse();
  const [worst = tier, best = tier] = ends;
  if (worst === tier && best === tier) return words[tier];
  if (worst === tier) return `${words[tier]} (up to ${words[best]})`;
  if (best === tier) return `${words[tier]} (down to ${words[worst]})`;
  return `${words[tier]} (${words[worst]} to ${words[best]})`;
}

/** Which grade a value has that just meets each threshold, of measures that have both. */
function gradeTable(measured: readonly MeasuredReading[]): TableBlock {
  const both = measured.filter(({ grades, limits }) => grades !== null && limits !== null);
  return {
    ...{ kind: "table", title: "Grades at thresholds", folded: true },
    columns: ["Measure", "Minimum", "Target", "Excellence"].map((label) => ({
      ...{ id: label.toLowerCase(), label, format: "text" },
    })),
    rows: both.map((row) => ({
      ...{ measure: row.label, minimum: gradeAt(row, "minimum") },
      ...{ target: gradeAt(row, "target"), excellence: gradeAt(row, "excellence") },
    })),
  };
}

function gradeAt(row: MeasuredReading, tier: Exclude<Tier, "fails">): string {
  const limit = row.limits![tier];
  const froms = isLetters(row.grades!) ? row.grades : row.grades!.map(({ from }) => from);
  const grade = gradeText(row, limit) ?? "F";
  return froms.includes(limit) ? grade : `upper part of ${grade}`;
}
