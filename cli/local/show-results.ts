import { BadInput } from "../errors.ts";
import { type DemoBoard, measureCanaries, runDemo } from "./demo.ts";
import { loadStock, localClient, stockName } from "./load-stock.ts";
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
  if (!demo) await loadStock(localClient(stack.origin));
  const shown = demo ? await runDemo(stack, folder) : null;
  if (shown?.isNew) await stack.restartRuntime();
  // An existing build is shown at once, unless sources or results have changed.
  const isShown = site.isCurrent && shown?.isNew !== true;
  if (!isShown) site.request();
  site.release();
  if (!isShown && !(await siteProgress(site))) {
    throw new BadInput(`The site could not be built; see ${site.log}.`);
  }
  console.log(links(stack.origin, shown?.boards ?? []));
  // The pages of judged suites show them after the next build.
  if (demo && canaries) await measureCanaries(stack);
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
    ["API docs", `${origin}/docs/`],
  ];
  const width = Math.max(...lines.map(([label = ""]) => label.length));
  const rows = lines.map(([label = "", url]) => `  ${label.padEnd(width)}  ${url}`);
  return ["", "Assay is running:", ...rows, "", "Ctrl-C stops it."].join("\n");
}
