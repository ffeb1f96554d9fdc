import type { MetricComparison } from "../../../contracts/boards/comparison.ts";
import type { Metric } from "../../../contracts/metric.ts";
import { differenceText, figureText, pText } from "../../report/figures/figure-text.ts";
import { type OrientedPair, orientedPairs } from "./oriented-pairs.ts";

/** A compared run, with what helps to choose; null: not known, or not comparable. */
export interface VerdictRun {
  name: string;
  /** 95th percentile of latency, ms. */
  p95Ms: number | null;
  /** Cost of 1,000 answers, USD. */
  costUsd: number | null;
}

/** The result of the tests of a comparison, in words. */
export interface Verdict {
  /** Whether a run leads, such as "A leads." */
  lead: string;
  /** Sentences that follow. */
  rest: string[];
}

type Tested = Pick<MetricComparison, "standings" | "pairs" | "better" | "units">;

/** Names of runs that are not told apart; further ones are counted. */
const MOST_NAMED = 3;
/** Beyond so many times the samples, nobody would add them: the runs are as good as equal. */
const MOST_TIMES = 100;
/** A ratio this close to 1 is not worth a word. */
const NEARLY = 1.05;

/**
 * Says which run leads, or that none does and how many samples would decide, from the paired tests of one metric; then
 * what the first costs against the second, and which is the cheapest. `runOf` describes a run by its id. Null for fewer
 * than two runs.
 * @example verdictOf(tested, metric, runOf)?.lead // "A leads."
 */
export function verdictOf(
  tested: Tested,
  metric: Pick<Metric, "label" | "format">,
  runOf: (run: string) => VerdictRun,
): Verdict | null {
  const { standings } = tested;
  const [first, second] = standings;
  if (first === undefined || second === undefined) return null;
  const pairs = orientedPairs(tested);
  const pair = pairs.find((one) => one.first === first.run && one.second === second.run);
  if (pair === undefined) return null;
  const [best, next] = [runOf(first.run), runOf(second.run)];
  const equals = standings.filter(({ tieGroup }) => tieGroup === 1).map(({ run }) => runOf(run));
  const trades = [tradeText(best, next), cheapestText(standings.map(({ run }) => runOf(run)))];
  const figures = pairText(pair, metric, next.name);
  if (equals.length === 1) {
    const share = figureText(first.best, "percent");
    const rest = [`${figures}, first in ${share} of resamples.`, ...trades];
    return { lead: `${best.name} leads.`, rest: rest.filter((text) => text !== "") };
  }
  const apart = tested.units.count < 2 ? "can't be tested" : "are not significantly different";
  const found = `${listed(equals)} ${apart}: ${best.name} has ${figures}.`;
  const rest = [found, needText(pair, tested), ...trades];
  return { lead: "No model leads.", rest: rest.filter((text) => text !== "") };
}

/** "+0.105 EQS over B (95% CI +0.034 to +0.187, corrected p = 0.010)" */
function pairText(
  { difference: { value, interval }, pHolm }: OrientedPair,
  { label, format }: Pick<Metric, "label" | "format">,
  other: string,
): string {
  const ends = interval?.map((end) => differenceText(end, format)).join(" to ");
  const p = pText(pHolm);
  const details = [
    ...(ends === undefined ? [] : [`95% CI ${ends}`]),
    ...(pHolm === null ? [] : [p.startsWith("<") ? `corrected p ${p}` : `corrected p = ${p}`]),
  ];
  const basis = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${differenceText(value, format)} ${label} against ${other}${basis}`;
}

function listed(runs: readonly VerdictRun[]): string {
  const names = runs.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = runs.length - names.length;
  const last = more > 0 ? `${more} more` : names.pop();
  return `${names.join(", ")} and ${last}`;
}

/** How many samples would show a difference of this size. */
function needText({ samplesToSeparate: needed }: OrientedPair, { units }: Tested): string {
  if (needed === null || needed <= units.count || needed > MOST_TIMES * units.count) return "";
  const [enough, tested] = [needed, units.count].map((count) => figureText(count, "count"));
  const kind = units.kind === "samples" ? "samples" : "sources of samples";
  return `About ${enough} ${kind} would show a difference of this size with a power of 80%, instead of ${tested}.`;
}

/** What the first costs, and how long it takes, against the second. */
function tradeText(best: VerdictRun, next: VerdictRun): string {
  const cost = ratioOf(best.costUsd, next.costUsd);
  const time = ratioOf(best.p95Ms, next.p95Ms);
  const parts = [
    ...(cost === null ? [] : [`costs ${cost} × as much`]),
    ...(time === null ? [] : [`takes ${time} × as long (p95)`]),
  ];
  return parts.length === 0 ? "" : `${best.name} ${parts.join(" and ")} as ${next.name}.`;
}

/** A ratio with two digits; null if it is unknown or nearly 1. */
function ratioOf(a: number | null, b: number | null): string | null {
  if (a === null || b === null || a <= 0 || b <= 0) return null;
  const ratio = a / b;
  if (ratio < NEARLY && ratio > 1 / NEARLY) return null;
  return ratio >= 10
    ? figureText(ratio, "count").replace(/\.\d$/, "")
    : String(Number(ratio.toPrecision(2)));
}

function cheapestText(runs: readonly VerdictRun[]): string {
  const priced = runs.filter(({ costUsd }) => costUsd !== null);
  if (priced.length < 2) return "";
  const cheapest = priced.reduce((a, b) => ((b.costUsd ?? 0) < (a.costUsd ?? 0) ? b : a));
  return `Cheapest: ${cheapest.name}, ${figureText(cheapest.costUsd, "usd")} per 1,000 answers.`;
}
