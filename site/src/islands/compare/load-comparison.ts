import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Run, SamplePage, SampleRow } from "#shared/contracts/run.ts";
import type { Compared } from "../../report/compare/compared.ts";
import { getJson } from "../api.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { comparePath } from "./compare-query.ts";

/** Maximum samples of a run that are drawn: more dots can't be distinguished. */
const mostSamples = 2_000;
const pageSize = 500;

interface Loading {
  signal: AbortSignal;
  onWait: (seconds: number) => void;
}

/** A comparison with the metrics of its runs. A run whose metrics can't be read has none. */
export async function loadComparison(
  runs: readonly string[],
  suites: readonly ListedSuite[],
  loading: Loading,
): Promise<Compared> {
  const comparison = await getJson<Comparison>(comparePath(runs), loading);
  const found = await Promise.all(
    comparison.runs.map(async ({ run }) => [run, await factsOf(run, loading.signal)] as const),
  );
  const loads = new Set(found.map(([, { load }]) => load));
  const { suite: id, ownMetrics = [] } = comparison;
  const known = suites.find((suite) => suite.id === id);
  const metrics = [...ownMetrics, ...(known?.metrics ?? [])];
  const headline = comparison.metrics[0]?.metric ?? known?.headline ?? "";
  return {
    comparison,
    suite: { ...(known ?? { id, label: id, views: [] }), metrics, headline },
    figures: new Map(found.map(([run, { figures }]) => [run, figures])),
    isTimedAlike: loads.size === 1 && !loads.has(null),
  };
}

type Facts = Pick<Run, "metrics" | "options" | "provenance">;

/** The metrics of a run, and its number of concurrent requests; null if others timed it, or it is unknown. */
async function factsOf(run: string, signal: AbortSignal) {
  const path = `/v1/runs/${encodeURIComponent(run)}`;
  const facts = await getJson<Facts>(path, { signal }).catch(() => null);
  signal.throwIfAborted();
  const { kind, relay } = facts?.provenance ?? {};
  const isTimed = kind === "called" || kind === "runner" || relay !== undefined;
  return {
    figures: facts?.metrics ?? {},
    load: (isTimed && facts?.options["concurrency"]) || null,
  };
}

/** The first samples of a run, in order, and whether there are more. */
export async function loadSamples(
  run: string,
  signal: AbortSignal,
): Promise<{ rows: SampleRow[]; isPart: boolean }> {
  const rows: SampleRow[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: URLSearchParams = new URLSearchParams({ limit: String(pageSize) });
    if (cursor !== null) query.set("cursor", cursor);
    const path = `/v1/runs/${encodeURIComponent(run)}/samples?${query}`;
    const page: SamplePage = await getJson<SamplePage>(path, { signal });
    rows.push(...page.samples);
    cursor = page.nextCursor;
    if (cursor === null) return { rows, isPart: false };
    if (rows.length >= mostSamples) return { rows: rows.slice(0, mostSamples), isPart: true };
  }
}
