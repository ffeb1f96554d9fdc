import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { loadedScripts, type PageTag, pageTags } from "./support/loaded-scripts.ts";
import { budgetOf, overweight, pageKinds } from "./support/page-budgets.ts";
import { usualSite } from "./support/shared-site.ts";

const maxStyleBytes = 46_000;
const maxReportBytes = 100_000;

/** What the browser fetches for a page by itself, and where its address stands; links are followed by readers alone. */
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
/** Pages by path, as they are and by their tags. */
let pages: { path: string; html: string; tags: PageTag[] }[];

/** Sizes by text: pages share their styles and scripts. */
const gzipped = new Map<string, number>();

/** Bytes of texts as they are sent. */
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

/** What is wrong with pages, by path. */
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

describe("no page weighs more than its kind may", () => {
  it("has a page of every kind", () => {
    const kinds = new Set(pages.map(({ path }) => budgetOf(path).kind));
    expect([...kinds].sort()).toEqual(pageKinds.toSorted());
  });

  it("in HTML", async () => {
    const found = await flawsBy(({ path, html }) =>
      overweight(path, Buffer.byteLength(html), sentBytes(html)),
    );
    expect(found).toEqual({});
  });

  it("in scripts, with all that they import", async () => {
    const found = await flawsBy(async ({ path, tags }) => {
      const scripts = await loadedScripts(dist, tags);
      const bytes = sentBytes(...scripts.map(({ text }) => text));
      const most = budgetOf(path).scriptsGzip;
      if (bytes <= most) return [];
      const names = scripts.map((script) => script.path).join(", ");
      return [`${bytes} bytes gzipped; ${most} are the most: ${names}`];
    });
    expect(found).toEqual({});
  });

  it("as a whole: a report with its styles and scripts, as they are sent", async () => {
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
        ? [`${bytes} bytes gzipped; ${maxReportBytes} are the most`]
        : [];
    });
    expect(found).toEqual({});
  });

  it("in styles, all of the site's together", async () => {
    expect(Buffer.byteLength((await stylesOf()).join(""))).toBeLessThan(maxStyleBytes);
  });
});

describe("no page fetches anything from elsewhere", () => {
  it("by its tags", async () => {
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

  it("by its styles", async () => {
    expect((await stylesOf()).join("")).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//);
  });
});

it("no page holds a script or a style of its own, which the content security policy forbids", async () => {
  const found = await flawsBy(({ tags }) =>
    tags.flatMap(({ name, attributes }) => {
      const isOwn = name === "style" || (name === "script" && !attributes.has("src"));
      const forbidden = [...attributes.keys()].filter((one) => one === "style" || /^on/.test(one));
      return [...(isOwn ? [name] : []), ...forbidden.map((one) => `${name} ${one}`)];
    }),
  );
  expect(found).toEqual({});
});
