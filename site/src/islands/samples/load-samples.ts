import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { ListedSample, SamplePage } from "#shared/contracts/run.ts";
import type { RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import { getJson } from "../api.ts";
import type { Neighbours, OtherAnswer } from "./SampleViews.tsx";
import { listPath, neighbourPath, rowPath, type SampleQuery, samplePath } from "./sample-query.ts";

/** Rows after which a search does not continue by itself. */
const enoughRows = 50;
/** Pages that a search reads by itself: each has at most 400 answers. */
const mostPages = 10;
/** Maximum other models next to a sample: each is a further request. */
const mostOthers = 8;

/** A page of the list. A search with few results reads further pages by itself. */
export async function loadPage(query: SampleQuery): Promise<SamplePage> {
  const samples: ListedSample[] = [];
  let cursor = query.cursor;
  for (let pages = 1; ; pages++) {
    const page = await getJson<SamplePage>(listPath(query, cursor));
    samples.push(...page.samples);
    cursor = page.nextCursor;
    const isShort = page.searched !== undefined && samples.length < enoughRows;
    if (cursor === null || !isShort || pages === mostPages) return { ...page, samples };
  }
}

async function neighbour(query: SampleQuery, seq: number, direction: "before" | "after") {
  let from = `${seq}`;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await getJson<SamplePage>(neighbourPath(query, from, direction));
    const [found] = page.samples;
    if (found !== undefined) return found;
    if (page.nextCursor === null) return null;
    from = page.nextCursor;
  }
  return null;
}

/** A sample with its neighbours in the list; without neighbours if the list can't be read. */
export async function loadSample(
  query: SampleQuery,
): Promise<{ shown: SampleReport; neighbours: Neighbours }> {
  const shown = await getJson<SampleReport>(samplePath(query));
  const { seq } = shown.sample;
  const [before, after] = await Promise.all(
    (["before", "after"] as const).map((way) => neighbour(query, seq, way).catch(() => null)),
  );
  return { shown, neighbours: { before: before ?? null, after: after ?? null } };
}

/** The answer of the run that the query names for comparison; null if it names none, or that run has no such answer. */
export async function loadRival({ rival, ...query }: SampleQuery) {
  if (rival === null) return null;
  const theirs = { ...query, run: rival, rival };
  const [report, shown] = await Promise.all([
    getJson<RunReport>(`/v1/runs/${encodeURIComponent(rival)}/report`),
    getJson<SampleReport>(samplePath(theirs)),
  ]);
  return { report, shown };
}

/** The answers of the best other models on the dataset's board; empty without a board. */
export async function loadOthers(
  { suite, run, hasBoard }: Pick<RunReport, "suite" | "run" | "hasBoard">,
  sample: string,
): Promise<OtherAnswer[]> {
  if (hasBoard === false) return [];
  const search = new URLSearchParams({ suite: suite.id, dataset: run.dataset.name });
  const board = await getJson<Leaderboard>(`/v1/leaderboard?${search}`).catch(() => null);
  if (board === null || board.dataset.version !== run.dataset.version) return [];
  const entries = board.entries.filter((entry) => entry.run !== run.id).slice(0, mostOthers);
  return Promise.all(
    entries.map(async (entry) => {
      const page = await getJson<SamplePage>(rowPath(entry.run, sample)).catch(() => null);
      return { entry, row: page?.samples[0] ?? null };
    }),
  );
}
