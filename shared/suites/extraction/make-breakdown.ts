import type { Json } from "../../contracts/json.ts";
import type { Estimate } from "../../contracts/metric.ts";
import type { ExtractionBreakdown } from "./breakdown.ts";
import type { SampleNumbers } from "./columns.ts";
import type { ScoreRow } from "./state.ts";
import { type Tier, thresholds, tierOf } from "./thresholds.ts";
import { eqsBand, recommend } from "./verdict.ts";

/** Every metric's estimate, by id. */
type Estimates = Readonly<Record<string, Estimate>>;

const fieldCategories = ["exact", "partial", "incorrect", "missed", "spurious"] as const;
const tiers: readonly Tier[] = ["fails", "minimum", "target", "excellence"];

/**
 * The tables of a run: counts over all answers (repeats each counted), EQS split into its components,
 * and what the run is good for. Shares are 0–1 and null without samples. Linear.
 * Source: specification of the extraction suite, sections 5 and 6.
 * @example breakdownOf(rows, sampleNumbers(rows), estimates)
 */
export function breakdownOf(
  rows: readonly ScoreRow[],
  numbers: SampleNumbers,
  estimates: Estimates,
): Json {
  const count = (holds: (row: ScoreRow) => boolean) => rows.filter(holds).length;
  const answered = rows.filter((row) => row.status === "answered");
  const breakdown: ExtractionBreakdown = {
    samples: numbers.samples.length,
    answers: rows.length,
    clusters: numbers.clustered ? new Set(numbers.units).size : null,
    ...fieldCountsOf(rows),
    parse: countBy(answered, ["clean", "recovered", "failed"], (row) => row.parse),
    refused: count((row) => row.status === "refused"),
    empty: count((row) => row.status === "empty"),
    truncated: count((row) => row.truncated),
    structuredModes: tableOf(rows.map((row) => row.structuredMode)),
    errors: tableOf(rows.map((row) => row.call.errorClass)),
    validShare: estimates["validity"]?.value ?? null,
    ...verdictOf(estimates),
    ...thresholdsOf(estimates),
  };
  return breakdown;
}

function fieldCountsOf(rows: readonly ScoreRow[]) {
  const sum = (name: (keyof ScoreRow & (typeof fieldCategories)[number]) | "identical") =>
    rows.reduce((total, row) => total + row[name], 0);
  const categories = Object.fromEntries(fieldCategories.map((name) => [name, sum(name)]));
  return {
    categories: categories as ExtractionBreakdown["categories"],
    identical: sum("identical"),
  };
}

function countBy<Key extends string>(
  rows: readonly ScoreRow[],
  keys: readonly Key[],
  keyOf: (row: ScoreRow) => Key,
): Record<Key, number> {
  const counts = keys.map((key) => [key, rows.filter((row) => keyOf(row) === key).length]);
  return Object.fromEntries(counts) as Record<Key, number>;
}

/** How often each value occurs, by name; nulls left out. */
function tableOf(values: readonly (string | null)[]): Record<string, number> {
  const names = [...new Set(values.filter((value) => value !== null))].sort();
  return Object.fromEntries(names.map((name) => [name, values.filter((v) => v === name).length]));
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
  const met = rows.map((row) => row.tier);
  const below = (id: string, limitMs: number) => {
    const value = estimates[id]?.value ?? null;
    return value === null ? null : value < limitMs;
  };
  return {
    thresholds: rows,
    tier: tiers.find((tier) => met.includes(tier)) ?? null,
    sla: { p95Under2000Ms: below("latencyP95", 2000), p99Under5000Ms: below("latencyP99", 5000) },
  };
}
