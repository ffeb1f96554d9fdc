import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Run } from "#shared/contracts/run.ts";
import { latencyMetric } from "../../report/shown-run.ts";

/** Number of concurrent requests while latencies were measured, in words. */
export interface LatencyLoad {
  /** The same for all runs timed by Assay; null if they differ, or none was. */
  shared: string | null;
  /** By run, the text next to its latency if `shared` is null. */
  own: ReadonlyMap<string, string>;
}

type TimedRun = Pick<Run, "id" | "options" | "provenance">;

/** The load under which the latencies of a board's entries were measured. */
export function latencyLoad(
  entries: readonly Pick<LeaderboardEntry, "run" | "metrics">[],
  runs: readonly TimedRun[],
): LatencyLoad {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const timed = entries.filter(({ metrics }) => (metrics[latencyMetric]?.value ?? null) !== null);
  const loads = timed.map(({ run: id }) => [id, loadOf(byId.get(id))] as const);
  const asked = new Set(loads.flatMap(([, { text, isAsked }]) => (isAsked ? [text] : [])));
  const [first = null] = asked;
  const shared = asked.size === 1 ? first : null;
  const own = loads.flatMap(([id, { text }]) => (text === shared ? [] : [[id, text] as const]));
  return { shared, own: new Map(own) };
}

/** "up to", because an overloaded endpoint gets fewer requests than configured. */
function loadOf(run: TimedRun | undefined): { text: string; isAsked: boolean } {
  const { kind, relay } = run?.provenance ?? {};
  if (kind === "self-reported" && relay === undefined)
    return { text: "timed elsewhere", isAsked: false };
  const count = run?.options["concurrency"];
  return typeof count === "number"
    ? { text: `up to ${count} at once`, isAsked: true }
    : { text: "load not known", isAsked: false };
}

const signs = ["†", "‡", "§", "¶"];

/** A sign for each load in the order of the board, if the runs of a column differ. */
interface LoadMarks {
  /** Each sign with its meaning. */
  key: { sign: string; text: string }[];
  /** By run, the text next to its latency. */
  of(run: string): string | undefined;
}

/** Signs if there are enough of them; otherwise each row has the text. */
export function loadMarks({ own }: Pick<LatencyLoad, "own">): LoadMarks {
  const texts = [...new Set(own.values())];
  if (texts.length > signs.length) return { key: [], of: (run) => own.get(run) };
  const key = texts.map((text, i) => ({ sign: signs[i] ?? "", text }));
  return { key, of: (run) => key.find(({ text }) => text === own.get(run))?.sign };
}
