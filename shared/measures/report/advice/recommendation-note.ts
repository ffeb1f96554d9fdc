import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type { NoteBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import { note } from "../charts/blocks.ts";
import { glanceTable } from "../charts/glance-blocks.ts";
import { figureText, intervalText, listed } from "../figures/figure-text.ts";
import { fewestSamples } from "../figures/part-interval.ts";
import { type MeasuredReading, measureReadings, type Reading } from "../figures/reading.ts";
import { type Limits, levelNames, lowestTier, type Tier } from "../figures/tier.ts";
import type { ComparedFigure } from "../parts/strength-blocks.ts";
import { type Advice, supportedAdvice } from "./advice.ts";
import { weakestPart } from "./weakest-part.ts";

/** Input of a recommendation. */
interface RecommendationBasis {
  measured: readonly MeasuredReading[];
  /** Number of samples with a headline score, and whether it has a value. */
  n: number;
  isScored: boolean;
  /** In the order of the report, the most serious first. */
  advice: readonly Advice[];
  /** Parts of the run, and the figure by which they are compared; more is better. */
  parts: ComparedFigure;
  /** Sentences of the suite, such as limits of the run. */
  more?: readonly string[];
}

const verdicts: Readonly<Record<Tier, { words: string; tone: Tone }>> = {
  excellence: { words: "fit for use with spot checks", tone: "excellent" },
  target: { words: "fit for use with spot checks", tone: "good" },
  minimum: { words: "use it only where every answer is reviewed", tone: "fair" },
  fails: { words: "not recommended as it is", tone: "poor" },
};

/**
 * A recommendation in a report.
 * @example recommendation("Take it.", "good").title // "Recommendation"
 */
export const recommendation = (text: string, tone: Tone = "neutral"): NoteBlock => ({
  ...note("Recommendation", text, tone),
  brief: true,
});

/**
 * A note that a run is too small, or has no score, for a recommendation; null otherwise.
 * @example noRecommendation(12, true)?.text // "The run has only 12 samples: …"
 */
export function noRecommendation(n: number, isScored: boolean): NoteBlock | null {
  if (!isScored) return recommendation("No answer was scored, so there is nothing to recommend.");
  if (n >= fewestSamples) return null;
  return recommendation(
    `The run has only ${n} ${n === 1 ? "sample" : "samples"}: a recommendation needs at least ${fewestSamples}.`,
  );
}

/**
 * Recommends a use for a run by the lowest threshold that its deciding measures meet, limited to the minimum after a
 * serious finding; also names the limiting measures, findings, the weakest part, times and failures, and the first
 * change to make. No recommendation for fewer than 20 samples.
 * @example recommendationNote(basis).tone // "fair"
 */
export function recommendationNote(basis: RecommendationBasis): NoteBlock {
  const { measured, n, isScored, advice, parts, more = [] } = basis;
  const small = noRecommendation(n, isScored);
  if (small !== null) return small;
  const known = measured.filter((row) => row.tier !== null && row.n >= fewestSamples);
  const deciding = known.filter(({ decides }) => decides);
  const tier = lowestTier(deciding.map((row) => row.tier));
  if (tier === null) {
    return recommendation(
      `No recommendation: none of the metrics that decide it has ${fewestSamples} samples.`,
    );
  }
  const grave = advice.filter(({ tone }) => tone === "poor");
  const isHeld = grave.length > 0 && (tier === "target" || tier === "excellence");
  const { words, tone } = verdicts[isHeld ? "minimum" : tier];
  const text = [
    `By this project's reading aid: ${words}.`,
    ...decidedText(deciding, tier),
    ...(tier === "fails" ? [] : [...graveText(grave, isHeld), ...serviceText(known)]),
    ...partText(parts),
    ...more,
    ...changeText(advice, known),
  ].join(" ");
  return recommendation(text, isDimmed(known) ? dimmed(tone) : tone);
}

/** Input of a verdict. */
interface Verdict extends Pick<RecommendationBasis, "advice" | "parts" | "more"> {
  readings: readonly Reading[];
  catalogue: readonly Metric[];
  /** Id of the metric that must be present. */
  headline: string;
}

/**
 * A recommendation by the project's own limits, and the measures at a glance.
 * @example verdictBlocks(metrics, { readings, catalogue, headline: "f1", advice, parts })[0].kind // "note"
 */
export function verdictBlocks(
  metrics: Estimates,
  { readings, catalogue, headline, advice, ...basis }: Verdict,
): ReportBlock[] {
  const { value = null, n = 0 } = metrics[headline] ?? {};
  const measured = measureReadings(readings, metrics, catalogue);
  const isScored = value !== null;
  return [
    recommendationNote({ ...basis, measured, n, isScored, advice: supportedAdvice(advice) }),
    glanceTable(measured, { isOwn: true }),
  ];
}

/** Whether some metric meets at most its minimum, including metrics that don't decide the verdict. */
const isDimmed = (known: readonly MeasuredReading[]): boolean =>
  known.some(({ tier }) => tier === "minimum" || tier === "fails");

const dimmed = (tone: Tone): Tone => (tone === "poor" ? tone : "fair");

function decidedText(deciding: readonly MeasuredReading[], tier: Tier): string[] {
  const names = listed(deciding.map(({ label }) => label));
  const low = deciding.filter((row) => row.tier === tier).map(namedMeasure);
  if (tier === "fails") return [`Below the minimum: ${low.join("; ")}.`];
  if (deciding.length === 1) return [`${names} is “${levelNames[tier]}”.`];
  if (low.length === deciding.length) return [`${names} are “${levelNames[tier]}”.`];
  return [`The lowest grade of ${names} is “${levelNames[tier]}”: ${low.join("; ")}.`];
}

/** The name of a measure; the table next to it has its value and interval. */
const namedMeasure = ({ label, format, limits, tier }: MeasuredReading): string =>
  tier === "fails" && limits !== null ? `${label} (${wantedText(limits, format)})` : label;

const wantedText = ({ better, minimum }: Limits, format: Advice["format"]): string =>
  `${figureText(minimum, format)} ${better === "lower" ? "or less" : "or more"} required`;

function spreadText(
  interval: readonly [number, number] | null,
  format: Advice["format"],
  n: number,
): string {
  const known = interval === null ? "" : `95% interval ${intervalText(interval, format)}, `;
  return `${known}n = ${figureText(n, "count")}`;
}

function graveText(grave: readonly Advice[], isHeld: boolean): string[] {
  const [first, ...others] = grave;
  if (first === undefined) return [];
  const so = others.length === 1 ? "So does 1 more" : `So do ${others.length} more`;
  const more = others.length === 0 ? "" : ` ${so} below.`;
  const how = isHeld
    ? "A grave finding allows no more than use under review"
    : "A grave finding speaks against it";
  return [`${how}: ${first.finding}${more}`];
}

function partText({ label, format, value: whole, cells }: ComparedFigure): string[] {
  const worst = weakestPart(cells, whole);
  if (worst === null) return [];
  const compared = `${figureText(worst.value, format)} against ${figureText(whole, format)} for the whole run`;
  return [
    `Weakest part: ${worst.label}, ${label} ${compared} (${spreadText(worst.interval, format, worst.n)}).`,
  ];
}

/** Metrics whose importance depends on the use, such as times and failures: reported, but not part of the verdict. */
function serviceText(measured: readonly MeasuredReading[]): string[] {
  const missed = measured.filter(({ decides, tier }) => !decides && tier === "fails");
  if (missed.length === 0) return [];
  return [
    `Below the minimum, but not part of the verdict: ${missed.map(namedMeasure).join("; ")}.`,
  ];
}

const changes: Readonly<Record<Advice["change"], string>> = {
  prompt: "the prompt",
  mode: "the output mode",
  parameters: "the parameters",
  model: "the model",
  data: "the data",
  judges: "the judges",
};

function changeText([first]: readonly Advice[], known: readonly MeasuredReading[]): string[] {
  if (first === undefined) {
    return isDimmed(known)
      ? ["No rule found a cause: read the samples with the lowest scores."]
      : ["No rule found anything to change."];
  }
  return [`First change ${changes[first.change]}: ${first.action}`];
}
