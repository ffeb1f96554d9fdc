import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { compareApi } from "./support/compare-api.ts";
import { complaintsOf } from "./support/complaints.ts";
import { kindsOfPages } from "./support/kinds-of-pages.ts";
import { openSite } from "./support/open-site.ts";
import { shiftOfOpening, uncachedPage } from "./support/page-look.ts";
import { runsApi } from "./support/runs-api.ts";
import { stubApi } from "./support/stub-api.ts";

const suite = suiteById("extraction")!;
const routes = [runsApi(suite).routes, compareApi(suite).routes];

/** Pages that draw the API's answers. */
const drawnPages = [
  "/compare/",
  "/compare/?runs=run_0,run_1",
  "/run/?id=run_done",
  "/run/samples/?run=run_done",
  "/run/rate/",
  "/submit/",
  "/datasets/add/",
];

/** Later than the first paint, as from a service on another continent. */
const API_DELAY_MS = 200;

const site = openSite();

/** The layout shift of each page that has one, in windows of one width. */
async function moved(page: Page, paths: readonly string[], width: number) {
  const found: Record<string, number> = {};
  for (const path of paths) {
    const shift = await shiftOfOpening(page, `${site.origin}${path}`, width);
    if (shift > 0) found[path] = shift;
  }
  return found;
}

it.concurrent.each([390, 1280])(
  "pages that call the API load without a layout shift at %i px",
  async (width) => {
    const context = await site.browser.newContext();
    await stubApi(context, routes, API_DELAY_MS);
    expect(await moved(await context.newPage(), drawnPages, width)).toEqual({});
    await context.close();
  },
);

// pages.test.ts audits all pages at 1280 px.
it.concurrent("all other pages load without a layout shift at 390 px", async () => {
  const context = await site.browser.newContext();
  const page = await uncachedPage(context);
  const complaints = await complaintsOf(page, site.origin);
  expect(await moved(page, kindsOfPages, 390)).toEqual({});
  // A page that calls the API belongs in drawnPages, which delays the answers.
  expect(complaints).toEqual([]);
  await context.close();
});
