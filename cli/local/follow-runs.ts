import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { Run } from "#shared/contracts/run.ts";
import { apiClient } from "./api.ts";

const POLL_MS = 300;

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
      notTTYSchedule: 2_000,
    },
    Presets.shades_classic,
  );
  const shown = new Map<string, SingleBar>();
  try {
    for (;;) {
      const runs = await Promise.all(ids.map((id) => api.run(id)));
      const width = Math.max(...runs.map((run) => run.model.slug.length));
      for (const run of runs) show(bars, shown, run, width);
      if (runs.every((run) => ended.has(run.status))) return runs;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    bars.stop();
  }
}

function show(bars: MultiBar, shown: Map<string, SingleBar>, run: Run, width: number): void {
  const { total, done } = run.progress;
  const payload = { model: run.model.slug.padEnd(width), state: stateOf(run) };
  const bar = shown.get(run.id) ?? bars.create(total, done, payload);
  shown.set(run.id, bar);
  bar.update(done, payload);
}

function stateOf(run: Run): string {
  const value = run.metrics?.[run.headline]?.value;
  if (run.status === "finished") return `score ${value?.toFixed(3) ?? "–"}`;
  return run.statusReason ?? run.status;
}
