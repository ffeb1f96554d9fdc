import type { Json } from "../../../../contracts/json.ts";
import type { Estimate } from "../../../../contracts/metric.ts";
import type { RunFacts } from "../../../../contracts/suite.ts";
import { lowestTier, tierOf } from "../../../../measures/report/figures/tier.ts";
import { shareInterval } from "../../../../measures/run-sums/interval-of.ts";
import { type RunBasis, shownBasis } from "../../../../measures/run-sums/run-basis.ts";
import { bootstrap, type Interval, partResamples } from "../../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../../../stats/bootstrap/statistics.ts";
import type { ExtractionOptions } from "../../options.ts";
import { eqsBand, recommend, thresholds } from "../../thresholds.ts";
import { correlationsOf } from "../correlations.ts";
import { crowdedTags, type GroupSpread, type NamedGroup } from "../groups.ts";
import type { consistencyOf } from "../repeats.ts";
import type { ExtractionState } from "../state.ts";
import { calibrationOf } from "../tallies.ts";
import type { ExtractionBreakdown } from "./breakdown.ts";
import type { ComplexityBreakdown } from "./breakdown-parts.ts";
import { errorsBreakdown } from "./error-breakdown.ts";
import { fieldsBreakdown, namedCells, withInterval } from "./field-breakdown.ts";
import type { FieldCell } from "./field-tables.ts";
import { groupFigures, type shownGroups } from "./group-breakdown.ts";

/** Every metric's estimate, by id. */
type Estimates = Readonly<Record<string, Estimate>>;

/** Input of a breakdown. */
interface RunResults {
  state: ExtractionState;
  basis: RunBasis;
  metrics: Estimates;
  consistency: ReturnType<typeof consistencyOf>;
  groups: {
    shown: ReturnType<typeof shownGroups>;
    spreads: ReadonlyMap<NamedGroup, GroupSpread>;
    /** The non-empty groups among the 128 groups of samples for resampling parts. */
    held: readonly number[];
  };
  run: RunFacts<ExtractionOptions>;
}

/**
 * The tables of a run: counts over all answers (repeats each counted), EQS split into its components, the
 * recommendation, and the run's parts. Shares are 0–1 and null without samples.
 * Source: docs/spec/extraction.md, sections 5 to 11.
 * @example breakdownOf({ state, basis, metrics, consistency, groups, run })
 */
export function breakdownOf(results: RunResults): Json {
  const { state, basis, metrics, consistency } = results;
  const { tallies, run } = state;
  const { units } = basis;
  const { identical, typeCorrect: _, lenient: __, ...categories } = tallies.fields;
  const breakdown: ExtractionBreakdown = {
    ...shownBasis(basis, run.answers.unscored),
    alignedApproximately: tallies.alignedApproximately,
    clusters: units.kind === "clusters" ? units.count : null,
    categories,
    identical,
    parse: tallies.parse,
    refused: tallies.refused,
    empty: tallies.empty,
    truncated: tallies.truncated,
    structuredModes: byName(state.modes),
    unfitByMode: byName(state.unfit),
    errors: byName(state.failures),
    validShare: metrics["validity"]?.value ?? null,
    ...verdictOf(metrics),
    ...thresholdsOf(metrics),
    ...partsOf(results),
    errorAnalysis: errorsBreakdown(state),
    calibration: calibrationOf(tallies),
    consistency: consistency.samples === 0 ? null : consistency,
  };
  return breakdown;
}

