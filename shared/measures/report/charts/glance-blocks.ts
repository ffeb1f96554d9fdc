import type { TableBlock } from "../../../contracts/report.ts";
import { figureText, intervalText } from "../figures/figure-text.ts";
import { fewestSamples } from "../figures/part-interval.ts";
import type { MeasuredReading } from "../figures/reading.ts";
import { type Tier, tierOf } from "../figures/tier.ts";
import { type Column, cutTable } from "./blocks.ts";

/** Formats differ from row to row, so figures are text. */
const limitOf =
  (tier: Exclude<Tier, "fails">) =>
  ({ limits, format }: MeasuredReading): string | null =>
    figureText(limits?.[tier] ?? null, format);

const columns: readonly Column<MeasuredReading>[] = [
  ["measure", "Measure", "text", ({ label }) => label],
  ["value", "Value", "figure", ({ value, format }) => figureText(value, format)],
  ["interval", "95% interval", "figure", ({ interval, format }) => intervalText(interval, format)],
  ["grade", "Grade", "text", (row) => tierText(row) ?? row.letter],
  ["minimum", "Minimum", "figure", limitOf("minimum")],
  ["target", "Target", "figure", limitOf("target")],
  ["excellence", "Excellence", "figure", limitOf("excellence")],
  ["n", "n", "count"],
];

/** Shown if the limits are only this project's. */
const ownLimits =
  "The specification of this suite sets no thresholds: these are a reading aid of this project, not a standard. They are equal to the zones “fair”, “good” and “excellent” of the gauge and the charts. ";

const howMet =
  "A grade is the threshold that a value meets; brackets give the thresholds that the ends of its interval would meet, if they differ.";

const ofFew = ` On fewer than ${fewestSamples} samples an interval is too rough for that.`;

const ofLetters = " A measure without thresholds has a letter, from A+ to F.";

/**
 * The measures of a run with interval and grade: the threshold that each meets, or a letter if it has no thresholds.
 * `isOwn`: the thresholds are this project's, and a note says so.
 * @example glanceTable(measured, { isOwn: true }).title // "At a glance"
 */
export function glanceTable(
  measured: readonly MeasuredReading[],
  { isOwn }: { isOwn: boolean },
): TableBlock {
  const hasLetters = measured.some(({ letter }) => letter !== null);
  const below = `${isOwn ? ownLimits : ""}${howMet}${measured.some(isOfFew) ? ofFew : ""}${hasLetters ? ofLetters : ""}`;
  return { ...cutTable("At a glance", columns, measured), brief: true, below };
}

/** Whether a threshold was met or missed on too few samples to interpret the interval. */
const isOfFew = ({ tier, n }: Pick<MeasuredReading, "tier" | "n">): boolean =>
  tier !== null && n < fewestSamples;

const words: Readonly<Record<Tier, string>> = {
  excellence: "excellence",
  target: "target",
  minimum: "minimum",
  fails: "below minimum",
};

function tierText({ limits, interval, tier, n }: MeasuredReading): string | null {
  if (limits === null || tier === null) return null;
  if (isOfFew({ tier, n })) return `${words[tier]} (too few to be sure)`;
  const ends = (interval ?? []).map((end) => tierOf(limits, end)!);
  if (limits.better === "lower") ends.reverse();
  const [worst = tier, best = tier] = ends;
  if (worst === tier && best === tier) return words[tier];
  if (worst === tier) return `${words[tier]} (up to ${words[best]})`;
  if (best === tier) return `${words[tier]} (down to ${words[worst]})`;
  return `${words[tier]} (${words[worst]} to ${words[best]})`;
}
