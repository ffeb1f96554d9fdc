import type { Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { Fixture } from "../fixtures/fixture.ts";
import { openBrowser } from "./browser.ts";
import { serveDist } from "./serve-dist.ts";
import { usualSite } from "./shared-site.ts";

/** A served site, its fixture and a browser. The fields are set when the first test of the file starts. */
export interface OpenSite {
  dist: string;
  fixture: Fixture;
  origin: string;
  server: Server;
  browser: Browser;
  /** A page without JavaScript, opened on first use. */
  plain?: Promise<Page>;
}

/** Opens a site for all tests of a file; by default the one with every kind of run and board. */
export function openSite(built = usualSite): OpenSite {
  const open = {} as OpenSite;
  beforeAll(async () => {
    Object.assign(open, await built());
    Object.assign(open, await serveDist(open.dist));
    // Scripts of a page run too briefly to repay optimized compilation.
    open.browser = await openBrowser(["--js-flags=--no-opt --no-maglev"]);
  });
  afterAll(async () => {
    await open.browser?.close();
    open.server?.close();
  });
  return open;
}

/** The visible text of the first match, with single spaces; units follow a narrow no-break space. */
export async function shownText(page: Page, selector = "main"): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no text to a reader
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, " ").trim();
}

/** The visible text of a page's main element without JavaScript. */
export async function textWithoutScript(site: OpenSite, path: string): Promise<string> {
  site.plain ??= site.browser.newPage({ javaScriptEnabled: false });
  const page = await site.plain;
  await page.goto(`${site.origin}${path}`);
  return shownText(page);
}
