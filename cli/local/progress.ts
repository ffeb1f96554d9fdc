import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { Run } from "#shared/contracts/run.ts";
import { progressLine } from "../terminal/progress-line.ts";
import type { LocalSite } from "./site-builder.ts";

/** Without a terminal: the minimum time between two lines about samples, and the maximum without any line, ms. */
const LINE_EVERY_MS = 5_000;
const SILENCE_MAX_MS = 30_000;
const LOOK_EVERY_MS = 500;

/** The stream for progress. */
interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Shows the progress of runs: a bar per run on a terminal, otherwise a line after changes. */
export const runProgress = (output: Output = process.stderr, now = Date.now) =>
  isTerminal(output) ? bars(output) : lines(output, now);

const isTerminal = ({ isTTY }: Output) => isTTY === true && process.env["TERM"] !== "dumb";

function bars(output: Output) {
  const all = new MultiBar(
    {
      format: "  {model} {bar} {value}/{total} samples  {state}",
      hideCursor: true,
      clearOnComplete: false,
      // The caller handles signals.
      gracefulExit: false,
      stream: output as NodeJS.WritableStream,
    },
    Presets.shades_classic,
  );
  const shown = new Map<string, SingleBar>();
  return {
    show(runs: readonly Run[]): void {
      const names = namesOf(runs);
      for (const [i, run] of runs.entries()) {
        const { total, done } = run.progress;
        const payload = { model: names[i] ?? "", state: stateOf(run) };
        const bar = shown.get(run.id) ?? all.create(total, done, payload);
        shown.set(run.id, bar);
        bar.update(done, payload);
      }
    },
    stop: () => all.stop(),
  };
}

/** Names of runs, padded to one width, with the suite in front if there are several suites. */
function namesOf(runs: readonly Run[]): string[] {
  const isMixed = new Set(runs.map(({ suite }) => suite)).size > 1;
  const names = runs.map(({ suite, model }) => (isMixed ? `${suite} ${model.slug}` : model.slug));
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => name.padEnd(width));
}

function stateOf(run: Run): string {
  const value = run.metrics?.[run.headline]?.value;
  if (run.status === "finished") return `score ${value?.toFixed(3) ?? "–"}`;
  if (run.status === "running" && run.judging !== null) {
    return run.phase === "judging" ? "being judged" : "answering";
  }
  return run.statusReason ?? run.status;
}

function lines(output: Output, now: () => number) {
  const ended = new Set<string>();
  let last = "";
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = (line: string) => {
    output.write(`  ${line}\n`);
    saidAt = now();
  };
  return {
    show(runs: readonly Run[]): void {
      const names = namesOf(runs);
      for (const [i, run] of runs.entries()) {
        if (run.finishedAt === null || ended.has(run.id)) continue;
        ended.add(run.id);
        say(`${names[i]}  ${run.progress.done}/${run.progress.total} samples  ${stateOf(run)}`);
      }
      const sum = (key: "done" | "total") => runs.reduce((all, run) => all + run.progress[key], 0);
      const line = `${sum("done")}/${sum("total")} samples, ${ended.size}/${runs.length} runs finished`;
      const silence = now() - saidAt;
      if (silence >= SILENCE_MAX_MS || (silence >= LINE_EVERY_MS && line !== last)) {
        last = line;
        say(line);
      }
    },
    stop: () => {},
  };
}

/** Shows the progress of the site's build until its end. Returns whether it succeeded. */
export async function siteProgress(
  site: LocalSite,
  output: Output = process.stderr,
): Promise<boolean> {
  const begun = Date.now();
  const line = progressLine(output as Parameters<typeof progressLine>[0]);
  if (!isTerminal(output)) output.write("Building the site …\n");
  let saidAt = begun;
  const timer = setInterval(() => {
    const text = `Building the site: ${site.pages} pages, ${seconds(begun)} s`;
    if (isTerminal(output)) return line.show(text);
    if (Date.now() - saidAt < 2 * LINE_EVERY_MS) return;
    saidAt = Date.now();
    output.write(`${text}\n`);
  }, LOOK_EVERY_MS);
  const isBuilt = await site.built();
  clearInterval(timer);
  line.clear();
  if (isBuilt) output.write(`The site is built (${seconds(begun)} s).\n`);
  return isBuilt;
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
