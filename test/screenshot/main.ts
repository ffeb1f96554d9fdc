import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { root } from "../../cli/local/root.ts";
import { openBrowser } from "../browser/support/browser.ts";

const usage = `npm run screenshot [-- options]

Takes the screenshots of the README and the guides, light and dark, from a running service: first run npm start.

  --url URL    address of the service (default http://localhost:8787)
  --path PATH  path of the board (default /leaderboards/extraction/stock/)
  --out DIR    output folder (default docs)
  --help       show this`;

/** As wide as the page; parts are cut out with a margin. */
const viewport = { width: 1200, height: 1600 };
const MARGIN = 8;

/** Maximum size of a picture, because people read the README and guides on phones. */
const MAX_BYTES = 100_000;

/** A picture of a part of a page. */
interface Shot {
  name: string;
  /** Opens the page. */
  open: (page: Page, url: URL) => Promise<void>;
  /** Position of the part in the page. */
  part: (page: Page) => Promise<{ y: number; height: number } | null>;
}

/** Height of the shown part of a report. */
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
  if (!response?.ok()) throw new Error(`${url.pathname} can't be read: ${response?.status()}`);
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
  if (box === null) throw new Error(`the page has no ${name}`);
  const session = await page.context().newCDPSession(page);
  // Playwright can't save WebP, which is a third smaller than PNG.
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
