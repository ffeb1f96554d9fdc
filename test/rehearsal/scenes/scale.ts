import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { SITE_FILES } from "../../../cli/deploy/run-deploy.ts";
import { root } from "../../../cli/local/root.ts";
import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import { snapshotRootSchema } from "../../../shared/contracts/boards/snapshot.ts";
import { copiesOf, scoreOfCopy } from "../../demo-snapshot/copy-runs.ts";
import { datasetsLike } from "../../demo-snapshot/many-results.ts";
import { type Checkout, checkout } from "../checkout.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { limitsOf } from "../cloud/limits.ts";
import {
  bearer,
  databaseOf,
  deploy,
  type Findings,
  NAME,
  onDeployed,
  page,
  rowsOf,
  type Scene,
} from "./scene.ts";

const RUNS = 10_000;
const DATASETS = 2_000;
/** Maximum time of a step with several messages, in parallel with other scenes on two cores. */
const MOST_S = 1_500;
const SUITE = "extraction";

/** Maximum time of a build. Source: developers.cloudflare.com, Workers Builds, limits (2026-11): 20 minutes. */
const BUILD_S = 1_200;

/** Heap of the site's build, MB: a quarter of the memory of the smallest hosted workflow runner. */
const HEAP_MB = 3_072;

/** Maximum size of a site's file. Source: developers.cloudflare.com, Workers limits, static assets (2026-11). */
const ASSET_BYTES = 25 * 1024 * 1024;

/** Thousands of results, written directly to the database and the bucket; then one more submission. */
export const scaleScenes: readonly Scene[] = [
  {
    name: `${RUNS.toLocaleString("en")} public runs on one board, ${DATASETS.toLocaleString("en")} datasets`,
    isQuick: false,
    isLarge: true,
    play: () =>
      onDeployed({}, async (cloud, findings) => {
        await fill(cloud, await submitted(cloud, "first"));
        await publishedOnce(cloud, findings);
        await oneMore(cloud, findings);
        await lists(cloud, findings);
        const fresh = checkout();
        try {
          await builtTwice(cloud, fresh, findings);
        } finally {
          fresh.remove();
        }
      }),
  },
];

const submissionSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });

/** Submits perfect answers to the stock dataset and waits for the finished run. */
async function submitted(cloud: Cloud, name: string): Promise<string> {
  const file = readFileSync(join(root, "shared", "suites", SUITE, "stock.jsonl"), "utf8");
  const rows = file.trim().split("\n");
  const answers = rows
    .map((line) => JSON.parse(line) as { id: string; expected_output: unknown })
    .map((row) => ({ id: row.id, output: JSON.stringify(row.expected_output) }));
  const models = [{ name, slug: `rehearsal/${name}`, simulated: true, answers }];
  const { text } = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ suite: SUITE, dataset: "stock", visibility: "public", models }),
  });
  const read = submissionSchema.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(text.slice(0, 900));
  const { id } = read.data.runs[0]!;
  await until(`run ${id} has finished`, async () => {
    const run = await page(cloud, `/v1/runs/${id}`, { headers: bearer });
    return (JSON.parse(run.text) as { status: string }).status === "finished";
  });
  return id;
}

const WAITS = 900;
/** Longer than a publication waits for changes. */
const SETTLED_MS = 20_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < WAITS; looks++) {
    if (await isSo()) return;
    await setTimeout(1_000);
  }
  throw new Error(`not within ${WAITS} s: ${what}`);
}

/** Writes copies of a run, each of another model, and datasets. The top copies have their own scores and parts. */
async function fill(cloud: Cloud, run: string): Promise<void> {
  const columns = async (table: string) =>
    (await rowsOf(cloud, `SELECT name FROM pragma_table_info('${table}')`)).map(
      ({ name }) => `${name}`,
    );
  const statements = [
    ...copiesOf(run, await columns("runs"), 1, RUNS - 1),
    ...datasetsLike(SUITE, await columns("datasets"), DATASETS),
  ];
  for (const one of statements) await cloud.workers.query(databaseOf(cloud), one, []);
  const [bucket = ""] = cloud.account.buckets.keys();
  const read = async (name: string) =>
    (await cloud.workers.getObject(bucket, `runs/${run}/sums-0/${name}.json`)) ?? new Uint8Array();
  const scores = await read("scores");
  const parts = JSON.parse(new TextDecoder().decode(await read("parts"))) as object;
  // Copies have no stored answers, so none may be picked.
  const noPicks = new TextEncoder().encode(JSON.stringify({ ...parts, points: null }));
  const best = Array.from({ length: RUNS - 1 }, (_, i) => i + 1)
    .sort((a, b) => scoreOfCopy(b) - scoreOfCopy(a))
    .slice(0, 110);
  for (const i of best) {
    await cloud.workers.putObject(bucket, `runs/${run}-${i}/sums-0/scores.json`, scores);
    await cloud.workers.putObject(bucket, `runs/${run}-${i}/sums-0/parts.json`, noPicks);
  }
}

