import {
  type BadgeQuery,
  badgeQuerySchema,
  type ShieldsBadge,
} from "#shared/contracts/boards/badge.ts";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Drift } from "#shared/contracts/drift/drift.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import {
  differenceText,
  figureText,
  intervalText,
} from "#shared/measures/report/figures/figure-text.ts";
import { type Tier, tierOf } from "#shared/measures/report/figures/tier.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { entryOfModel, rankedOn } from "../boards/board-pages.ts";
import type { BoardRecord } from "../boards/schema.ts";
import type { Platform } from "../platform/platform.ts";

type Badge = Pick<ShieldsBadge, "label" | "message" | "color"> & Pick<BadgeQuery, "style">;

/** Maximum number of boards that are searched for a model's rank. */
const BOARDS_OF_MODEL = 5;

/** A model's entry on a board. */
interface Place {
  board: BoardRecord;
  entry: LeaderboardEntry;
}

/** A badge that shows only `message`. */
export const greyBadge = (message: string, { label, style }: Partial<BadgeQuery> = {}): Badge => ({
  label: label ?? "Assay",
  message,
  color: noColor,
  style: style ?? "flat",
});

/**
 * The badge of a model: its entry on the default board that ranks its newest run. The board is of the requested suite
 * and dataset, else of the first suite, else of any. The badge itself shows query errors, because its reader sees
 * nothing else.
 */
export async function badgeOf(
  platform: Platform,
  slug: string,
  wanted: Readonly<Record<string, string>> = {},
): Promise<Badge> {
  const parsed = badgeQuerySchema.safeParse(wanted);
  if (!parsed.success) return greyBadge(`bad ${String(parsed.error.issues[0]?.path[0])}`);
  const query = parsed.data;
  if (query.suite !== undefined && !platform.suites.byId(query.suite)) {
    return greyBadge("bad suite", query);
  }
  const places = await placesOf(platform, slug, query);
  const ranked = places.find(isRanked);
  if (ranked) return placeBadge(platform, ranked, query);
  if (places.length === 0) return greyBadge("not evaluated", query);
  const isSimulated = places.some(({ entry }) => entry.model.simulated);
  return greyBadge(`not ranked${isSimulated ? " · simulated model" : ""}`, query);
}

/** The badge of a run that has no rank, because it is private: its headline, or the metric that is asked for. */
export function runBadge(platform: Platform, run: Run, query: BadgeQuery): Badge {
  if (run.metrics === null) return greyBadge(run.status, query);
  const suite = platform.suites.byId(run.suite);
  const id = query.metric ?? run.headline;
  const metric = metricOn(suite, run, id);
  const estimate = ownOf(run.metrics, id);
  if (estimate === undefined) return greyBadge("bad metric", query);
  const format = metric?.format ?? "score";
  const simulated = simulatedPart({ board: run, entry: run });
  const figure =
    query.show === "summary"
      ? summaryText(estimate, format)
      : estimateText(estimate, format, query.show === "interval");
  const isPlain = simulated !== "" || estimate.value === null;
  return {
    label: query.label ?? labelOf(run, suite, metric ?? { id, label: id }),
    message: [figure, simulated, sourceOf(run)].filter(Boolean).join(" · "),
    color: isPlain ? noColor : badgeColor(suite, metric, estimate.value ?? 0),
    style: query.style,
  };
}

const isRanked = ({ entry }: Place): boolean => entry.rank !== null;

/** Most badges need only the first of these reads. */
async function placesOf(
  platform: Platform,
  slug: string,
  { suite, dataset }: Pick<BadgeQuery, "suite" | "dataset">,
): Promise<Place[]> {
  const placesIn = async (id: string | null, limit: number) => {
    const boards = await platform.boards.ofModel(
      slug,
      { suite: id, dataset: dataset ?? null },
      limit,
    );
    const places: Place[] = [];
    for (const board of boards) {
      const entry = await entryOfModel(platform, board, slug);
      if (entry !== null) places.push({ board, entry });
    }
    return places;
  };
  const preferred = suite ?? platform.suites.all[0]?.id ?? null;
  const newest = await placesIn(preferred, 1);
  if (newest.some(isRanked)) return newest;
  const first = await placesIn(preferred, BOARDS_OF_MODEL);
  return suite !== undefined || first.some(isRanked) ? first : placesIn(null, BOARDS_OF_MODEL);
}

