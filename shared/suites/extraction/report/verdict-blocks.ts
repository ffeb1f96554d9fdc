import { coverageFloor } from "../../../contracts/coverage-floor.ts";
import type { NoteBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import { figureText, intervalText } from "../../../measures/report/figure-text.ts";
import { glanceBlocks } from "../../../measures/report/glance-blocks.ts";
import { type MeasuredReading, measureReadings } from "../../../measures/report/reading.ts";
import { withheld } from "../../../measures/report/recommendation-note.ts";
import { lowestTier } from "../../../measures/report/tier.ts";
import { extractionMetrics } from "../metrics.ts";
import { eqsBand } from "../sum/breakdown/verdict.ts";
import { lostText, lostTotals } from "./missed-fields.ts";
import { extractionReadings } from "./readings.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * What a run is good enough for, and its measures with the thresholds they meet.
 * Source: docs/spec/extraction.md, section 6.
 * @example verdictBlocks(facts)[1]?.title // "At a glance"
 */
export function verdictBlocks(facts: ReportFacts): ReportBlock[] {
  const { metrics } = facts;
  const measured = measureReadings(extractionReadings, metrics, extractionMetrics);
  return [recommendationNote(measured, facts), ...glanceBlocks(measured, { isOwn: false })];
}

const tones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

/** Where these are advised, outputs go into use that nobody has read. */
const unread = new Set(["deploy without human review", "spot-check"]);

/** Below this more outputs differ from what is expected than not. */
const leastExact = 0.5;

function recommendationNote(
  measured: readonly MeasuredReading[],
  { metrics, breakdown }: ReportFacts,
): NoteBlock {
  const { recommendation } = breakdown;
  const { n, coverage } = metrics["eqs"] ?? { n: 0, coverage: 0 };
  const small = withheld(n, recommendation !== null);
  if (small !== null || recommendation === null) return small ?? withheld(0, false)!;
  const of = (metric: string) => measured.find((one) => one.metric === metric);
  const failed = measured.filter(({ tier }) => tier === "fails").map(({ label }) => label);
  const exact = of("exactMatch")?.value ?? null;
  const eqs = of("eqs")?.value ?? 0;
  const isMisleading = unread.has(recommendation) && exact !== null && exact < leastExact;
  const rule = `By EQS (${eqsBand(eqs).toLowerCase()}) and hallucination rate alone: ${recommendation}.`;
  const text = [
    ...(failed.length > 0 ? [`Below the minimum: ${failed.join(", ")}.`] : []),
    ...inOrder(isMisleading, exactText(of("exactMatch"), isMisleading), rule),
    ...madeUpText(metrics, breakdown),
    ...(failed.length > 0 ? [] : [tierText(measured)]),
    ...uncoveredText(coverage),
  ].join(" ");
  const tone = failed.length > 0 || isMisleading ? "poor" : (tones[recommendation] ?? "neutral");
  return { kind: "note", title: "Recommendation", brief: true, tone, text };
}

/** What speaks against the rule stands before it. */
const inOrder = (isMisleading: boolean, exact: readonly string[], rule: string): string[] =>
  isMisleading ? [...exact, rule] : [rule, ...exact];

/** Answers of which nothing is used count as made up, which says nothing of what a model makes up. */
function madeUpText(
  metrics: ReportFacts["metrics"],
  breakdown: ReportFacts["breakdown"],
): string[] {
  const { lost } = breakdown.errorAnalysis;
  const valid = metrics["hallucinationRateOfValid"]?.value ?? null;
  const answers = lostTotals(lost);
  if (valid === null || answers.invalidOutput.answers + answers.failedRequest.answers === 0)
    return [];
  return [
    `The hallucination rate takes ${lostText(lost)} as wholly made up; of valid outputs it is ${figureText(valid, "percent")}.`,
  ];
}

/** The rule does not look at it: how many outputs are right as a whole. */
function exactText(exact: MeasuredReading | undefined, isMisleading: boolean): string[] {
  if (exact === undefined || exact.value === null) return [];
  const { value, interval, letter, n } = exact;
  const known = interval === null ? "" : `, 95% interval ${intervalText(interval, "percent")}`;
  const share = `${figureText(value, "percent")} of the outputs equal the expected one in every value (exact match, grade ${letter}${known}, n = ${figureText(n, "count")})`;
  return isMisleading
    ? [
        `Not without review: only ${share}; the other ${figureText(1 - value, "percent")} differ in some value, which the rule that follows does not count.`,
      ]
    : [`Beside it: ${share}.`];
}

const uncoveredText = (coverage: number): string[] =>
  coverage >= coverageFloor
    ? []
    : [
        `Only ${figureText(coverage, "percent")} of the samples are covered: each of the others is 0 in all of this.`,
      ];

function tierText(measured: readonly MeasuredReading[]): string {
  const held = measured.filter(({ limits }) => limits !== null);
  const known = held.every(({ tier }) => tier !== null) ? "Every measure" : "Every known measure";
  return `${known} with thresholds meets at least “${lowestTier(held.map(({ tier }) => tier))}”.`;
}
