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

/** Pages that draw what the API answers. */
const drawnPages = [
  "/compare/",
  "/compare/?runs=run_0,run_1",
  "/run/?id=run_done",
  "/run/samples/?run=run_done",
  "/run/rate/",
  "/submit/",
  "/datasets/add/",
];

/** After a page's first drawing, as from a service on another continent. */
const API_DELAY_MS = 200;

const site = openSite();

/** How far each page moves that does, in windows of one width. */
async function moved(page: Page, paths: readonly string[], width: number) {
  const found: Record<string, number> = {};
  for (const path of paths) {
    const shift = await shiftOfOpening(page, `${site.origin}${path}`, width);
    if (shift > 0) found[path] = shift;
  }
  return found;
}

it.concurrent.each([390, 1280])(
  "nothing moves by itself while a page loads that asks the API, at %i px",
  async (width) => {
    const context = await site.browser.newContext();
    await stubApi(context, routes, API_DELAY_MS);
    expect(await moved(await context.newPage(), drawnPages, width)).toEqual({});
    await context.close();
  },
);

// The audit of all pages looks at wide windows.
it.concurrent("nothing moves by itself while any other page loads, at 390 px", async () => {
  const context = await site.browser.newContext();
  const page = await uncachedPage(context);
  const complaints = await complaintsOf(page, site.origin);
  expect(await moved(page, kindsOfPages, 390)).toEqual({});
  // None asks the API, whose delay it would need here.
  expect(complaints).toEqual([]);
  await context.close();
});
