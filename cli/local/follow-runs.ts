import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { Run } from "#shared/contracts/run.ts";
import { apiClient } from "./api.ts";

/** Runs that have ended are not asked for again: reading them takes of what the others could use. */
const POLL_MS = 1_000;
/** Between two rounds of lines, ms. */
const LINES_EVERY_MS = 10_000;

const ended = new Set(["finished", "failed", "cancelled"]);

/** Shows a progress bar for each run until all have ended; lines where there is no terminal. */
export async function followRuns(origin: string, ids: readonly string[]): Promise<Run[]> {
  const api = apiClient(origin);
  const bars = new MultiBar(
    {
      format: "  {model} {bar} {value}/{total} samples  {state}",
      hideCursor: true,
      clearOnComplete: false,
      noTTYOutput: true,
      notTTYSchedule: LINES_EVERY_MS,
    },
    Presets.shades_classic,
  );
  const shown = new Map<string, SingleBar>();
  const done = new Map<string, Run>();
  try {
    for (;;) {
      const runs = await Promise.all(ids.map(async (id) => done.get(id) ?? (await api.run(id))));
      for (const run of runs) if (ended.has(run.status)) done.set(run.id, run);
      const names = namesOf(runs);
      for (const [i, run] of runs.entries()) show(bars, shown, run, names[i] ?? "");
      if (done.size === runs.length) return runs;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    bars.stop();
  }
}

/** Of one width; the suite stands before the model where there are several. */
function namesOf(runs: readonly Run[]): string[] {
  const isMixed = new Set(runs.map(({ suite }) => suite)).size > 1;
  const names = runs.map(({ suite, model }) => (isMixed ? `${suite} ${model.slug}` : model.slug));
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => name.padEnd(width));
}

function show(bars: MultiBar, shown: Map<string, SingleBar>, run: Run, model: string): void {
  const { total, done } = run.progress;
  const payload = { model, state: stateOf(run) };
  const bar = shown.get(run.id) ?? bars.create(total, done, payload);
  shown.set(run.id, bar);
  bar.update(done, payload);
}

function stateOf(run: Run): string {
  const value = run.metrics?.[run.headline]?.value;
  if (run.status === "finished") return `score ${value?.toFixed(3) ?? "–"}`;
  if (run.status === "running" && run.judging !== null) {
    return run.phase === "judging" ? "being judged" : "answering";
  }
  return run.statusReason ?? run.status;
}
