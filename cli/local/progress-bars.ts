import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { Run } from "#shared/contracts/run.ts";

/** Between two rounds of lines, ms. */
const LINES_EVERY_MS = 10_000;

/** A progress bar for each run; lines where there is no terminal. */
export function progressBars() {
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
  return {
    show(runs: readonly Run[]): void {
      const names = namesOf(runs);
      for (const [i, run] of runs.entries()) show(bars, shown, run, names[i] ?? "");
    },
    stop: () => bars.stop(),
  };
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