interface Published {
  hash: string;
  runs: number;
  isComplete: boolean;
}

async function published(cloud: Cloud): Promise<Published> {
  const { status, text } = await page(cloud, "/v1/snapshot");
  if (status !== 200) return { hash: "", runs: 0, isComplete: false };
  const read = snapshotRootSchema.parse(JSON.parse(text));
  const runs = read.runs.reduce((sum, { items }) => sum + items, 0);
  const [state] = await rowsOf(cloud, "SELECT changes = published AS done FROM publications");
  const [left] = await rowsOf(cloud, "SELECT count(*) AS n FROM snapshot_changes");
  return { hash: read.hash, runs, isComplete: state?.["done"] === 1 && left?.["n"] === 0 };
}

/** Publishes everything with the next run that ends, as after an upgrade, and ranks its board. */
async function publishedOnce(cloud: Cloud, findings: Findings): Promise<void> {
  const watched = watch(cloud);
  await submitted(cloud, "second");
  await until("all runs are published", async () => {
    const { runs, isComplete } = await published(cloud);
    return isComplete && runs === RUNS + 1;
  });
  watched.report(findings, "the first publication of everything");
}

/** The published state when it no longer changes: on a slow machine, a board may be ranked after its runs are published. */
async function settled(cloud: Cloud): Promise<Published> {
  let last = await published(cloud);
  await until("nothing more is published", async () => {
    await setTimeout(SETTLED_MS);
    const now = await published(cloud);
    const isSame = now.isComplete && now.hash === last.hash;
    last = now;
    return isSame;
  });
  return last;
}

async function oneMore(cloud: Cloud, findings: Findings): Promise<void> {
  const before = await settled(cloud);
  const watched = watch(cloud);
  await submitted(cloud, "third");
  await until("the run is published", async () => {
    const { runs, hash, isComplete } = await published(cloud);
    return isComplete && runs === before.runs + 1 && hash !== before.hash;
  });
  const { r2Writes } = watched.report(
    findings,
    "after one more run, its board ranked and published",
  );
  // The run's objects, the pages of its board with changed ranks, the board, and two pages of the index.
  findings.add(`one more run: ${r2Writes} objects written (at most 150)`, () =>
    r2Writes <= 150 ? undefined : `${r2Writes}`,
  );
  const [row] = await rowsOf(
    cloud,
    `SELECT length(entries) + length(pages) + length(coalesce(tests, '')) AS bytes FROM boards
      ORDER BY bytes DESC LIMIT 1`,
  );
  const bytes = Number(row?.["bytes"]);
  const most = limitsOf("paid").d1ValueBytes;
  findings.add(`the board's row: ${bytes.toLocaleString("en")} bytes (at most ${most})`, () =>
    bytes <= most ? undefined : `${bytes}`,
  );
}

/** Reads every page of the public lists. */
async function lists(cloud: Cloud, findings: Findings): Promise<void> {
  const query = `suite=${SUITE}&dataset=stock`;
  const watched = watch(cloud);
  const models = await walk(cloud, `/v1/leaderboard?${query}`, "entries");
  findings.add(
    `the board lists each of ${models.items} models once, in ${models.pages} pages of at most ${models.largest} bytes`,
    () => (models.items === RUNS + 2 && models.pages === 101 ? undefined : JSON.stringify(models)),
  );
  const sets = await walk(cloud, "/v1/datasets?limit=200", "datasets");
  findings.add(
    `${sets.items} datasets are listed in ${sets.pages} pages of at most ${sets.largest} bytes`,
    () => (sets.items >= DATASETS && sets.largest < 200_000 ? undefined : JSON.stringify(sets)),
  );
  const csv = await page(cloud, `/v1/leaderboard.csv?${query}`);
  const lines = csv.text.trim().split("\r\n").length;
  findings.add(`the board's CSV has ${lines} lines`, () =>
    lines === RUNS + 3 ? undefined : csv.text.slice(0, 300),
  );
  watched.report(findings, "all pages of lists");
}