const byName = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Fields, complexity bins and tags, with intervals. */
function partsOf({
  state,
  basis,
  groups: { shown: groups, spreads, held },
  run,
}: RunResults): Pick<ExtractionBreakdown, "fields" | "complexity" | "tags"> {
  const { repeats, stringFuzzyThreshold } = run.options;
  const cells = namedCells(state, repeats, basis.samples);
  const shown = withInterval(cells);
  const shownCells = shown.map(({ cell }) => cell);
  const intervals = partIntervals(shownCells, held, run.runId);
  const figuresOf = (group: NamedGroup) => groupFigures(group, spreads.get(group)!, run.prices);
  const cellIntervals = new Map(shown.map((cell, k) => [cell, intervals[k] ?? null]));
  return {
    fields: fieldsBreakdown(state, cells, cellIntervals, stringFuzzyThreshold),
    complexity: { bins: groups.bins.map(figuresOf), ...complexityOf(state, basis) },
    tags: {
      groups: groups.tags.map((group) => ({ key: group.key ?? "", ...figuresOf(group) })),
      left: { ...groups.left, tags: crowdedTags(state, repeats) },
    },
  };
}

/**
 * 95% bootstrap intervals of the partial F1 of cells, 2 · correct / (expected + predicted), in the given order: all
 * from the same 2,000 resamples of up to 128 random groups of samples, so the cost does not depend on the number of
 * samples. `parts` are the non-empty groups.
 * Source: docs/spec/extraction.md, section 7; docs/spec/statistics.md, bootstrap interval.
 * @example partIntervals([cell], [3, 17, 90], "run-1")[0] // [low, high]
 */
export function partIntervals(
  cells: readonly FieldCell[],
  parts: readonly number[],
  seed: string,
): (Interval | null)[] {
  const byPart = (sums: Readonly<Record<number, number>>) =>
    Float64Array.from(parts, (part) => sums[part] ?? 0);
  const columns = cells.flatMap(({ halves, sides }) => [byPart(halves), byPart(sides)]);
  const partialF1s = ratiosOf(cells.map((_, k) => [2 * k, 2 * k + 1] as const));
  const intervals = bootstrap(parts.length, seed, [sumFigures(columns, partialF1s)], {
    resamples: partResamples,
  });
  const total = (column: Float64Array) => column.reduce((sum, one) => sum + one, 0);
  return intervals.map((interval, k) => {
    const [of, over] = [columns[2 * k]!, columns[2 * k + 1]!];
    return shareInterval(interval, total(of) / total(over), over.filter((one) => one > 0).length);
  });
}

function complexityOf(
  { run, kept, moments, tallies }: ExtractionState,
  basis: RunBasis,
): Omit<ComplexityBreakdown, "bins"> {
  const { scored } = run.answers;
  const means = Object.entries(tallies.features).map(([name, sum]) => [name, sum / scored]);
  return {
    features: scored === 0 ? null : (Object.fromEntries(means) as ComplexityBreakdown["features"]),
    correlations: correlationsOf(kept, moments, basis),
  };
}

function verdictOf(estimates: Estimates): Pick<ExtractionBreakdown, "eqs" | "recommendation"> {
  const value = (id: string) => estimates[id]?.value ?? null;
  const [eqs, hallucinationRate] = [value("eqs"), value("hallucinationRate")];
  if (eqs === null || hallucinationRate === null) {
    return { eqs: { band: null, components: null }, recommendation: null };
  }
  const components = {
    validity: value("validity") ?? 0,
    partialF1: value("partialF1Macro") ?? 0,
    typeAccuracy: value("typeAccuracy") ?? 0,
    noHallucination: 1 - hallucinationRate,
  };
  return {
    eqs: { band: eqsBand(eqs), components },
    recommendation: recommend(eqs, hallucinationRate),
  };
}

function thresholdsOf(
  estimates: Estimates,
): Pick<ExtractionBreakdown, "thresholds" | "tier" | "sla"> {
  const rows = thresholds.map((limits) => {
    const value = estimates[limits.metric]?.value ?? null;
    return { metric: limits.metric, value, tier: tierOf(limits, value) };
  });
  const below = (id: string, limitMs: number) => {
    const value = estimates[id]?.value ?? null;
    return value === null ? null : value < limitMs;
  };
  return {
    thresholds: rows,
    tier: lowestTier(rows.map((row) => row.tier)),
    sla: { p95Under2000Ms: below("latencyP95", 2000), p99Under5000Ms: below("latencyP99", 5000) },
  };
}
