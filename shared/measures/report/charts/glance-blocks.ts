import type { TableBlock } from "../../../contracts/report.ts";
import { figureText, intervalText } from "../figures/figure-text.ts";
import { fewestSamples } from "../figures/part-interval.ts";
import type { MeasuredReading } from "../figures/reading.ts";
import { levelNames, levelText, type Tier } from "../figures/tier.ts";
import { type Column, cutTable } from "./blocks.ts";

/** Formats differ from row to row, so figures are text. */
const limitOf =
  (tier: Exclude<Tier, "fails">) =>
  ({ scale, format }: MeasuredReading): string | null =>
    figureText(scale?.[tier] ?? null, format);

/** A column of the limit of a level. */
const limitColumn = (tier: Exclude<Tier, "fails">): Column<MeasuredReading> => [
  tier,
  levelNames[tier],
  "figure",
  limitOf(tier),
];

const columns: readonly Column<MeasuredReading>[] = [
  ["measure", "Measure", "text", ({ label }) => label],
  ["value", "Value", "figure", ({ value, format }) => figureText(value, format)],
  ["interval", "95% interval", "figure", ({ interval, format }) => intervalText(interval, format)],
  ["grade", "Grade", "grade", gradeOf],
  limitColumn("minimum"),
  limitColumn("target"),
  limitColumn("excellence"),
  ["n", "n", "count"],
];

/** Shown if the limits are only this project's. */
const ownLimits =
  "The specification of this suite sets no thresholds: these are a reading aid of this project, not a standard. ";

const howMet =
  "A grade is the level that a value reaches: Excellent, Good, Minimum or Below minimum. “Could be” names other levels at the ends of its interval.";

const ofFew = ` On fewer than ${fewestSamples} samples an interval is too rough for that.`;

const withoutThresholds = (names: readonly string[]): string =>
  ` The specification sets no thresholds for ${names.join(" and ")}: the limits shown do not affect the recommendation.`;

/**
 * The measures of a run with interval and grade (the level that each reaches). Rows also have their metric's id, and
 * its letter if the suite has letters. `isOwn`: the thresholds are this project's, which a note states.
 * @example glanceTable(measured, { isOwn: true }).title // "At a glance"
 */
export function glanceTable(
  measured: readonly MeasuredReading[],
  { isOwn }: { isOwn: boolean },
): TableBlock {
  const bare = measured.filter(({ limits, scale }) => limits === null && scale !== null);
  const names = bare.map(({ label }) => label);
  const below = `${isOwn ? ownLimits : ""}${howMet}${measured.some(isOfFew) ? ofFew : ""}${names.length > 0 ? withoutThresholds(names) : ""}`;
  const table = cutTable("At a glance", columns, measured);
  const rows = table.rows.map((row, i) => ({
    ...row,
    metric: measured[i]!.metric,
    letter: measured[i]!.letter,
  }));
  return { ...table, rows, brief: true, below };
}

/** Whether a level is based on too few samples to interpret the interval. */
const isOfFew = ({ scale, value, n }: MeasuredReading): boolean =>
  scale !== null && value !== null && n < fewestSamples;

function gradeOf(row: MeasuredReading): string | null {
  const { scale, value, interval } = row;
  if (scale === null) return null;
  if (isOfFew(row)) return `${levelText(scale, value, null)} (too few samples to be sure)`;
  return levelText(scale, value, interval);
}
