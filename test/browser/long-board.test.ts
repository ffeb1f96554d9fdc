import { readdir, readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Leaderboard } from "../../shared/contracts/boards/leaderboard.ts";
import { openBrowser } from "./support/browser.ts";
import { overweight } from "./support/page-budgets.ts";
import { pageDocument } from "./support/page-document.ts";
import { serveDist } from "./support/serve-dist.ts";
import { longSite } from "./support/shared-site.ts";

const MODELS = 1_000;

let board: Leaderboard;
let dist: string;
let server: Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  ({ dist, board } = await longSite(MODELS));
  ({ origin, server } = await serveDist(dist));
  browser = await openBrowser();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

const boardPath = () => `/leaderboards/${board.suite}/${board.dataset.name}/`;

const opened = async (query = "", more = {}): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...more });
  await page.goto(`${origin}${boardPath()}${query}`);
  return page;
};

const rows = (page: Page) => page.locator("[data-board] tbody tr:not(.spacer)");
const names = (page: Page) => page.locator("[data-board] tbody th > a").allInnerTexts();

it("a board of 1,000 models is complete without JavaScript, in pages within the budget for boards", async () => {
  const html = (path: string) => readFile(join(dist, path, "index.html"), "utf8");
  const first = pageDocument(await html(boardPath()));
  const paths = [...first.querySelectorAll("[data-table-pages] a")].map(
    (link) => link.getAttribute("href") ?? "",
  );
  expect(paths).toHaveLength(MODELS / 100);
  const found: string[] = [];
  for (const path of paths) {
    const text = await html(path);
    expect(overweight(path.slice(1), Buffer.byteLength(text), 0)).toEqual([]);
    const document = pageDocument(text);
    found.push(
      ...[...document.querySelectorAll(".board tbody th > a")].map((a) => a.textContent ?? ""),
    );
  }
  expect(found).toEqual(board.entries.map(({ model }) => model.name));
});

it("the script shows all models in one table and keeps at most 100 rows in the document", async () => {
  const page = await opened();
  const seen = new Set(await names(page));
  expect(seen.size).toBe(100);
  await page.locator("[data-table-pages]").scrollIntoViewIfNeeded();
  await page.locator("[data-table-pages]").waitFor({ state: "hidden" });
  await page.evaluate("scrollTo(0, 0)");
  for (let y = 0; y < 100_000 && seen.size < MODELS; y += 1_800) {
    await page.evaluate((to) => scrollTo(0, to), y);
    // Rows are drawn before the next frame.
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))));
    for (const name of await names(page)) seen.add(name);
    expect(await rows(page).count()).toBeLessThanOrEqual(100);
  }
  expect(seen.size).toBe(MODELS);
  expect(await page.locator("[data-table-pages]").isVisible()).toBe(false);
  expect(await page.locator("[data-board] table").getAttribute("aria-rowcount")).toBe("1002");
  await page.close();
});

it("sorts and searches the models of all pages", async () => {
  const page = await opened("?sort=latencyP95&order=ascending");
  const byLatency = board.entries.toSorted(
    (a, b) => (a.metrics["latencyP95"]?.value ?? 0) - (b.metrics["latencyP95"]?.value ?? 0),
  );
  const status = page.getByRole("status");
  await expect.poll(() => status.textContent()).toMatch(/^1,000 models, by Latency p95/);
  expect((await names(page)).slice(0, 20)).toEqual(
    byLatency.slice(0, 20).map(({ model }) => model.name),
  );
  await page.getByLabel("Search models").fill("model-977");
  expect(await names(page)).toEqual(["Model 977"]);
  expect(await status.textContent()).toMatch(/^1 of 1,000 models/);
  await page.close();
});

it("reports when the other pages can't be read, and keeps their links", async () => {
  const page = await opened();
  await page.route("**/boards/**", (route) => route.abort());
  await page.locator("[data-key=latencyP95] button").click();
  await expect.poll(() => page.getByRole("status").textContent()).toContain("can't be read");
  expect(await page.locator("[data-table-pages]").isVisible()).toBe(true);
  await page.close();
});

it("has pictures for only its first ten models, to limit the number of files", async () => {
  const cards = await readdir(join(dist, "boards", "cards"), { recursive: true });
  const count = (kind: string) => cards.filter((file) => file.startsWith(`${kind}/`)).length;
  expect(cards.filter((file) => file.startsWith("models") && file.endsWith(".png"))).toHaveLength(
    10,
  );
  expect(count("boards")).toBe(1);
});
