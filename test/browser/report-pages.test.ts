import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { intervalText } from "../../shared/measures/report/figures/figure-text.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { openSite, shownText } from "./support/open-site.ts";

/** One report for each kind of content. */
const reports = [
  "run-large",
  "run-flaky",
  "run-slots-0",
  "run-tools-1",
  "run-half-judged",
  "sub-wide-0",
];

const mostHeight = 8_000;
const mostStops = 80;

const site = openSite();

async function openReport(run: string, more = ""): Promise<Page> {
  const page = await site.browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${site.origin}/runs/${run}/${more}`);
  return page;
}

/** How many times Tab moves the focus before it leaves the page. */
async function tabStops(page: Page): Promise<number> {
  for (let stops = 0; stops <= 3 * mostStops; stops++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement === document.body)) return stops;
  }
  return Number.POSITIVE_INFINITY;
}

it("a report keeps the colours of its keys in forced colours", async () => {
  const page = await openReport("run-large");
  await page.emulateMedia({ forcedColors: "active" });
  const colours = await page
    .locator(".swatch")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  await page.close();
  expect(new Set(colours).size).toBeGreaterThan(1);
});

describe.each(reports)("the report of %s, before anything is unfolded", (run) => {
  it("is short in pixels and in tab stops", async () => {
    const page = await openReport(run);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const stops = await tabStops(page);
    await page.close();
    expect(height).toBeLessThanOrEqual(mostHeight);
    expect(stops).toBeLessThanOrEqual(mostStops);
  });

  it("shows each interval once", async () => {
    const page = await openReport(run);
    const text = await shownText(page);
    await page.close();
    const { metrics, suite } = site.fixture.runs.find(({ id }) => id === run)!;
    // Tables may print a share in percent. Metrics with equal intervals can't be distinguished by text.
    const shown = (suiteById(suite)?.metrics ?? []).flatMap(({ id, format, unit }) => {
      const { interval = null } = metrics?.[id] ?? {};
      const formats = unit === "ratio" ? (["score", "percent"] as const) : [format];
      return interval === null
        ? []
        : formats.map((one) => [id, intervalText(interval, one).replaceAll(/\s/g, " ")] as const);
    });
    const byText = Map.groupBy(shown, ([, interval]) => interval);
    const repeated = [...byText]
      .map(([interval, same]) => ({
        metrics: same.map(([id]) => id),
        times: text.split(interval).length - 1,
      }))
      .filter(({ metrics: same, times }) => times > same.length);
    expect(shown.length).toBeGreaterThan(5);
    expect(repeated).toEqual([]);
  });
});

it("a report begins with its verdict, key figures and losses, and folds its method at the end", async () => {
  const page = await openReport("run-parser");
  const text = await shownText(page);
  expect(await shownText(page, ".verdict")).toMatch(
    /^Not significantly different from Extract Large\. Parser 7B: −0\.\d{3} EQS against Extract Large \(95% CI −/,
  );
  const figures = [
    /EQS 0\.\d{3} (Excellent|Good|Minimum|Below minimum) 95% interval 0\.\d{3}–\d\.\d{3}/,
    /Rank 2 of \d/,
    /\$\d[\d.]* (95% interval|no interval)/,
    /Samples 72 none failed/,
    /Signed (yes|no)/,
    /Finished \d+ \w+ \d{4}/,
  ];
  const strip = await shownText(page, ".strip");
  for (const figure of figures) expect(strip).toMatch(figure);
  expect(await shownText(page, ".losses")).toMatch(/^Loses points on: .+ \(\d+ fields\)/);
  const [compare] = await page.locator(".run-actions a").all();
  expect(await compare?.getAttribute("href")).toBe("/compare/?runs=run-parser%2Crun-large");
  expect(text.lastIndexOf("How it was run")).toBeGreaterThan(text.indexOf("Samples"));
  expect(text).not.toContain("Scoring version");
  await page.close();
});

it("a board begins with its verdict, and names the best, cheapest and fastest model", async () => {
  const page = await site.browser.newPage();
  await page.goto(`${site.origin}/leaderboards/extraction/stock/`);
  expect(await shownText(page, "h1 ~ .verdict")).toMatch(
    /^No model leads\. Extract Large and Parser 7B are not significantly different; .* About \d+ samples would tell Extract Large from Parser 7B in 80% of cases; 72 were compared\. Cheapest: Parser 7B, \$/,
  );
  const lines = await page.locator("#choosing + dl > div").all();
  const texts = await Promise.all(lines.map((line) => line.textContent()));
  expect(texts.map((text) => text?.replace(/\s+/g, " ").trim())).toEqual([
    expect.stringMatching(/^Best Extract Large .* EQS .* not significantly different: Parser 7B$/),
    expect.stringMatching(/^Cheapest Parser 7B self-reported \$/),
    expect.stringMatching(/^Fastest Sim Careful simulated model .* not all under the same load$/),
  ]);
  await page.close();
});

it("a link into a folded part opens it, with and without JavaScript", async () => {
  const first = await openReport("run-large", "#report-types");
  await first.locator("#report-types").waitFor();
  await first.getByRole("link", { name: "How it was run" }).click();
  await first.getByText("Scoring version").waitFor();
  await first.close();
  const page = await site.browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${site.origin}/runs/run-large/#method`);
  await page.getByText("Scoring version").waitFor();
  await page.getByText("Hardest fields").last().click();
  await page.getByText("Fields in at least three samples").last().waitFor();
  await page.close();
});

it("the table of contents stays visible and marks the current section", async () => {
  const page = await openReport("run-large");
  const current = page.locator(".page-contents a[aria-current]");
  expect(await current.textContent()).toBe("Summary");
  await page.locator("#report-performance").scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 900);
  await expect.poll(() => current.textContent()).toBe("Performance");
  expect(await page.locator(".page-contents").boundingBox()).toMatchObject({ y: 24 });
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await expect.poll(() => current.textContent()).toBe("How it was run");
  expect(await current.count()).toBe(1);
  await page.close();
});

it.each([
  "/guides/submitting/",
  "/docs/runs/",
  "/methodology/extraction/",
  "/methodology/statistics/",
])("the table of contents of %s links its sections and marks the current one", async (path) => {
  const page = await site.browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${site.origin}${path}`);
  const links = page.locator(".page-contents a");
  expect(await links.count()).toBeGreaterThan(2);
  await links.nth(2).click();
  await expect.poll(() => links.nth(2).getAttribute("aria-current")).toBe("true");
  await page.close();
});

it("levels are shown as pills, and letter grades only in their tooltips", async () => {
  const page = await openReport("run-large");
  const pill = page.getByRole("row", { name: /Exact match/ }).locator(".pill");
  expect(await pill.getAttribute("title")).toMatch(/^Letter grade [A-F]\+?$/);
  expect(await pill.textContent()).toMatch(/^(Excellent|Good|Minimum|Below minimum)/);
  expect(await pill.locator("..").textContent()).not.toContain(",");
  expect(await shownText(page)).not.toMatch(/\b(A\+|B\+)/);
  await page.close();
});
