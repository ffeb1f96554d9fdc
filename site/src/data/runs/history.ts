import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import type { VersionDraw } from "#shared/contracts/datasets/version-draw.ts";
import type {
  DatasetChange,
  DriftCause,
  DriftNotice,
  Redirect,
} from "#shared/contracts/drift/drift-notice.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { ListedRun } from "#shared/contracts/run.ts";

import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { formatCount, formatDifference, formatDifferenceInterval } from "../../format/number.ts";
import { flatOptions, headlineOf } from "./run-state.ts";

/**
 * Position of a run's interval relative to that of the earliest covered run: entirely above or below it, or
 * overlapping. Null if one of them has no interval or too few samples.
 */
export type Standing = "first" | "above" | "below" | "overlapping" | null;

export interface HistoryPoint {
  run: ListedRun;
  estimate: Estimate;
  finishedAt: string;
  standing: Standing;
  /** Differences from the previous run, such as `temperature: 0, now 0.7`. */
  changes: string[];
  /** A drift that the service flagged. */
  drift: DriftNotice | null;
}

/** Runs of one model that can be compared with each other, oldest first. */
export interface RunHistory {
  suite: string;
  headline: string;
  dataset: ListedRun["dataset"];
  /** Whether its runs are on different versions of a stream, each with other samples. */
  isStream: boolean;
  points: HistoryPoint[];
}

/** How versions of streams were drawn, by version. */
export type VersionDraws = ReadonlyMap<string, VersionDraw>;

/** What caused a drift; continues "caused by ". */
export const driftCauses: Readonly<Record<DriftCause, string>> = {
  model: "the model: scoring its reference's answers again does not explain it",
  judge: "the judges: they now grade the reference's answers differently",
  scoring: "the scoring: it now gives the reference's answers different scores",
  dataset: "the dataset",
  several: "several causes",
  unclear: "no known cause",
};

/** A sentence about a model that answers in place of another. */
export const redirectText = ({ before, now }: Redirect): string =>
  `The endpoint names the model ${now}, where it named ${before}`;

// How requests are sent, not their content: a change of these keeps runs comparable.
const transport = new Set([
  "timeoutMs",
  "concurrency",
  "maxRetries",
  "maxCostUsd",
  "reuseAnswers",
  "plannedTest",
]);

/**
 * A history for each configuration with at least two finished runs of a model. Excludes variants of sweeps, runs
 * without a declared prompt, runs without any answer, and rescored runs, which have no new answers.
 */
export function runHistories(
  runs: readonly ListedRun[],
  drifts: readonly DriftNotice[] = [],
  draws: VersionDraws = new Map(),
): RunHistory[] {
  const driftOf = new Map(drifts.map((drift) => [drift.run, drift]));
  const finished = runs.filter(
    (run) =>
      run.status === "finished" &&
      !isUnanswered(run) &&
      run.parent === null &&
      run.variant === null &&
      run.promptHash !== null,
  );
  const groups = Map.groupBy(finished, (run) => configurationOf(run, draws));
  return [...groups.values()].flatMap((group) => {
    const points = historyPoints(group, driftOf, draws);
    const [first] = points;
    if (!first || points.length < 2) return [];
    const { suite, headline, dataset } = first.run;
    return [{ suite, headline, dataset, isStream: draws.has(dataset.version), points }];
  });
}

/** What two runs must have in common to be compared by the API; runs on a stream may have different versions of it. */
const configurationOf = (
  { suite, dataset, headline, scoringVersion, promptHash, options }: ListedRun,
  draws: VersionDraws,
): string =>
  JSON.stringify([
    suite,
    dataset.name,
    draws.has(dataset.version) ? null : dataset.version,
    headline,
    scoringVersion,
    promptHash,
    options["repeats"] ?? 1,
    options["structuredOutput"] ?? null,
    options["sample"] ?? null,
  ]);

function historyPoints(
  runs: readonly ListedRun[],
  driftOf: ReadonlyMap<string, DriftNotice>,
  draws: VersionDraws,
): HistoryPoint[] {
  const measured = runs
    .flatMap((run) => {
      const estimate = headlineOf(run);
      const { finishedAt } = run;
      return estimate && estimate.value !== null && finishedAt
        ? [{ run, estimate, finishedAt }]
        : [];
    })
    .sort((a, b) => a.finishedAt.localeCompare(b.finishedAt));
  const first = measured.find(({ estimate }) => estimate.coverage >= coverageFloor);
  return measured.map((point, i) => ({
    ...point,
    standing: point === first ? "first" : standingOf(point.estimate, first?.estimate),
    changes: [
      ...drawnText(draws.get(point.run.dataset.version)),
      ...changesOf(point.run, measured[i - 1]?.run),
    ],
    drift: driftOf.get(point.run.id) ?? null,
  }));
}

function drawnText(draw: VersionDraw | undefined): string[] {
  if (draw === undefined) return [];
  return [`${formatCount(draw.drawn)} of ${formatCount(draw.read - draw.known)} new rows drawn`];
}

function standingOf(estimate: Estimate, first: Estimate | undefined): Standing {
  if (!first?.interval || !estimate.interval || estimate.coverage < coverageFloor) return null;
  if (estimate.interval[0] > first.interval[1]) return "above";
  return estimate.interval[1] < first.interval[0] ? "below" : "overlapping";
}

function changesOf(run: ListedRun, before: ListedRun | undefined): string[] {
  if (before === undefined) return [];
  const [old, now] = [shownOf(before), shownOf(run)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [was = "not set", is = "not set"] = [old.get(name), now.get(name)];
    return was === is ? [] : [`${name}: ${was}, now ${is}`];
  });
}

function shownOf({ provenance, options }: ListedRun): Map<string, string> {
  const host = provenance.kind === "called" ? provenance.endpointHost : provenanceText(provenance);
  const asked = Object.entries(options).filter(([name]) => !transport.has(name));
  const shown = flatOptions(Object.fromEntries(asked));
  return new Map([
    ["answers of", host ?? ""],
    ...shown.map(({ name, value }) => [name, value] as const),
  ]);
}

/** The change of a headline with another version of the dataset, and its cause. */
export function datasetChangeText(
  {
    difference,
    unchanged,
    isFlagged,
  }: Pick<DatasetChange, "difference" | "unchanged" | "isFlagged">,
  { label, format }: Pick<Metric, "label" | "format">,
): string {
  const whole = `${label} ${formatDifference(difference, format)}`;
  if (unchanged === null) return `${whole}, caused by the dataset: no sample is the same in both`;
  const { n, difference: own, interval } = unchanged;
  const within = interval && ` (95% interval ${formatDifferenceInterval(interval, format)})`;
  const same = `${formatDifference(own, format)}${within ?? ""} over the ${formatCount(n)} samples that are the same in both`;
  return isFlagged
    ? `${whole}; ${same}, which is flagged as a drift`
    : `${whole}, caused by the dataset; ${same}`;
}
