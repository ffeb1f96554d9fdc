import type { Writable } from "node:stream";
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { FollowedRun } from "../remote/follow-runs.ts";
import { formatCount } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";

/** Longest name of a model next to a bar: wrapped lines are not overwritten. */
const NAME_MAX = 32;

const format = "{model} {bar} {value}/{total} samples  {state}";

/** A bar for each run, until cleared; nothing without a terminal. */
export function runBars(stream: Writable & { isTTY?: boolean }) {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  const looks = { format, barsize: 24, hideCursor: true, clearOnComplete: true };
  // The caller clears the bars when the process gets a signal to end.
  const options = { ...looks, gracefulExit: false, stream: stream as NodeJS.WritableStream };
  const bars = new MultiBar(options, Presets.shades_classic);
  const shown = new Map<string, SingleBar>();
  return {
    show(runs: readonly FollowedRun[]): void {
      const names = namesOf(runs);
      for (const [i, { id, progress, ...run }] of runs.entries()) {
        const payload = { model: names[i], state: stateOf({ ...run, progress }) };
        const bar = shown.get(id) ?? bars.create(progress.total, progress.done, payload);
        shown.set(id, bar);
        bar.setTotal(progress.total);
        bar.update(progress.done, payload);
      }
    },
    clear: () => bars.stop(),
  };
}

function namesOf(runs: readonly FollowedRun[]): string[] {
  const names = runs.map(({ model }) => printable(model.slug).slice(0, NAME_MAX));
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => name.padEnd(width));
}

const stateOf = ({ status, progress }: Pick<FollowedRun, "status" | "progress">): string =>
  progress.failed === 0 ? status : `${status}, ${formatCount(progress.failed)} failed`;
