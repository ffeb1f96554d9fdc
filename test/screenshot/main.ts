import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { openBrowser } from "../browser/support/browser.ts";

const usage = `npm run screenshot [-- options]

Takes the pictures of the README, light and dark, from a service that runs: start it with npm start first.

  --url URL    where it is (default http://localhost:8787)
  --path PATH  the page (default /leaderboards/extraction/stock/)
  --out DIR    where the pictures go (default docs)
  --help       show this`;

/** As wide as the page gets; the board is cut out of it, with a margin. */
const viewport = { width: 1200, height: 1600 };
const MARGIN = 8;

/** A README is read on phones, too. */
const MAX_BYTES = 100_000;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

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
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport, colorScheme });
      const response = await page.goto(new URL(values.path, values.url).href);
      if (!response?.ok()) throw new Error(`${values.path} is not there: ${response?.status()}`);
      const path = join(values.out, `board-${colorScheme}.webp`);
      const box = await page.locator("main table").first().boundingBox();
      if (box === null) throw new Error(`${values.path} has no board yet`);
      const top = box.y - MARGIN;
      const height = box.height + 2 * MARGIN;
      const session = await page.context().newCDPSession(page);
      // Playwright has no WebP, which is a third smaller.
      const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality: 85,
        captureBeyondViewport: true,
        clip: { x: 0, y: top, width: viewport.width, height, scale: 1 },
      });
      writeFileSync(path, data, "base64");
      const { size } = statSync(path);
      if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`);
      console.log(`${path}: ${Math.round(size / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}
