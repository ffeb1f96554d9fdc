import { suiteFor } from "../../contracts/boards/ranking.ts";
import type { ScoredRun } from "../../contracts/boards/scored-run.ts";
import { canonicalJson, textHash } from "../../contracts/content-hash.ts";
import type { Json } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { Suite } from "../../contracts/suite.ts";
import { compareMetric } from "../comparison/compare-metric.ts";
import { comparedMetrics } from "../comparison/compared-metrics.ts";
import { differingSettings } from "../comparison/differing-settings.ts";
import { type Margins, marginProblem } from "../comparison/margin-tests.ts";
import { addRun, scoreTable } from "../comparison/score-table.ts";
import { suiteOptions } from "../suite-options.ts";
import { type GateOutcome, nonInferiority } from "./non-inferiority.ts";

/** Requirements of a gate. */
export interface GateRules {
  margins: Margins;
  /** 0–1. */
  minSampleShare: number;
}

/** The facts of a run that decide whether its scores are comparable. */
type ComparableRun = Pick<ScoredRun["run"], "suite" | "dataset" | "options">;
type GatedRun = ScoredRun["run"];

/** Options of a run that determine which samples are evaluated and how often. */
const subsetOptions = ["sample", "repeats"];

/** Names of the two runs in the table. */
const BASE = "baseline";
const TESTED = "tested";

/**
 * Gates a run against a baseline: an outcome for each metric with a margin, in the order of the margins. The error says
 * why the runs can't be compared: they differ in something else, a metric is unknown, or no samples are common.
 * O(resamples · units + samples log samples) for each metric.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example gateRuns(suite, base, tested, { margins: new Map([["eqs", 0.02]]), minSampleShare: 0.95 })
 */
export function gateRuns(
  suite: Suite,
  base: ScoredRun,
  tested: ScoredRun,
  rules: GateRules,
): Result<GateOutcome[], string> {
  const differing = [
    ...differingSamples(base.run, tested.run),
    ...differingScoring(suite, base.run, tested.run),
  ];
  if (differing.length > 0) return err(`they differ in ${differing.join("; ")}`);
  const { margins, minSampleShare } = rules;
  const ranking = gatedMetrics(suite, base);
  const problem = marginProblem(
    margins,
    ranking.map(({ id }) => id),
    ranking,
  );
  if (problem !== null) return err(problem);
  const table = scoreTable(base.scores);
  addRun(table, BASE, base.scores);
  addRun(table, TESTED, tested.scores);
  const samples = Math.max(base.scores.ids.length, tested.scores.ids.length);
  const seed = textHash([base.run.id, tested.run.id].join("\n"));
  const outcomes: GateOutcome[] = [];
  for (const [id, margin] of margins) {
    const metric = ranking.find((one) => one.id === id)!;
    const compared = compareMetric(table, metric, seed);
    if (compared === null) return err(`no sample has a value of ${id} in both`);
    const rule = { base: BASE, tested: TESTED, margin, minSampleShare, samples };
    outcomes.push(nonInferiority(table, metric, compared, rule));
  }
  return ok(outcomes);
}

/**
 * The metrics that a run can be gated on, the headline first: those with a value for every sample.
 * @example gatedMetrics(extraction, base)[0]?.id // "eqs"
 */
export function gatedMetrics(suite: Suite, { run, scores }: ScoredRun) {
  const own = suiteFor(suite, run.options);
  const { bySample } = comparedMetrics(
    { ...own, headline: run.headline },
    Object.keys(scores.values),
  );
  return bySample.flatMap((ranking) => {
    const metric = own.metrics.find(({ id }) => id === ranking.id);
    return metric === undefined ? [] : [{ ...metric, ...ranking }];
  });
}

/**
 * Differences in the samples of two runs, each as "name (baseline, tested)"; empty if the samples are the same. A
 * dataset's version is the hash of its content, so its name does not matter.
 * @example differingSamples(base, tested) // ["dataset version (3f2a…, 9c41…)"]
 */
export function differingSamples(base: ComparableRun, tested: ComparableRun): string[] {
  return [
    ...difference("suite", base.suite, tested.suite),
    ...difference(
      "dataset version",
      shortHash(base.dataset.version),
      shortHash(tested.dataset.version),
    ),
    ...difference("samples drawn", drawn(base), drawn(tested)),
    ...difference("repeats", base.options["repeats"] ?? 1, tested.options["repeats"] ?? 1),
  ];
}

