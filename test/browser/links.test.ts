import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type PageTag, pageTags } from "./support/loaded-scripts.ts";
import { usualSite } from "./support/shared-site.ts";

/** Files by path; null for files that are not HTML. */
const files = new Map<string, { html: string; tags: PageTag[]; ids: Set<string> } | null>();

/** Only the fixture's hostile runs have judges in this suite, so its page has no section on judges. */
const hostileOnly = "/methodology/extraction/#judges-by-metric";

/** Whether the API serves the path. */
const isFromApi = (path: string): boolean => /^\/(v1|badge)\//.test(path);

beforeAll(async () => {
  const { dist } = await usualSite();
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(dist.length).replace(/index\.html$/, "");
    if (!file.endsWith(".html")) {
      files.set(path, null);
      continue;
    }
    const html = await readFile(file, "utf8");
    const tags = pageTags(html);
    const ids = new Set(tags.flatMap(({ attributes }) => attributes.get("id") ?? []));
    files.set(path, { html, tags, ids });
  }
});

/** Why a link is broken; null if it works or leaves the site. */
function flawOf(from: string, href: string): string | null {
  const url = new URL(href.replaceAll("&amp;", "&"), `https://site.example${from}`);
  const path = decodeURIComponent(url.pathname);
  if (url.origin !== "https://site.example" || isFromApi(path) || href === hostileOnly) return null;
  const page = files.get(path);
  if (page === undefined) return `${href}: there is no such page`;
  const anchor = decodeURIComponent(url.hash.slice(1));
  return anchor === "" || page?.ids.has(anchor) ? null : `${href}: the page has no such part`;
}

it("every internal link leads to an existing page and anchor", () => {
  const found: Record<string, string[]> = {};
  let links = 0;
  for (const [path, page] of files) {
    const hrefs = page?.tags.flatMap(({ name, attributes }) =>
      name === "a" ? (attributes.get("href") ?? []) : [],
    );
    links += hrefs?.length ?? 0;
    const flaws = new Set(hrefs?.flatMap((href) => flawOf(path, href) ?? []));
    if (flaws.size > 0) found[path] = [...flaws];
  }
  expect(links).toBeGreaterThan(1_000);
  expect(found).toEqual({});
});

it("llms.txt links the Markdown of every guide, suite and command, and has no broken links", async () => {
  const { dist } = await usualSite();
  const text = await readFile(join(dist, "llms.txt"), "utf8");
  expect(text).toMatch(/^# Assay\n\n> .+\n/);
  const hrefs = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, href = ""]) => href);
  expect(hrefs.flatMap((href) => flawOf("/llms.txt", href) ?? [])).toEqual([]);
  const texts = hrefs.filter((href) => href.endsWith(".md"));
  expect(texts).toEqual(
    expect.arrayContaining([
      "/guides/command-line.md",
      "/methodology/extraction.md",
      "/commands.md",
    ]),
  );
  for (const path of texts) {
    expect(await readFile(join(dist, path), "utf8"), path).toMatch(/^# \S[\s\S]{300}/);
  }
  const alternates = [...files.values()].flatMap((page) =>
    (page?.tags ?? []).flatMap(({ attributes }) =>
      attributes.get("type") === "text/markdown" ? (attributes.get("href") ?? []) : [],
    ),
  );
  expect(new Set(alternates)).toEqual(new Set(texts));
});

it("no page shows an object as text", () => {
  const found = [...files].filter(([, page]) => page?.html.includes("[object "));
  expect(found.map(([path]) => path)).toEqual([]);
});