async function placeBadge(platform: Platform, place: Place, query: BadgeQuery): Promise<Badge> {
  const { board, entry } = place;
  const suite = platform.suites.byId(board.suite);
  const id = query.metric ?? board.headline;
  const metric = metricOn(suite, board, id);
  const estimate = id === board.headline ? entry.headline : ownOf(entry.metrics, id);
  const isOfHeadline = ["rank", "trend"].includes(query.show);
  if (estimate === undefined || (isOfHeadline && id !== board.headline)) {
    return greyBadge("bad metric", query);
  }
  const simulated = simulatedPart(place);
  const found = query.show === "trend" ? await trendOf(platform, entry.run) : null;
  const format = metric?.format ?? "score";
  const parts = {
    summary: [summaryText(estimate, format), id === board.headline ? rankText(place) : ""],
    value: [estimateText(estimate, format)],
    interval: [estimateText(estimate, format, true)],
    rank: [rankText(place)],
    trend: [estimateText(estimate, format), trendText(found, format)],
  }[query.show];
  const { value } = estimate;
  const colorOf = (its: number) =>
    isForTheWorse(found, metric) ? "orange" : badgeColor(suite, metric, its);
  return {
    label: query.label ?? labelOf(board, suite, metric ?? { id, label: id }),
    message: [...parts, simulated, sourceOf(entry)].filter(Boolean).join(" · "),
    // A simulated score has no colour: readers would take green for praise.
    color: simulated !== "" || value === null ? noColor : colorOf(value),
    style: query.style,
  };
}

/** The suite, with the board's ranking metric if it is not the usual headline, and the metric unless it ranks. */
function labelOf(
  { suite: id, headline }: Pick<BoardRecord, "suite" | "headline">,
  suite: Suite | undefined,
  metric: Pick<Metric, "id" | "label">,
): string {
  const isOther = suite !== undefined && headline !== suite.headline;
  const ranking = suite?.metrics.find((one) => one.id === headline)?.label ?? headline;
  const board = isOther ? `${id} (${ranking.toLowerCase()})` : id;
  return ["Assay", board, ...(metric.id === headline ? [] : [metric.label])].join(" · ");
}

/** Empty if this service called the endpoint. */
const sourceOf = ({ provenance }: Pick<LeaderboardEntry, "provenance">): string =>
  provenance.kind === "called" ? "" : provenanceText(provenance);

const metricOn = (
  suite: Suite | undefined,
  { judging }: Pick<BoardRecord, "judging">,
  id: string,
): Metric | undefined =>
  [...ownMetrics(judging), ...(suite?.metrics ?? [])].find((metric) => metric.id === id);

/** Own properties only: the id comes from a URL and may be a name like `constructor`. */
const ownOf = (metrics: Record<string, Estimate>, id: string) =>
  Object.hasOwn(metrics, id) ? metrics[id] : undefined;

/** Names the part of a score that is simulated; empty if none is. */
function simulatedPart({
  board,
  entry,
}: {
  board: Pick<BoardRecord, "judging">;
  entry: Pick<LeaderboardEntry, "model">;
}): string {
  const routes = Object.values(board.judging?.judges ?? {}).flatMap((judge) => judge.routes);
  const parts = [
    ...(entry.model.simulated ? ["model"] : []),
    ...(routes.some(({ simulated }) => simulated) ? ["judges"] : []),
  ];
  return parts.length === 0 ? "" : `simulated ${parts.join(" and ")}`;
}

const rankText = ({ board, entry }: Place): string => `#${entry.rank}/${rankedOn(board)}`;

function estimateText({ value, interval }: Estimate, format: Metric["format"], isLong = false) {
  if (value === null) return "not measured";
  const text = figureText(value, format);
  return isLong && interval !== null ? `${text} [${intervalText(interval, format)}]` : text;
}

/** Decimals of formats with a bounded scale; on others an interval can be far from symmetric. */
const decimals: Partial<Record<Metric["format"], number>> = { score: 2, percent: 1, level: 2 };

