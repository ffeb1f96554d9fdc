import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadReportPage } from "../../cli/report/load-page.ts";
import { runReport } from "../../shared/measures/report/run/run-report.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "./fixtures/fixture-runs.ts";
import { flawsByPath } from "./support/audit-page.ts";
import { openBrowser } from "./support/browser.ts";
import { serveDist } from "./support/serve-dist.ts";

const style = `
body { color: #111; background: #fff } .pale { color: #eee } .late, .figure { display: none }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #000 } .night { color: #222 } }
@media (min-width: 1000px) { .late { color: #eee } .late, .figure { display: block } }
@media (max-width: 500px) { .broad { width: 600px } }`;

/** Pages with at most one flaw each, and the findings expected from the audit. */
const flawed: readonly { body: string; flaws: RegExp[] }[] = [
  { body: "<p>All is well.</p>", flaws: [] },
  {
    body: `<p class="pale">Too pale.</p>`,
    flaws: [390, 1280].map((width) => new RegExp(`^light, ${width} px: color-contrast: .*pale`)),
  },
  { body: `<p class="pale">Too pale here, too.</p>`, flaws: [/^light, 390 px/, /^light, 1280 px/] },
  { body: `<p class="night">Too dark.</p>`, flaws: [/^dark, 390 px/, /^dark, 1280 px/] },
  { body: `<p class="late">Pale in wide windows.</p>`, flaws: [/^light, 1280 px: color-contrast/] },
  {
    body: `<p class="figure"><img src="/dot.svg"></p>`,
    flaws: [/^light, 1280 px: image-alt: <img/],
  },
  {
    body: `<p id="late">Late.</p><script>setTimeout(() => { late.style.marginTop = "9rem"; }, 300);</script>`,
    flaws: [/^moves by 0\.\d+ while it loads$/],
  },
  { body: `<p class="broad">Broad.</p>`, flaws: [/^\d+ px wider than a window of 390 px$/] },
  {
    body: `<img alt="" src="http://127.0.0.2:9/dot.svg">`,
    flaws: [/^foreign request http:\/\/127\.0\.0\.2:9\/dot\.svg$/, /net::ERR|Failed to load/],
  },
];

const pageOf = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
  <link rel="icon" href="/dot.svg"><link rel="stylesheet" href="/style.css"></head>
  <body><main><h1>A page</h1>${body}</main></body></html>`;

const suite = suiteById("extraction")!;
const run = aFinishedRun(suite, "r1", aModel("a/b", "B"), { quality: 0.9, lostRate: 0.1, seed: 3 });
const report = runReport(suite, run, []);

let dir: string;
let browser: Browser;
let site: Awaited<ReturnType<typeof serveDist>>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "assay-audit-"));
  await writeFile(join(dir, "_headers"), "");
  await writeFile(join(dir, "style.css"), style);
  await writeFile(join(dir, "dot.svg"), `<svg xmlns="http://www.w3.org/2000/svg"/>`);
  for (const [i, { body }] of flawed.entries()) {
    await mkdir(join(dir, `${i}`));
    await writeFile(join(dir, `${i}`, "index.html"), pageOf(body));
  }
  const draw = await loadReportPage();
  await mkdir(join(dir, "report"));
  await writeFile(join(dir, "report", "index.html"), draw(report, null));
  site = await serveDist(dir);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  site?.server.close();
  await rm(dir, { recursive: true, force: true });
});

it("flawsByPath() finds flaws that appear at one width, in one colour scheme or everywhere", async () => {
  const paths = flawed.map((_, i) => `/${i}/`);
  const found = await flawsByPath(browser, site.origin, paths, 390, 1280);
  const wanted = flawed.flatMap(({ flaws }, i) =>
    flaws.length === 0 ? [] : [[`/${i}/`, flaws.map((flaw) => expect.stringMatching(flaw))]],
  );
  expect(found).toEqual(Object.fromEntries(wanted));
});

it("a self-contained report has no flaws and makes no request", async () => {
  expect(await flawsByPath(browser, site.origin, ["/report/"], 390, 1280)).toEqual({});
});
