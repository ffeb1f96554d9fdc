import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { wholeNumber } from "../support/number-options.ts";
import { builtSite, heavyPages, siteTable } from "./built-site.ts";
import { isStamped, putStamp, stampOf } from "./snapshot-stamp.ts";
import { writeSnapshot } from "./write-snapshot.ts";

const usage = `npm run snapshot:demo [-- options]

Makes results of simulated models on the stock dataset of every suite in the format of ASSAY_SNAPSHOT_DIR, builds the
site from them, and prints the time and the sizes of pages. Exits with 1 if a page exceeds the size budget of its kind.
Existing results are reused unless their inputs have changed.

  --models N   models, each with a run on every suite (default 100)
  --out DIR    folder to write (default .cache/demo-snapshot); the site goes to DIR/site
  --no-build   only write the results
  --help       show this`;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      models: { type: "string", default: "100" },
      out: { type: "string", default: join(root, ".cache", "demo-snapshot") },
      "no-build": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const models = wholeNumber("--models", values.models, 1_000);
  const dir = resolve(values.out);
  await mkdir(dir, { recursive: true });
  await writeUnlessThere(dir, models);
  if (values["no-build"]) return;
  const site = await builtSite(dir, join(dir, "site"));
  console.log(siteTable(site));
  for (const flaw of heavyPages(site)) {
    console.error(`Too large: ${flaw}`);
    process.exitCode = 1;
  }
}

async function writeUnlessThere(dir: string, models: number): Promise<void> {
  const stamp = stampOf(models);
  if (await isStamped(dir, stamp)) return console.log(`The results in ${dir} are up to date.`);
  await putStamp(dir, null);
  const begun = performance.now();
  const { runs, boards } = await writeSnapshot({ dir, models }, (progress) =>
    console.error(`${seconds(begun)} s: ${progress}`),
  );
  await putStamp(dir, stamp);
  console.log(`${runs.length} runs and ${boards.length} boards in ${seconds(begun)} s: ${dir}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
