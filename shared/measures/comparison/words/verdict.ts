import type { MetricComparison } from "../../../contracts/boards/comparison.ts";
import type { Metric } from "../../../contracts/metric.ts";
import { timesForCorrection } from "../../../stats/significance/power.ts";
import {
  boundsText,
  differenceText,
  figureText,
  listed,
  pSays,
} from "../../report/figures/figure-text.ts";
import { intervalBasis } from "../../report/figures/interval-basis.ts";
import { type OrientedPair, orientedPairs } from "./oriented-pairs.ts";

/** A compared run with its latency and cost; null: unknown, or not comparable. */
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

type Tested = Pick<MetricComparison, "standings" | "pairs" | "better" | "units" | "samples">;
type Shown = Pick<Metric, "label" | "format">;

/** A run and its rival: the second run for the first, the first for any other. */
interface Rivals {
  own: VerdictRun;
  other: VerdictRun;
  /** The higher-ranked run minus the other. */
  pair: OrientedPair;
  isFirst: boolean;
}

/** Maximum number of tied runs named; the others are counted. */
const MOST_NAMED = 3;
/** Larger multiples of the samples are not suggested, because nobody would add so many. */
const MOST_TIMES = 100;
/** A ratio this close to 1 is not mentioned. */
const NEARLY = 1.05;

/**
 * The result of one metric's paired tests in words: which run leads, or that none does and how many samples would show
 * a difference; then relative cost and latency, and the cheapest run. `runOf` describes a run by its id. `about`: the
 * run to describe; if it is not the first, it is compared with the first, which is then not called the leader, because
 * others may tie with it. `tests`: number of tests in the correction of p-values. With too few clusters of samples, no
 * run is the leader. Null for fewer than two runs.
 * @example verdictOf(tested, metric, runOf)?.lead // "A leads."
 */
export function verdictOf(
  tested: Tested,
  metric: Shown,
  runOf: (run: string) => VerdictRun,
  about = tested.standings[0]?.run,
  tests = tested.pairs.length,
): Verdict | null {
  const rivals = rivalsOf(tested, runOf, about);
  if (rivals === null) return null;
  const { standings } = tested;
  const equals = standings.filter(({ tieGroup }) => tieGroup === 1);
  const isApart = rivals.isFirst ? equals.length === 1 : !equals.some(({ run }) => run === about);
  const figures = pairText(rivals, metric, tests);
  const cheapest = cheapestText(standings.map(({ run }) => runOf(run)));
  const more = tradeText(rivals);
  if (intervalBasis(tested.units)?.isFew) {
    const rest = [`${rivals.own.name}: ${figures}${more}.`, cheapest];
    return { lead: "Too few sources of samples to say who leads.", rest: rest.filter(Boolean) };
  }
  const rest = isApart
    ? [
        `${rivals.isFirst ? "" : `${rivals.own.name}: `}${figures}${bestText(rivals, standings)}${more}.`,
        cheapest,
      ]
    : [
        `${equalText(
          rivals,
          equals.map(({ run }) => runOf(run)),
          tested,
        )}: ${figures}${more}.`,
        needText(rivals, tested, tests),
        cheapest,
      ];
  return { lead: leadText(rivals, isApart), rest: rest.filter((text) => text !== "") };
}

function rivalsOf(
  tested: Tested,
  runOf: (run: string) => VerdictRun,
  about: string | undefined,
): Rivals | null {
  const [first, second] = tested.standings;
  if (first === undefined || second === undefined || about === undefined) return null;
  const isFirst = about === first.run;
  const behind = isFirst ? second.run : about;
  const pairs = orientedPairs(tested);
  const pair = pairs.find((one) => one.first === first.run && one.second === behind);
  if (pair === undefined) return null;
  const [best, next] = [runOf(first.run), runOf(behind)];
  return isFirst
    ? { own: best, other: next, pair, isFirst }
    : { own: next, other: best, pair, isFirst };
}

function leadText({ own, other, isFirst }: Rivals, isApart: boolean): string {
  if (isApart) return isFirst ? `${own.name} leads.` : `Behind ${other.name}.`;
  return isFirst ? "No model leads." : `Not significantly different from ${other.name}.`;
}

