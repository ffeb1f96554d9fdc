import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { comparisonRequest } from "../../data/boards/comparison-request.ts";
import { placeOfRun, runVerdict } from "../../data/boards/run-standing.ts";
import { paths } from "../../data/paths.ts";
import { metricIn, type RunStanding } from "../../report/shown-run.ts";
import { getJson } from "../api.ts";
import { comparePath } from "../compare/compare-query.ts";
import { entryOnBoard } from "./board-pages.ts";

/** Wait between two reads of a board, s. */
const lookSeconds = 2;

interface Looking {
  /** Maximum reads of the board: a run that has just finished is ranked by a queue, within seconds. */
  looks: number;
  wait: (seconds: number) => Promise<void>;
}

/** The place of a run on its dataset's board; null if the board does not rank it or can't be read. */
export async function loadStanding(
  report: Pick<RunReport, "run" | "suite" | "hasBoard">,
  { looks, wait }: Looking,
): Promise<RunStanding | null> {
  // A run that has just finished may be the first of its board.
  if (!mayRank(report.run) || (report.hasBoard === false && looks === 1)) return null;
  const { name, version } = report.run.dataset;
  const search = new URLSearchParams({ suite: report.suite.id, dataset: `${name}@${version}` });
  for (let left = looks; left > 0; left--) {
    const path = `/v1/leaderboard?${search}`;
    const found = await entryOnBoard(path, report.run.id).catch(() => null);
    if (found !== null) return standingOn(found, report);
    if (left > 1) await wait(lookSeconds);
  }
  return null;
}

const mayRank = (run: RunReport["run"]): boolean =>
  run.status === "finished" &&
  run.visibility === "public" &&
  run.variant === null &&
  run.options["sample"] === undefined &&
  !isUnanswered(run);

async function standingOn(
  { board, entry, ranked }: NonNullable<Awaited<ReturnType<typeof entryOnBoard>>>,
  { run, suite }: Pick<RunReport, "run" | "suite">,
): Promise<RunStanding | null> {
  // A run on a later page is compared with no other run, like any run below the first twenty.
  const entries = board.entries.includes(entry) ? board.entries : [...board.entries, entry];
  const isCurrent = board.isDefault && board.supersededBy === null;
  const path = isCurrent
    ? `${paths.leaderboards}${board.suite}/${board.dataset.name}/`
    : `/boards/${board.id}/`;
  const page = { board: { ...board, entries }, path, others: [] };
  const place = placeOfRun(page, entries, run.id, entries.length);
  if (place === null) return null;
  const runs = comparisonRequest(board)?.runs.map((one) => one.run) ?? [];
  const comparison = runs.includes(run.id)
    ? await getJson<Comparison>(comparePath(runs)).catch(() => null)
    : null;
  const timed = entries.map(({ run: id, concurrency, provenance }) => ({
    id,
    options: { concurrency },
    provenance,
  }));
  return {
    ...place,
    ranked,
    verdict: runVerdict(page, {
      run: run.id,
      metric: metricIn(suite.metrics, board.headline),
      comparison,
      runs: timed,
    }),
  };
}
