import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { copyRuns } from "../demo-snapshot/copy-runs.ts";
import { type BuildCost, costOfBuild, startBuild } from "../demo-snapshot/large-site.ts";
import { type LargeService, openLargeService } from "../demo-snapshot/many-results.ts";
import { buildFolder } from "./support/build-site.ts";
import { emptySite } from "./support/shared-site.ts";

/** More than one page of a board shows, so that some models are on its second page. */
const RUNS = 108;

/** How many of a board's first runs are compared pair by pair. */
const COMPARED = 20;

let large: LargeService;
let folder: string;
/** The cache of the builds, and the bundle that an earlier build has cached. */
let cache: string;
let bundle: string;

beforeAll(async () => {
  await emptySite();
  large = await openLargeService({ runs: RUNS, datasets: 4 });
  folder = await buildFolder();
  bundle = await keptBundle();
  cache = await withoutPages();
  await built(cache);
});

afterAll(async () => {
  await large.close();
  await rm(folder, { recursive: true });
});

async function keptBundle(): Promise<string> {
  const kept = join(root, ".cache", "site-runs");
  const name = (await readdir(kept)).find((one) => /^bundle-\w+$/.test(one));
  return join(kept, name ?? "bundle-none");
}

/** A cache with the bundle but no pages: to bundle again takes as long as to render all pages. */
async function withoutPages(): Promise<string> {
  const cache = await mkdtemp(join(folder, "cache-"));
  await cp(bundle, join(cache, basename(bundle)), { recursive: true, verbatimSymlinks: true });
  return cache;
}

/** Removes some cached pages. Their names are digests, so any page can be among them. */
async function dropSomePages(): Promise<void> {
  const pages = (await readdir(join(cache, "pages"))).filter((name) => /^[01]/.test(name));
  expect(pages.length).toBeGreaterThan(10);
  for (const name of pages) await rm(join(cache, "pages", name));
}

async function built(
  cache: string,
  { files, out = join(cache, "dist") }: { files?: string; out?: string } = {},
): Promise<BuildCost & { pages: Pages }> {
  const cost = await costOfBuild(large.origin, { out, cache, files });
  return { ...cost, pages: await pagesIn(out) };
}

type Pages = Map<string, string>;

/** Starts a build and kills it as soon as it has written a page. */
async function crashed(cache: string): Promise<void> {
  const out = join(cache, "dist");
  const child = startBuild(large.origin, { out, cache });
  const ended = once(child, "close");
  while (child.exitCode === null && (await pagesIn(`${out}.new`)).size === 0) await sleep(20);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
}

/** Paths of the files in which two sites differ. */
const differences = (site: Pages, other: Pages): string[] =>
  [...new Set([...site.keys(), ...other.keys()])].filter(
    (path) => site.get(path) !== other.get(path),
  );

async function pagesIn(out: string): Promise<Pages> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const read = paths.sort().map(async (path) => [path.slice(out.length), await readFile(path)]);
  return new Map((await Promise.all(read)).map(([path, text]) => [`${path}`, `${text}`]));
}

/** The counts that a build prints: objects read, pages rendered and pages kept. */
const counts = ({ said }: BuildCost) =>
  /read (\d+) of \d+ objects, rendered (\d+) pages, kept (\d+)/.exec(said)?.slice(1).map(Number) ??
  [];

/** Occurs in all names and texts of withheld runs, and nowhere else. */
const CANARY = "zeisig";

/**
 * Withholds runs from the site: three published runs (the 7th is hidden, the 8th made private, the 9th deleted) and
 * three new ones (private, unlisted, and of a private dataset). Returns their ids and slugs.
 */
