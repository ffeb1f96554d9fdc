import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSite } from "./support/open-site.ts";
import { pageDocument } from "./support/page-document.ts";

const site = openSite();

/** Reads the Open Graph and other metadata of a page. */
async function metaOf(path: string): Promise<(name: string) => string> {
  const html = await readFile(join(site.dist, path, "index.html"), "utf8");
  const document = pageDocument(html);
  return (name) =>
    document
      .querySelector(`meta[property="${name}"], meta[name="${name}"]`)
      ?.getAttribute("content") ?? "";
}

/** Width and height of a PNG, px. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

const cardAt = (url: string): Promise<Buffer> =>
  readFile(join(site.dist, decodeURIComponent(new URL(url).pathname)));

it.each([
  [
    "/leaderboards/extraction/stock/",
    "boards/stock-main",
    /First: .+, EQS 0\.\d{3} \(95% interval 0\./,
  ],
  ["/runs/run-large/", "runs/run-large", /^EQS 0\.\d{3} \(95% interval 0\./],
  ["/models/acme/extract-large/", "models/acme/extract-large", /EQS 0\.\d{3} \(95% interval 0\./],
  [
    "/compare/extraction/stock/",
    "compare/stock-main",
    /: EQS 0\.\d{3} \(95% interval 0\..+: EQS 0\./,
  ],
])("%s has metadata with its score and a preview image", async (path, card, words) => {
  const meta = await metaOf(path);
  expect(meta("og:image")).toMatch(new RegExp(`^https://.+/boards/cards/${card}\\.png$`));
  expect(meta("og:title")).toMatch(/EQS 0\.\d{3}\b/);
  expect(meta("og:description")).toMatch(words);
  expect(meta("description")).toBe(meta("og:description"));
  expect(meta("twitter:card")).toBe("summary_large_image");
  const png = await cardAt(meta("og:image"));
  expect(sizeOf(png)).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(40_000);
});

it("every page names an existing preview image, also for models with hostile names", async () => {
  const files = await readdir(site.dist, { recursive: true });
  const pages = files.filter(
    (file) => file.endsWith("index.html") && !file.startsWith("boards/embed/"),
  );
  const images = new Set<string>();
  for (const file of pages) {
    const html = await readFile(join(site.dist, file), "utf8");
    const url = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1];
    images.add(url ?? `none in ${file}`);
  }
  expect(images.size).toBeGreaterThan(10);
  for (const url of images) expect(sizeOf(await cardAt(url))).toEqual([1200, 630]);
});

it("an embedded board is below 10 kB with its styles and has no script", async () => {
  const html = await readFile(join(site.dist, "boards/embed/extraction/stock/index.html"), "utf8");
  const styles = [...html.matchAll(/href="(\/_astro\/[^"]+\.css)"/g)].map(([, path]) => path ?? "");
  const texts = await Promise.all(styles.map((path) => readFile(join(site.dist, path), "utf8")));
  expect(html.length + texts.join("").length).toBeLessThan(10_000);
  expect(styles.length).toBeGreaterThan(0);
  expect(html).not.toContain("<script");
});

it("other sites can frame an embedded board but no other page", async () => {
  const page = await site.browser.newPage();
  const frames = ["boards/embed/extraction/stock/", "leaderboards/extraction/stock/"].map(
    (path) => `<iframe src="${site.origin}/${path}" width="600" height="480"></iframe>`,
  );
  await page.route("http://other.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: frames.join("") }),
  );
  await page.goto("http://other.example/");
  const [embedded, refused] = page.frames().slice(1);
  expect(await embedded?.locator("tbody tr").count()).toBe(4);
  expect(await refused?.locator("tbody tr").count()).toBe(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const ground = await embedded?.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(253, 252, 250)" : "rgb(21, 23, 27)");
  }
  await page.close();
});

it("the search finds words of guides, metrics and models", async () => {
  const page = await site.browser.newPage();
  await page.goto(`${site.origin}/search/?q=coverage`);
  const links = page.locator("[data-found] a");
  await links.first().waitFor();
  expect(await links.first().getAttribute("href")).toMatch(/coverage|concepts/);
  for (const [words, href] of [
    ["extract large", "/models/acme/extract-large/"],
    ["hallucination rate", "/methodology/extraction/#metric-hallucinationRate"],
    ["first model five minutes", "/guides/first-evaluation/"],
  ] as const) {
    await page.getByRole("searchbox").fill(words);
    await page.waitForFunction(
      (to) =>
        [...document.querySelectorAll("[data-found] a")].some((a) => a.getAttribute("href") === to),
      href,
    );
  }
  expect(new URL(page.url()).searchParams.get("q")).toBe("first model five minutes");
  await page.close();
});
