import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { loadedScripts, type PageTag, pageTags } from "./support/loaded-scripts.ts";
import { budgetOf, overweight, pageKinds } from "./support/page-budgets.ts";
import { usualSite } from "./support/shared-site.ts";

const maxStyleBytes = 46_000;
const maxReportBytes = 100_000;

/** Elements whose resources the browser fetches by itself, and the attributes with their URLs. Only readers follow links. */
const fetchedBy: Readonly<Record<string, readonly string[]>> = {
  script: ["src"],
  img: ["src", "srcset"],
  source: ["src", "srcset"],
  iframe: ["src"],
  embed: ["src"],
  object: ["data"],
  video: ["src", "poster"],
  audio: ["src"],
  use: ["href"],
  image: ["href"],
  link: ["href"],
};

let dist: string;
let files: string[];
/** Each page's path, HTML and tags. */
let pages: { path: string; html: string; tags: PageTag[] }[];

/** Cached sizes by text, because pages share styles and scripts. */
const gzipped = new Map<string, number>();

/** Bytes of the gzipped texts. */
const sentBytes = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => {
    const bytes = gzipped.get(text) ?? gzipSync(text).length;
    gzipped.set(text, bytes);
    return sum + bytes;
  }, 0);

const textOf = (file: string) => readFile(join(dist, file), "utf8");
const stylesOf = () => Promise.all(files.filter((file) => file.endsWith(".css")).map(textOf));

beforeAll(async () => {
  ({ dist } = await usualSite());
  files = await readdir(dist, { recursive: true });
  const paths = files.filter((file) => file.endsWith(".html"));
  pages = await Promise.all(
    paths.map(async (path) => {
      const html = await textOf(path);
      return { path, html, tags: pageTags(html) };
    }),
  );
});

/** The flaws of all pages, by path. */
async function flawsBy(
  of: (page: (typeof pages)[number]) => string[] | Promise<string[]>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const page of pages) {
    const flaws = await of(page);
    if (flaws.length > 0) found[page.path] = flaws;
  }
  return found;
}

describe("the size of each page is within the budget of its kind", () => {
  it("tests a page of every kind", () => {
    const kinds = new Set(pages.map(({ path }) => budgetOf(path).kind));
    expect([...kinds].sort()).toEqual(pageKinds.toSorted());
  });

  it("for HTML", async () => {
    const found = await flawsBy(({ path, html }) =>
      overweight(path, Buffer.byteLength(html), sentBytes(html)),
    );
    expect(found).toEqual({});
  });

  it("for scripts and their imports", async () => {
    const found = await flawsBy(async ({ path, tags }) => {
      const scripts = await loadedScripts(dist, tags);
      const bytes = sentBytes(...scripts.map(({ text }) => text));
      const most = budgetOf(path).scriptsGzip;
      if (bytes <= most) return [];
      const names = scripts.map((script) => script.path).join(", ");
      return [`${bytes} bytes gzipped; the maximum is ${most}: ${names}`];
    });
    expect(found).toEqual({});
  });

  it("for a report with its styles and scripts, gzipped", async () => {
    const found = await flawsBy(async ({ path, html, tags }) => {
      if (budgetOf(path).kind !== "report") return [];
      const styles = tags.flatMap(({ name, attributes }) =>
        name === "link" && attributes.get("rel") === "stylesheet"
          ? (attributes.get("href") ?? [])
          : [],
      );
      const scripts = await loadedScripts(dist, tags);
      const bytes = sentBytes(
        html,
        ...(await Promise.all(styles.map((href) => textOf(href.slice(1))))),
        ...scripts.map(({ text }) => text),
      );
      return bytes > maxReportBytes
        ? [`${bytes} bytes gzipped; the maximum is ${maxReportBytes}`]
        : [];
    });
    expect(found).toEqual({});
  });

  it("for all styles of the site together", async () => {
    expect(Buffer.byteLength((await stylesOf()).join(""))).toBeLessThan(maxStyleBytes);
  });
});

describe("no page fetches from another origin", () => {
  it("with its tags", async () => {
    const found = await flawsBy(({ tags }) =>
      tags.flatMap(({ name, attributes }) => {
        const isLinked = name === "link" && /alternate|canonical/.test(attributes.get("rel") ?? "");
        const addresses = (isLinked ? [] : (fetchedBy[name] ?? [])).flatMap(
          (where) => attributes.get(where) ?? [],
        );
        return addresses.filter(
          (one) => !/^(\/(?!\/)|#|https:\/\/api\.assay\.example\/)/.test(one),
        );
      }),
    );
    expect(found).toEqual({});
  });

  it("with its styles", async () => {
    expect((await stylesOf()).join("")).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//);
  });
});

it("no page has inline scripts or styles, which the content security policy forbids", async () => {
  const found = await flawsBy(({ tags }) =>
    tags.flatMap(({ name, attributes }) => {
      const isOwn = name === "style" || (name === "script" && !attributes.has("src"));
      const forbidden = [...attributes.keys()].filter((one) => one === "style" || /^on/.test(one));
      return [...(isOwn ? [name] : []), ...forbidden.map((one) => `${name} ${one}`)];
    }),
  );
  expect(found).toEqual({});
});
