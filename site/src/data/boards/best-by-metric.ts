import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { scales } from "#shared/contracts/judging/judge.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Guidance } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { formatValue } from "../../format/number.ts";
import { boardColumns, metricOf } from "../metrics.ts";
import type { BoardPage } from "./place-boards.ts";

export interface BestByMetric {
  metric: Metric;
  /** When the suite's guide recommends it; null if never. */
  when: string | null;
  /** Null if no ranked model has a value. */
  value: number | null;
  /** 95% interval of the first model with the value; null if there is none. */
  interval: [number, number] | null;
  /**
   * Ranked models with the same displayed value as the best, in board order; empty if the best value is 0 and higher is
   * better.
   */
  leaders: readonly LeaderboardEntry[];
}

/** Data of a page's section on choosing a model. */
export interface ModelChoice {
  suite: string;
  /** Path of the board's page. */
  path: string;
  ranked: number;
  /**
   * Names of models that are not significantly different from the first, except the best, and the number of further
   * ones.
   */
  equals: string[];
  otherEquals: number;
  best: (Omit<BestByMetric, "leaders"> & { leaders: readonly Leader[]; others: number })[];
}

/** A model named as the best. */
type Leader = Pick<LeaderboardEntry, "run" | "model" | "provenance">;

// Otherwise metrics with many best models would repeat the board.
const mostNamed = 4;

const choices = new WeakMap<BoardPage, ModelChoice>();

/** Cached by board, because it is the same for all its runs. */
export function modelChoice(page: BoardPage): ModelChoice {
  const known = choices.get(page);
  if (known !== undefined) return known;
  const { board, path } = page;
  const metrics = [metricOf(board.suite, board.headline), ...boardColumns(board)];
  const all = bestByMetric(board.entries, metrics, suiteById(board.suite)?.guide);
  const ranked = board.entries.filter(({ rank }) => rank !== null);
  const equals = ranked
    .slice(1)
    .filter((entry) => entry.tieGroup === 1 && !all[0]?.leaders.includes(entry));
  const made = {
    suite: board.suite,
    path,
    ranked: ranked.length,
    equals: equals.slice(0, mostNamed).map(({ model }) => model.name),
    otherEquals: Math.max(0, equals.length - mostNamed),
    best: all
      .filter(({ value }) => value !== null)
      .map((one) => {
        const named = one.leaders.slice(0, mostNamed);
        const leaders = named.map(({ run, model, provenance }) => ({ run, model, provenance }));
        return { ...one, leaders, others: one.leaders.length - named.length };
      }),
  };
  choices.set(page, made);
  return made;
}

/** The best of a board's ranked entries for each metric; for some metrics lower is better. */
export function bestByMetric(
  entries: readonly LeaderboardEntry[],
  metrics: readonly Metric[],
  guide: readonly Guidance[] = [],
): BestByMetric[] {
  const ranked = entries.filter(({ rank }) => rank !== null);
  return metrics.map((metric) => ({
    metric,
    when: guide.find((advice) => advice.metric === metric.id)?.when ?? null,
    ...bestOf(ranked, metric),
  }));
}

function bestOf(
  ranked: readonly LeaderboardEntry[],
  { id, unit, better, format }: Metric,
): Pick<BestByMetric, "value" | "interval" | "leaders"> {
  const measured = ranked.flatMap((entry) => {
    const value = entry.metrics[id]?.value ?? null;
    return value === null ? [] : [{ entry, value }];
  });
  if (measured.length === 0) return { value: null, interval: null, leaders: [] };
  const pick = better === "lower" ? Math.min : Math.max;
  const best = measured.map(({ value }) => value).reduce((a, b) => pick(a, b));
  // If higher is better, 0 or the lowest level is not a best value.
  if (better === "higher" && best <= (unit === "level" ? scales.level[0] : 0))
    return { value: best, interval: intervalAt(measured, best, id), leaders: [] };
  const printed = formatValue(best, format);
  const leaders = measured.filter(({ value }) => formatValue(value, format) === printed);
  return {
    value: best,
    interval: intervalAt(leaders, best, id),
    leaders: leaders.map(({ entry }) => entry),
  };
}

const intervalAt = (
  measured: readonly { entry: LeaderboardEntry; value: number }[],
  best: number,
  id: string,
) => measured.find(({ value }) => value === best)?.entry.metrics[id]?.interval ?? null;