async function withhold(): Promise<string[]> {
  const { service, first } = large;
  const { runs } = service.platform;
  const [hidden, closed, deleted] = [7, 8, 9].map((i) => `${first.id}-${i}`) as string[];
  await runs.hide(hidden ?? "", CANARY, 2e12);
  await runs.changeVisibility(closed ?? "", { visibility: "private", note: CANARY }, 2e12);
  await runs.remove(deleted ?? "", 2e12);
  const never = [3, 4, 5].map((i) => RUNS + i);
  copyRuns(service, first, RUNS + 3, RUNS + 5);
  service.database.exec(`
    UPDATE runs SET visibility = 'private', board_id = NULL, model_slug = '${CANARY}/' || id,
        model = json_set(model, '$.name', '${CANARY}', '$.slug', '${CANARY}/' || id),
        status_reason = '${CANARY}', options = json_set(options, '$.systemPrompt', '${CANARY}')
      WHERE id IN (${never.map((i) => `'${first.id}-${i}'`)});
    UPDATE runs SET visibility = 'unlisted' WHERE id = '${first.id}-${RUNS + 4}';
    UPDATE runs SET dataset_name = '${CANARY}/set' WHERE id = '${first.id}-${RUNS + 5}';
    UPDATE datasets SET visibility = 'private', name = '${CANARY}/set', license = '${CANARY}'
      WHERE name = 'set-4';
    INSERT INTO snapshot_changes (kind, id) VALUES
      ('datasets', json_array('slots', '${CANARY}/set', printf('%064x', 4))),
      ('datasets', json_array('slots', 'set-4', printf('%064x', 4)))`);
  return [7, 8, 9, ...never].flatMap((i) => [`${first.id}-${i}`, `bench/copy-${i}`]);
}

/** Adds two runs, the second with the best score; changes a dataset; withholds runs and returns their ids and slugs. */
async function change(): Promise<string[]> {
  const { service, first } = large;
  copyRuns(service, first, RUNS + 1, RUNS + 2);
  const best = `${first.id}-${RUNS + 2}`;
  service.database.exec(`
    UPDATE runs SET metrics = json_set(metrics, '$."' || headline || '".value', 0.9999)
      WHERE id = '${best}';
    UPDATE datasets SET license = 'CC0-1.0' WHERE name = 'set-2';
    INSERT INTO snapshot_changes (kind, id) VALUES
      ('datasets', json_array('slots', 'set-2', printf('%064x', 2)))`);
  const withheld = await withhold();
  await large.publishAll();
  return withheld;
}

it("a build with cached pages writes the same files as a clean build, also after a killed build", async () => {
  await large.finishOneMore();
  const [read = 0, rendered = 0, kept = 0] = counts(await built(cache));
  // Two pages of the index, the run, and its board in two parts; there are no new posts.
  expect(read).toBeLessThan(10);
  // The reports of the board's first runs show their ranks, so they are rendered again.
  expect(kept).toBeGreaterThan(RUNS - COMPARED);
  expect(rendered).toBeLessThan(RUNS + COMPARED + 40);
  const withheld = await change();
  await crashed(cache);
  const again = await built(cache);
  const clean = await built(await withoutPages());
  expect(counts(again)[2]).toBeGreaterThan(0);
  expect(counts(clean)[2]).toBe(0);
  expect(differences(again.pages, clean.pages)).toEqual([]);
  // HTML, JSON, feeds, sitemap, search, cards and tables: neither names nor contents may show a withheld run.
  const kinds = new Set([...clean.pages.keys()].map((path) => path.split(".").at(-1)));
  expect([...kinds]).toEqual(expect.arrayContaining(["html", "json", "xml"]));
  const secret = new RegExp(`${CANARY}|(${withheld.join("|")})(?![0-9])`, "i");
  const shown = [...clean.pages].flatMap(([path, text]) => secret.exec(`${path} ${text}`) ?? []);
  expect(shown).toEqual([]);
  expect([...clean.pages.values()].some((text) => text.includes(`bench/copy-70`))).toBe(true);
  // Without the modules of the pages, the code is bundled again, and Astro renders the pages that are not cached.
  await dropSomePages();
  await rm(join(cache, basename(bundle), "server"), { recursive: true });
  const bundled = await built(cache, { out: join(cache, "other") });
  expect(bundled.said).toContain("kept");
  expect(differences(bundled.pages, clean.pages)).toEqual([]);
}, 1_800_000);

it("a site stays below its maximum number of files: models come first, then runs shown on boards", async () => {
  const most = 700;
  const { pages, files } = await built(await withoutPages(), { files: `${most}` });
  const pagesUnder = (folder: string) =>
    [...pages.keys()].filter((path) => path.startsWith(folder) && path.endsWith(".html"));
  expect(files).toBeLessThan(most);
  expect(pagesUnder("/models/").length).toBeGreaterThanOrEqual(RUNS);
  const runs = pagesUnder("/runs/").map((path) => path.split("/")[2]);
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.length).toBeLessThan(100);
  const board = pages.get("/leaderboards/slots/stock/index.html") ?? "";
  for (const run of runs) expect(board).toContain(`/runs/${run}/`);
});