const shortHash = (hash: string): string => hash.slice(0, 12);

/** The subset in words; "all" for the whole dataset, even if requested as a subset. */
function drawn({ options, dataset }: ComparableRun): string {
  const subset = options["sample"] as { n: number; seed?: number } | undefined;
  const isAll = subset === undefined || subset.n >= dataset.samples;
  return isAll ? "all" : `${subset.n} with the seed ${subset.seed ?? 0}`;
}

/** Differences in the scoring; names the options that this version of the suite knows. */
function differingScoring(suite: Suite, base: GatedRun, tested: GatedRun): string[] {
  if (base.scoringVersion === tested.scoringVersion) return [];
  return [
    ...difference("scoring version", base.scoringVersion, tested.scoringVersion),
    ...difference("version of the suite", base.suiteVersion, tested.suiteVersion),
    ...differingOptions(suite, base, tested),
    ...difference("judges", judgesOf(base), judgesOf(tested)),
  ];
}

/**
 * The options that change scores and differ between two runs, each as "name (baseline, tested)"; omits options that
 * this version of the suite does not know.
 * @example differingOptions(extraction, base, tested) // ["option fuzzy (0.8, 0.9)"]
 */
export function differingOptions(
  suite: Suite,
  base: Pick<GatedRun, "options">,
  tested: Pick<GatedRun, "options">,
): string[] {
  const [one = {}, other = {}] = [base, tested].map(({ options }) =>
    scoringOptions(suite, options),
  );
  const names = [...new Set([one, other].flatMap((its) => Object.keys(its)))];
  return names.flatMap((name) => difference(`option ${name}`, one[name], other[name]));
}

function scoringOptions(suite: Suite, options: GatedRun["options"]): Record<string, Json> {
  try {
    const its = suite.scoringOptions(suiteOptions(options));
    return typeof its === "object" && its !== null && !Array.isArray(its)
      ? (its as Record<string, Json>)
      : {};
  } catch {
    // Options of another version of the suite.
    return {};
  }
}

function judgesOf({ judging }: GatedRun): Json {
  const judges = Object.entries(judging?.judges ?? {});
  return judges.length === 0
    ? null
    : Object.fromEntries(judges.map(([id, { routes }]) => [id, routes.map(({ model }) => model)]));
}

/**
 * The changes between two comparable runs that a gate tests: model, prompt, settings and other options.
 * @example changesOf(suite, base, tested) // ["model (acme/small, acme/large)"]
 */
export function changesOf(base: GatedRun, tested: GatedRun): string[] {
  const settings = differingSettings([base, tested]).map(
    ({ setting, values: [one = null, other = null] }) => [setting, one, other] as const,
  );
  const names = [...new Set([base, tested].flatMap(({ options }) => Object.keys(options)))];
  const options = names
    .filter((name) => !subsetOptions.includes(name) && !isRequesting.test(name))
    .map((name) => [name, base.options[name] as Json, tested.options[name] as Json] as const);
  return [
    ["model", base.model.slug, tested.model.slug] as const,
    ["model id", askedOf(base), askedOf(tested)] as const,
    ["endpoint", base.provenance.endpointHost, tested.provenance.endpointHost] as const,
    [
      "prompt",
      base.promptHash && shortHash(base.promptHash),
      tested.promptHash && shortHash(tested.promptHash),
    ] as const,
    ...settings,
    ...options,
  ].flatMap(([name, one, other]) => difference(name, one, other));
}

/** Model ids in the requests; runs of earlier versions have none. */
const askedOf = ({ model }: GatedRun): string | null => model.asked?.join(", ") ?? null;

/** Options that don't change the answers. */
const isRequesting =
  /^(concurrency|timeoutMs|maxRetries|maxCostUsd|sweep|mode|judgeMode|plannedTest)$/;

/** Maximum length of a shown value. */
const MAX_SHOWN = 60;

function difference(name: string, one: unknown, other: unknown): string[] {
  const [a, b] = [textOf(one), textOf(other)];
  if (a === b) return [];
  // If long texts begin with the same characters, the part that differs is shown.
  const same = [...a].findIndex((char, i) => char !== b[i]);
  const from = same < MAX_SHOWN / 2 ? 0 : same - 10;
  const part = (text: string) => shortened(from === 0 ? text : `…${text.slice(from)}`);
  return [`${name} (${part(a)}, ${part(b)})`];
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return "none";
  return typeof value === "string" ? value : canonicalJson(value as Json);
};

const shortened = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
