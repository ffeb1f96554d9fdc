import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { root } from "../../cli/local/root.ts";
import { openBrowser } from "../browser/support/browser.ts";

const usage = `npm run screenshot [-- options]

Takes the pictures of the README and the guides, light and dark, from a service that runs: start it with npm start first.

  --url URL    where it is (default http://localhost:8787)
  --path PATH  the board (default /leaderboards/extraction/stock/)
  --out DIR    where the pictures go (default docs)
  --help       show this`;

/** As wide as the page gets; parts are cut out of it, with a margin. */
const viewport = { width: 1200, height: 1600 };
const MARGIN = 8;

/** A README and guides are read on phones, too. */
const MAX_BYTES = 100_000;

/** A picture and what it shows. */
interface Shot {
  name: string;
  /** Opens its page. */
  open: (page: Page, url: URL) => Promise<void>;
  /** The part of the page. */
  part: (page: Page) => Promise<{ y: number; height: number } | null>;
}

/** A report's page is cut off here. */
const REPORT_HEIGHT = 820;

const shots: readonly Shot[] = [
  {
    name: "board",
    open: openPath,
    part: (page) => page.locator("main table").first().boundingBox(),
  },
  {
    name: "report",
    open: async (page, url) => {
      await openPath(page, url);
      const href = await page.locator("main table a[href^='/runs/']").first().getAttribute("href");
      await openPath(page, new URL(href ?? "", url));
    },
    part: async (page) => {
      const box = await page.locator("main h1").boundingBox();
      return box && { y: box.y, height: REPORT_HEIGHT };
    },
  },
];

async function openPath(page: Page, url: URL): Promise<void> {
  const response = await page.goto(url.href);
  if (!response?.ok()) throw new Error(`${url.pathname} is not there: ${response?.status()}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: "string", default: "http://localhost:8787" },
      path: { type: "string", default: "/leaderboards/extraction/stock/" },
      out: { type: "string", default: join(root, "docs") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  mkdirSync(values.out, { recursive: true });
  const browser = await openBrowser();
  try {
    for (const shot of shots) {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.newPage({ viewport, colorScheme });
        await shot.open(page, new URL(values.path, values.url));
        await take(page, shot, join(values.out, `${shot.name}-${colorScheme}.webp`));
        await page.close();
      }
    }
  } finally {
    await browser.close();
  }
}

/** Writes the picture of an open page. Throws if it is larger than a phone should load. */
async function take(page: Page, { name, part }: Shot, path: string): Promise<void> {
  const box = await part(page);
  if (box === null) throw new Error(`there is nothing to show as ${name} yet`);
  const session = await page.context().newCDPSession(page);
  // Playwright has no WebP, which is a third smaller.
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 85,
    captureBeyondViewport: true,
    clip: {
      x: 0,
      y: box.y - MARGIN,
      width: viewport.width,
      height: box.height + 2 * MARGIN,
      scale: 1,
    },
  });
  writeFileSync(path, data, "base64");
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`);
  console.log(`${path}: ${Math.round(size / 1000)} kB`);
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
