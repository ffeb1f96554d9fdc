import type { Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { Fixture } from "../fixtures/fixture.ts";
import { openBrowser } from "./browser.ts";
import { serveDist } from "./serve-dist.ts";
import { usualSite } from "./shared-site.ts";

/** A built site that is served, what it was built from, and a browser; there from the first test of a file on. */
export interface OpenSite {
  dist: string;
  fixture: Fixture;
  origin: string;
  server: Server;
  browser: Browser;
  /** A page that runs no script, opened when the first test wants one. */
  plain?: Promise<Page>;
}

/** Opens a site for all tests of a file; default: that of every kind of run and board. */
export function openSite(built = usualSite): OpenSite {
  const open = {} as OpenSite;
  beforeAll(async () => {
    Object.assign(open, await built());
    Object.assign(open, await serveDist(open.dist));
    // Scripts of a page run too briefly for what compiling them well takes.
    open.browser = await openBrowser(["--js-flags=--no-opt --no-maglev"]);
  });
  afterAll(async () => {
    await open.browser?.close();
    open.server?.close();
  });
  return open;
}

/** What a reader sees of a page's first such part, with one kind of space: units stand behind narrow ones. */
export async function shownText(page: Page, selector = "main"): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no text to a reader
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, " ").trim();
}

/** What a reader whose browser runs no script sees of a page's main part. */
export async function textWithoutScript(site: OpenSite, path: string): Promise<string> {
  site.plain ??= site.browser.newPage({ javaScriptEnabled: false });
  const page = await site.plain;
  await page.goto(`${site.origin}${path}`);
  return shownText(page);
}