/** Names the tied runs; the figures follow. */
function equalText(
  { own, isFirst }: Rivals,
  equals: readonly VerdictRun[],
  { units }: Tested,
): string {
  if (!isFirst) return own.name;
  const apart = units.count < 2 ? "can't be tested" : "are not significantly different";
  return `${listed(
    equals.map(({ name }) => name),
    MOST_NAMED,
  )} ${apart}; ${own.name}`;
}

/** Such as "+0.105 EQS over B (95% CI 0.034–0.187, corrected p = 0.010)". */
function pairText(
  { pair: { difference, pHolm }, other, isFirst }: Rivals,
  { label, format }: Shown,
  tests: number,
): string {
  const { value, interval } = isFirst ? difference : turned(difference);
  const side = value > 0 ? "over" : "against";
  const unit = format === "percent" ? "\u202fpp" : "";
  const details = [
    ...(interval === null ? [] : [`95% CI ${boundsText(interval, format)}${unit}`]),
    ...(pHolm === null ? [] : [`${tests === 1 ? "" : "corrected "}${pSays(pHolm)}`]),
  ];
  const basis = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${differenceText(value, format)} ${label} ${side} ${other.name}${basis}`;
}

const turned = ({ value, interval }: OrientedPair["difference"]): OrientedPair["difference"] => ({
  value: 0 - value,
  interval: interval && [0 - interval[1], 0 - interval[0]],
});

/** How often the leader comes first. */
function bestText({ isFirst }: Rivals, [first]: Tested["standings"]): string {
  if (!isFirst || first === undefined) return "";
  const share = first.best === 1 ? "all" : `${figureText(first.best, "percent")} of`;
  return `, first in ${share} resamples`;
}

/** How many samples would show a difference of this size. */
function needText({ pair, own, other }: Rivals, { samples, units }: Tested, tests: number): string {
  if (units.count < 2) return "";
  const both = `${own.name} from ${other.name}`;
  if (pair.samplesToSeparate === null)
    return `How many samples would tell ${both} can't be estimated.`;
  const needed = Math.max(samples + 1, pair.samplesToSeparate * timesForCorrection(tests));
  const compared = figureText(samples, "count");
  if (needed > MOST_TIMES * samples)
    return `The difference is too small to show with ${MOST_TIMES} times the samples.`;
  return `About ${figureText(rounded(needed), "count")} samples would tell ${both} in 80% of cases; ${compared} were compared.`;
}

/** Rounds up to two significant digits. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

/** Cost and latency relative to the rival, such as "; 2.9 × the cost, 1.6 × slower (p95)". */
function tradeText({ own, other }: Rivals): string {
  const cost = ratioOf(own.costUsd, other.costUsd);
  const time = ratioOf(own.p95Ms, other.p95Ms);
  const slower = time !== null && time >= 1;
  const parts = [
    ...(cost === null ? [] : [`${ratioText(cost)} × the cost`]),
    ...(time === null
      ? []
      : [`${ratioText(slower ? time : 1 / time)} × ${slower ? "slower" : "faster"} (p95)`]),
  ];
  return parts.length === 0 ? "" : `; ${parts.join(", ")}`;
}

/** The ratio; null if unknown or nearly 1. */
function ratioOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null || a <= 0 || b <= 0) return null;
  const ratio = a / b;
  return ratio < NEARLY && ratio > 1 / NEARLY ? null : ratio;
}

/** The ratio with two significant digits. */
const ratioText = (ratio: number): string =>
  ratio >= 10 ? figureText(Math.round(ratio), "count") : String(Number(ratio.toPrecision(2)));

function cheapestText(runs: readonly VerdictRun[]): string {
  const priced = runs.filter(({ costUsd }) => costUsd !== null);
  if (priced.length < 2) return "";
  const cheapest = priced.reduce((a, b) => ((b.costUsd ?? 0) < (a.costUsd ?? 0) ? b : a));
  return `Cheapest: ${cheapest.name}, ${figureText(cheapest.costUsd, "usd")} per 1,000 answers.`;
}
