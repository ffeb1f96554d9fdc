import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import { estimateOf, judgesText } from "../run/estimate.ts";
import { type DemoBoard, isJudged, measureCanaries, runDemo } from "./demo.ts";
import { demoParity } from "./demo-parity.ts";
import { loadStock, stockName } from "./load-stock.ts";
import { siteProgress } from "./progress.ts";
import type { Stack } from "./stack.ts";

/** Evaluates the demo if necessary, builds the site if it is out of date, and prints the links when they answer. */
export async function showResults(
  stack: Stack,
  folder: string,
  { demo, canaries }: { demo: boolean; canaries: boolean },
): Promise<void> {
  const { site } = stack;
  site.hold();
  const versions = await loadStock(stack.client);
  console.log(await judgesLines(stack));
  const shown = demo ? await runDemo(stack, folder, versions) : null;
  // Restarted before the build, which needs the most memory, and after the build, which reads all results.
  if (shown?.isNew) await stack.restartRuntime();
  // An existing build is shown at once, unless sources or results have changed.
  const isShown = site.isCurrent && shown?.isNew !== true;
  if (!isShown) site.request();
  site.release();
  // A build for later results must not read while the runtime restarts.
  site.hold();
  if (!isShown && !(await siteProgress(site))) {
    throw new BadInput(`The site could not be built; see ${site.log}.`);
  }
  if (shown?.isNew) {
    await stack.restartRuntime();
    freeMemory();
  }
  site.release();
  console.log(links(stack.origin, shown?.boards ?? []));
  // The pages of judged suites show the canaries after the next build.
  if (demo && canaries && !stack.judgesAreReal) await measureCanaries(stack);
}

/** Frees memory of the demo, a third of this process's memory. V8 would free it only after ten idle seconds. */
function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "major", flavor: "last-resort" });
}

/** The judges and their prices. */
async function judgesLines(stack: Stack): Promise<string> {
  if (!stack.judgesAreReal) return "judges: simulated";
  const endpoint = { baseUrl: stack.simulator, model: "sim-large" };
  const lines = suites.filter(isJudged).map(async ({ id: suite, label }) => {
    const request = { suite, dataset: stockName, models: [{ name: "A model", endpoint }] };
    const estimate = await estimateOf(stack.client, request);
    return `${judgesText(estimate)} (${label}, one model on ${stockName})`;
  });
  return [...(await Promise.all(lines)), "The demo calls none of them."].join("\n");
}

function links(origin: string, boards: readonly DemoBoard[]): string {
  const [first] = boards;
  const lines = [
    ["Site", `${origin}/`],
    ...boards.map(({ suite, label }) => [label, `${origin}/leaderboards/${suite}/${stockName}/`]),
    ...(first
      ? [
          ["A report", `${origin}/runs/${first.runId}/`],
          ["A badge", `${origin}/badge/${first.slug}.svg`],
        ]
      : []),
    ...(first ? [["Hosts of a model", `${origin}/parity/${demoParity}/`]] : []),
    ["API docs", `${origin}/docs/`],
  ];
  const width = Math.max(...lines.map(([label = ""]) => label.length));
  const rows = lines.map(([label = "", url]) => `  ${label.padEnd(width)}  ${url}`);
  return ["", "Assay is running:", ...rows, "", "Ctrl-C stops it."].join("\n");
}
