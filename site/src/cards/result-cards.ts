import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { RunModel } from "#shared/contracts/run.ts";
import { pSays } from "#shared/measures/report/figures/figure-text.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { type IntervalScale, namedTicks } from "../charts/parts/interval-scale.ts";
import { metricOf, suiteLabel } from "../data/metrics.ts";
import { formatDate } from "../format/date.ts";
import { formatCount, formatInterval, formatTick, formatValue } from "../format/number.ts";
import type { Card, CardRow } from "./card-svg.ts";

type Board = Pick<Leaderboard, "suite" | "headline" | "dataset">;

/** The facts about a board that a card needs in addition to its rows. */
export interface BoardOfCard {
  board: Board;
  entries: readonly LeaderboardEntry[];
  /** Scale of the board's drawn column. */
  scale: IntervalScale;
}

const boardTitle = ({ suite, dataset }: Board): string => `${suiteLabel(suite)}: ${dataset.name}`;

const isRanked = ({ rank }: Pick<LeaderboardEntry, "rank">): boolean => rank !== null;

const samplesText = ({ dataset: { samples } }: Board): string =>
  `${formatCount(samples)} ${samples === 1 ? "sample" : "samples"}`;

function rowOf(
  { board, scale }: BoardOfCard,
  { rank, headline }: Pick<LeaderboardEntry, "rank" | "headline">,
  label: string,
): CardRow {
  const { format }: Metric = metricOf(board.suite, board.headline);
  return {
    rank: rank === null ? "" : `#${rank}`,
    label,
    value: formatValue(headline.value, format),
    interval: headline.interval === null ? "" : formatInterval(headline.interval, format),
    estimate: { value: headline.value, interval: headline.interval },
    scale,
    ticks: namedTicks(scale).map((tick) => formatTick(tick, format)),
  };
}

/** Cautions for every reader of a score, as on its page. */
const marksOf = (
  model: Pick<RunModel, "simulated">,
  provenance: LeaderboardEntry["provenance"],
): string[] => [
  ...(model.simulated ? ["simulated model"] : []),
  ...(provenance.kind === "called" ? [] : [provenanceText(provenance)]),
];

/** Marks of several entries: those of all entries, or that some have them. */
function sharedMarks(entries: readonly LeaderboardEntry[]): string[] {
  const mark = (marked: readonly LeaderboardEntry[], all: string, some: string) =>
    marked.length === 0 ? [] : [marked.length === entries.length ? all : some];
  const simulated = entries.filter(({ model }) => model.simulated);
  const sent = entries.filter(({ provenance }) => provenance.kind === "self-reported");
  return [
    ...mark(simulated, "simulated models", "some models simulated"),
    ...mark(sent, "self-reported", "some self-reported"),
  ];
}

/** The card of a run: its score among the others of its board. */
export function runCard(of: BoardOfCard, entry: LeaderboardEntry): Card {
  const { board, entries } = of;
  const { model, provenance, rank, finishedAt } = entry;
  const ranked = entries.filter(isRanked);
  const row = rowOf(of, entry, metricOf(board.suite, board.headline).label);
  const others = ranked.flatMap(({ run, headline: { value } }) =>
    run === entry.run || value === null ? [] : [value],
  );
  return {
    topic: boardTitle(board),
    title: model.name,
    rows: [
      { ...row, rank: rank === null ? "" : `#${rank} of ${formatCount(ranked.length)}`, others },
    ],
    marks: marksOf(model, provenance),
    foot: `${samplesText(board)}, ${formatDate(finishedAt)}`,
  };
}

/** The first models of a board. */
export function boardCard(of: BoardOfCard): Card {
  const { board, entries } = of;
  const ranked = entries.filter(isRanked);
  return {
    topic: "Leaderboard",
    title: boardTitle(board),
    rows: ranked.map((entry) => rowOf(of, entry, entry.model.name)),
    marks: sharedMarks(ranked),
    foot: `${formatCount(ranked.length)} models ranked on ${samplesText(board)} by ${metricOf(board.suite, board.headline).label}, with 95% intervals`,
  };
}

/** The card of a model, with a line for each board. */
export function modelCard(
  model: Pick<RunModel, "name" | "slug" | "simulated">,
  places: readonly (BoardOfCard & { entry: LeaderboardEntry })[],
): Card {
  const [first] = places;
  const rows = places.map((place) => rowOf(place, place.entry, boardTitle(place.board)));
  return {
    topic: model.slug,
    title: model.name,
    rows,
    marks: first ? marksOf(model, first.entry.provenance) : [],
    foot:
      rows.length === 0
        ? "On no board yet"
        : `${rows.length === 1 ? "1 board" : `${rows.length} boards`}, with 95% intervals`,
  };
}

/** The first two models of a board, and whether they differ by the board's own tests. */
export function comparisonCard(
  of: BoardOfCard,
  pair: readonly [LeaderboardEntry, LeaderboardEntry],
  p: number | null,
): Card {
  return {
    topic: `Comparison on ${boardTitle(of.board)}`,
    title: pair.map(({ model }) => model.name).join(" and "),
    rows: pair.map((entry) => rowOf(of, entry, entry.model.name)),
    marks: sharedMarks(pair),
    foot: `${samplesText(of.board)}. ${differenceText(p)}`,
  };
}

const SIGNIFICANT = 0.05;

function differenceText(p: number | null): string {
  if (p === null) return "The difference was not tested.";
  const which = p < SIGNIFICANT ? "significant" : "not significant";
  return `The difference is ${which} (paired test, ${pSays(p)}).`;
}
