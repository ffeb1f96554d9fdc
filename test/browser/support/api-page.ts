import type { BrowserContext, Page } from "playwright-core";
import { afterEach } from "vitest";
import { complaintsOf } from "./complaints.ts";
import type { OpenSite } from "./open-site.ts";
import { type Asked, apiOrigin, type StubRoutes, stubApi } from "./stub-api.ts";

/** A page that asks an API which a test plays. */
export interface ApiPage {
  page: Page;
  asked: Asked[];
  /** What the browser complains of (see `complaintsOf`), requests to anyone but the site and its API among it. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens pages of the site for the tests of a file; each is closed when another is opened, and after its test. `open`: how. */
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

/** Opens a page of the site whose API answers as `routes` say, the first that fit first. */
export const openApiPage = (
  site: OpenSite,
  path: string,
  ...routes: readonly StubRoutes[]
): Promise<ApiPage> => openedPage(site, site.origin, path, routes);

/** The same at the API's own origin, where pages act by the session of a signed-in browser. */
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
