import type { BrowserContext, Page } from "playwright-core";
import { afterEach } from "vitest";
import { complaintsOf } from "./complaints.ts";
import type { OpenSite } from "./open-site.ts";
import { type Asked, apiOrigin, type StubRoutes, stubApi } from "./stub-api.ts";

/** A page whose API is a stub. */
export interface ApiPage {
  page: Page;
  asked: Asked[];
  /** The browser's complaints (see `complaintsOf`), including requests to hosts other than the site and its API. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens pages of the site with `open` for the tests of a file, one at a time; closes each after its test. */
export function apiPages(site: OpenSite, open = openApiPage) {
  let last: ApiPage | undefined;
  const close = async () => {
    await last?.close();
    last = undefined;
  };
  afterEach(close);
  return async (path: string, ...routes: readonly StubRoutes[]): Promise<ApiPage> => {
    await close();
    last = await open(site, path, ...routes);
    return last;
  };
}

/** Opens a page of the site whose API answers with the first matching route. */
export const openApiPage = (
  site: OpenSite,
  path: string,
  ...routes: readonly StubRoutes[]
): Promise<ApiPage> => openedPage(site, site.origin, path, routes);

/** Opens a page at the API's own origin, where pages use the session of a signed-in browser. */
export const openOwnPage = (
  site: OpenSite,
  path: string,
  ...routes: readonly StubRoutes[]
): Promise<ApiPage> =>
  openedPage(site, apiOrigin, path, routes, async (context) => {
    const mark = { name: "__Host-assay-signed-in", value: "1", secure: true };
    await context.addCookies([{ ...mark, url: `${apiOrigin}/` }]);
    await context.route(`${apiOrigin}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      if (pathname.startsWith("/v1/")) return route.fallback();
      const reply = await fetch(`${site.origin}${pathname}${search}`);
      const headers = Object.fromEntries(reply.headers);
      await route.fulfill({ headers, body: Buffer.from(await reply.arrayBuffer()) });
    });
  });

async function openedPage(
  { browser, origin }: OpenSite,
  at: string,
  path: string,
  routes: readonly StubRoutes[],
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<ApiPage> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
  });
  const asked = await stubApi(context, routes);
  await prepare(context);
  const page = await context.newPage();
  const complaints = await complaintsOf(page, `${origin}/`, `${apiOrigin}/`, "blob:");
  await page.goto(`${at}${path}`);
  return { page, asked, complaints, close: () => context.close() };
}
