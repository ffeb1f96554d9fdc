import { expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { layoutShift } from "./support/api-page.ts";
import { compareApi } from "./support/compare-api.ts";
import { kindsOfPages } from "./support/kinds-of-pages.ts";
import { openSite } from "./support/open-site.ts";
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

it.concurrent.each([390, 1280])(
  "nothing moves by itself while a page loads, at %i px",
  async (width) => {
    const context = await site.browser.newContext({ viewport: { width, height: 900 } });
    await stubApi(context, routes, API_DELAY_MS);
    const page = await context.newPage();
    const moved: Record<string, number> = {};
    for (const path of [...kindsOfPages, ...drawnPages]) {
      await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" });
      const shift = await layoutShift(page);
      if (shift > 0) moved[path] = shift;
    }
    await context.close();
    expect(moved).toEqual({});
  },
  900_000,
);
