import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileNames } from "./fixtures/fixture-hostile.ts";
import { pageDocument } from "./support/page-document.ts";
import { usualSite } from "./support/shared-site.ts";

let dist: string;
let pages: string[];

beforeAll(async () => {
  ({ dist } = await usualSite());
  const files = await readdir(dist, { recursive: true });
  pages = files.filter((file) => file.endsWith(".html"));
});

const textOf = (file: string) => readFile(join(dist, file), "utf8");
const documentOf = async (file: string) => pageDocument(await textOf(file));

/** A script module from the site's own files, the only kind of script that the content security policy allows. */
const isOwnModule = (element: Element) =>
  element.tagName === "SCRIPT" &&
  element.textContent === "" &&
  element.getAttributeNames().sort().join() === "src,type" &&
  element.getAttribute("type") === "module" &&
  /^\/_astro\/[\w.@-]+\.js$/.test(element.getAttribute("src") ?? "");

/** Elements and attributes that could run, load or send something, and that the site never uses. */
function dangersIn(document: Document): string[] {
  const active =
    "script, iframe, object, embed, base, form[action], [formaction], style, meta[http-equiv], foreignObject";
  const elements = [...document.querySelectorAll(active)]
    .filter((element) => !isOwnModule(element))
    .map(({ tagName }) => tagName);
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes]
      .filter(({ name, value }) => {
        const isCode = name.startsWith("on") || name === "style";
        return isCode || (/^(href|src|xlink:href)$/.test(name) && !isKnownAddress(value));
      })
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  );
  return [...elements, ...attributes];
}

/** HTML with empty attribute values, in which a "<" is no markup. */
const withoutAttributes = (html: string) => html.replace(/="[^"]*"/g, '=""');

/** Hosts of the site's API, of licences, of links in our own texts, and of the fixture's models and datasets. */
const knownHosts = [
  "api.assay.example",
  "localhost:8787",
  "creativecommons.org",
  "www.apache.org",
  "www.standardwebhooks.com",
  "jsonata.org",
  "awslabs.github.io",
  "huggingface.co",
  "rrc.cvc.uab.es",
  "github.com",
  "models.example",
  "data.example",
  "evil.example",
];

const isKnownAddress = (value: string) =>
  /^(\/(?!\/)|[#?]|samples\/)/.test(value) ||
  (/^https?:\/\//.test(value) && knownHosts.includes(new URL(value).host));

describe("a site with hostile text in every text field", () => {
  it("has no page on which the text becomes markup", async () => {
    expect(pages.length).toBeGreaterThan(hostileNames.length * 2 + 20);
    const found: Record<string, string[]> = {};
    for (const file of pages) {
      const dangers = dangersIn(await documentOf(file));
      if (/<(script(?! type="" src=""><)|img src=x)/i.test(withoutAttributes(await textOf(file))))
        dangers.push("markup");
      if (dangers.length > 0) found[file] = dangers;
    }
    expect(found).toEqual({});
  });

  it("shows each name unchanged on the model's page, its report and its board", async () => {
    for (const [i, name] of hostileNames.entries()) {
      const shown = name.trim();
      const model = await documentOf(`models/mallory/m-${i}/index.html`);
      expect(model.querySelector("h1")?.textContent?.trim()).toBe(shown);
      expect((await documentOf(`runs/run-${i}/index.html`)).title).toContain(shown);
    }
    const board = await documentOf("leaderboards/extraction/hostile/index.html");
    const names = [...board.querySelectorAll("th.model a:not(.brief a, .by a)")].map(
      ({ textContent }) => textContent,
    );
    expect(names.sort()).toEqual([...hostileNames].sort());
  });

  it("has feeds that a strict XML parser accepts", async () => {
    const { DOMParser } = new JSDOM("").window;
    const feed = new DOMParser().parseFromString(await textOf("feed.xml"), "application/xml");
    expect(feed.documentElement.tagName).toBe("feed");
    const titles = [...feed.querySelectorAll("entry > title")].map((title) => title.textContent);
    for (const name of hostileNames) {
      expect(titles.some((title) => title?.startsWith(`${name}: EQS`))).toBe(true);
    }
    expect(await textOf("feed.xml")).not.toMatch(/<(script|img)/);
    const ofBoard = await textOf("feeds/extraction/hostile.xml");
    const parsed = new DOMParser().parseFromString(ofBoard, "application/xml");
    const some = [...parsed.querySelectorAll("entry > title")].map((title) => title.textContent);
    expect(some.length).toBeGreaterThanOrEqual(hostileNames.length);
    expect(titles).toEqual(expect.arrayContaining(some));
    const page = await documentOf("leaderboards/extraction/hostile/index.html");
    const links = [...page.querySelectorAll('link[type="application/atom+xml"]')];
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/feed.xml",
      "/feeds/extraction/hostile.xml",
    ]);
  });
});

it("pages link the feed and /security/", async () => {
  for (const file of ["index.html", "leaderboards/index.html", "security/index.html"]) {
    const document = await documentOf(file);
    const feed = document.querySelector('link[rel="alternate"][type="application/atom+xml"]');
    expect(feed?.getAttribute("href")).toBe("/feed.xml");
    expect(document.querySelector('footer a[href="/security/"]')).not.toBeNull();
  }
});

it("the built site's _headers file sets strict security headers for every page", async () => {
  const [everyPage = ""] = (await textOf("_headers")).split(/\n(?=\S)/);
  const lines = everyPage.split("\n").slice(1);
  const headers = Object.fromEntries(
    lines.filter(Boolean).map((line) => line.trim().split(": ", 2) as [string, string]),
  );
  expect(everyPage).toMatch(/^\/\*\n/);
  const policy = headers["Content-Security-Policy"]?.split("; ").map((part) => part.split(" "));
  const own = ["'self'"];
  const ownAndApi = ["'self'", "https://api.assay.example"];
  expect(Object.fromEntries(policy?.map(([name, ...sources]) => [name, sources]) ?? [])).toEqual({
    "default-src": ["'none'"],
    "script-src": own,
    "style-src": own,
    "connect-src": ownAndApi,
    "img-src": ownAndApi,
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
  expect(headers).toMatchObject({
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Frame-Options": "DENY",
  });
  expect(headers["Permissions-Policy"]).toContain("camera=()");
});