async function walk(cloud: Cloud, path: string, name: string) {
  const seen = { items: 0, pages: 0, largest: 0 };
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, text } = await page(cloud, `${path}${more}`);
    if (status !== 200) throw new Error(`${path}${more} answers ${status}: ${text.slice(0, 300)}`);
    const read = JSON.parse(text) as Record<string, unknown[]> & { nextCursor: string | null };
    seen.items += read[name]?.length ?? 0;
    seen.pages += 1;
    seen.largest = Math.max(seen.largest, text.length);
    cursor = read.nextCursor === null ? null : `${read.nextCursor}`;
  }
  return seen;
}

/** Builds the site like a workflow, and again after one more run. */
async function builtTwice(cloud: Cloud, fresh: Checkout, findings: Findings): Promise<void> {
  const build = async (what: string) => {
    const env = { ...cloud.env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
    const begun = performance.now();
    const run = deploy({ ...cloud, env }, fresh, NAME, ["--site-only", "--yes"]);
    const { code, text } = await run.ended;
    const seconds = (performance.now() - begun) / 1_000;
    const summary = /read [\d,]+ of .* s$/m.exec(text)?.[0] ?? "";
    findings.add(`${what}, in a heap of at most ${HEAP_MB} MB: ${summary}`, () =>
      code === 0 && summary ? undefined : text.slice(-2_000),
    );
    findings.add(`${what} and published in ${seconds.toFixed(0)} s (at most ${BUILD_S})`, () =>
      seconds <= BUILD_S ? undefined : "more",
    );
    const counted = /read ([\d,]+) of .*rendered ([\d,]+) pages.* ([\d.]+) s$/.exec(summary) ?? [];
    const [, read = 0, rendered = 0, took = 0] = counted.map((one) =>
      Number(one.replaceAll(",", "")),
    );
    return { read, rendered, msAPage: Math.round((1_000 * took) / rendered) };
  };
  const first = await build("the site is built for the first time");
  findings.msAPage = first.msAPage;
  const assets = cloud.account.scripts.get(`${NAME}-site`)?.assets ?? new Map();
  const largest = Math.max(...[...assets.values()].map(({ content }) => content.length));
  findings.add(`the site has ${assets.size} files (at most ${SITE_FILES})`, () =>
    assets.size <= SITE_FILES ? undefined : `${assets.size}`,
  );
  findings.add(`its largest file has ${largest.toLocaleString("en")} bytes`, () =>
    largest <= ASSET_BYTES ? undefined : `${largest}`,
  );
  const get = async (path: string): Promise<unknown> =>
    JSON.parse((await page(cloud, path)).text) as unknown;
  const { snapshot } = await readSnapshot(get, 300);
  const old = snapshot.runs.find(({ id }) => !assets.has(`/runs/${id}/index.html`));
  const { status, text } = await page(cloud, `/runs/${old?.id}/`);
  findings.add("a run without a file has a page at its address, drawn from the API", () =>
    status === 200 && text.includes("data-report") ? undefined : `${status} ${text.slice(0, 300)}`,
  );
  const before = await published(cloud);
  await submitted(cloud, "fourth");
  await until("the run is published", async () => {
    const { runs, isComplete } = await published(cloud);
    return isComplete && runs === before.runs + 1;
  });
  const second = await build("after one more run");
  // Pages that change with every build, and those of the board's 100 shown models, which state the number of ranked models.
  findings.add("it reads and renders only changes", () =>
    second.read < 150 && second.rendered < 250 ? undefined : JSON.stringify({ first, second }),
  );
}

/** Compares the usage of invocations from now on with the platform's limits. */
function watch(cloud: Cloud) {
  const from = cloud.workers.usage.length;
  const begun = performance.now();
  return {
    report(findings: Findings, what: string): { r2Writes: number } {
      const usage = cloud.workers.usage.slice(from);
      const limits = limitsOf("paid");
      const most = (of: "d1Queries" | "internal" | "largestMessageBytes" | "largestValueBytes") =>
        Math.max(0, ...usage.map((one) => one[of]));
      for (const [name, of, atMost] of [
        ["D1 queries", "d1Queries", limits.d1Queries],
        ["requests to services", "internal", limits.internal],
        ["bytes of a message", "largestMessageBytes", limits.messageBytes],
        ["bytes of a value in D1", "largestValueBytes", limits.d1ValueBytes],
      ] as const) {
        const count = most(of);
        findings.add(`${what}: ${name}: ${count} in an invocation (at most ${atMost})`, () =>
          count <= atMost ? undefined : `${count}`,
        );
      }
      const seconds = (performance.now() - begun) / 1_000;
      findings.add(`${what}: in ${seconds.toFixed(1)} s (at most ${MOST_S})`, () =>
        seconds <= MOST_S ? undefined : "more",
      );
      return { r2Writes: usage.reduce((sum, one) => sum + one.r2Writes, 0) };
    },
  };
}