/** The value and half the width of its interval, with one more decimal if that would round to 0. */
function summaryText(estimate: Estimate, format: Metric["format"]): string {
  const { value, interval } = estimate;
  const text = estimateText(estimate, format);
  const digits = decimals[format];
  if (value === null || interval === null || digits === undefined) return text;
  const half = ((interval[1] - interval[0]) / 2) * (format === "percent" ? 100 : 1);
  const short = half.toFixed(digits);
  return `${text} ±${Number(short) === 0 ? half.toFixed(digits + 1) : short}`;
}

/** For badges without a rating. */
const noColor = "lightgrey";

/** For values that are neither good nor bad. */
const unjudged = "blue";

/** Colours of ratios by minimum value, best first. */
const bands: readonly [number, string][] = [
  [0.9, "brightgreen"],
  [0.75, "green"],
  [0.6, "yellow"],
];
const lowest = "red";

const tierColors: Readonly<Record<Tier, string>> = {
  excellence: "brightgreen",
  target: "green",
  minimum: "yellow",
  fails: lowest,
};

/**
 * The colour of a metric's value: by the suite's limits, else by bands if the metric is a ratio where higher is better,
 * else neutral.
 */
export function badgeColor(
  suite: Pick<Suite, "thresholds" | "isDescriptive"> | undefined,
  metric: Pick<Metric, "id" | "unit" | "better"> | undefined,
  value: number,
): string {
  const limits = suite?.thresholds?.find((its) => its.metric === metric?.id);
  const tier = limits && tierOf(limits, value);
  if (tier) return tierColors[tier];
  if (suite?.isDescriptive) return unjudged;
  if (metric?.unit !== "ratio" || metric.better !== "higher") return unjudged;
  return bands.find(([from]) => value >= from)?.[1] ?? lowest;
}

/** How a run compares with its reference, and the last flagged drift before it. */
interface Trend {
  drift: Drift;
  last: Drift | null;
}

/** The trend of a board's run; null if it is not compared yet. */
async function trendOf({ drifts }: Platform, runId: string): Promise<Trend | null> {
  const record = await drifts.get(runId);
  if (record === null) return null;
  const last = await drifts.lastFlagged(record.series, record.position);
  return { drift: record.drift, last: last?.record.drift ?? null };
}

function trendText(trend: Trend | null, format: Metric["format"]): string {
  if (trend === null) return "first run";
  const { drift, last } = trend;
  const { isCovered, isFlagged, againstReference, observedAt } = drift;
  if (isFlagged && againstReference) return changeText(drift, format);
  if (!isCovered) return "coverage too low for a trend";
  if (last === null) return sinceText(drift);
  const year = new Date(observedAt).getUTCFullYear();
  const former = `${changeText(last, format)} on ${dayText(last.observedAt, year)}`;
  if (drift.rerun > 0) return `${former}, none in ${rerunsText(drift)} since`;
  return `${former}, ${drift.attribution === "dataset" ? "new dataset version" : "first run"} since`;
}

/** Text for a model without drift since its reference. */
function sinceText(drift: Drift): string {
  if (drift.rerun > 0) return `no drift found in ${rerunsText(drift)}`;
  return drift.attribution === "dataset" ? "first run on a new dataset version" : "first run";
}

const rerunsText = ({ rerun }: Drift): string => counted(rerun, "re-run");

const changeText = ({ againstReference, redirect }: Drift, format: Metric["format"]): string =>
  `${redirect ? "other model" : "drift"} ${differenceText(againstReference?.difference ?? 0, format)}`;

const days = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const years = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** Includes the year if it is not `year`. */
function dayText(iso: string, year: number): string {
  const date = new Date(iso);
  return (date.getUTCFullYear() === year ? days : years).format(date).replace("Sept", "Sep");
}

function isForTheWorse(trend: Trend | null, metric: Metric | undefined): boolean {
  const { isFlagged = false, againstReference = null } = trend?.drift ?? {};
  const difference = isFlagged ? (againstReference?.difference ?? 0) : 0;
  return metric?.better === "lower" ? difference > 0 : difference < 0;
}
