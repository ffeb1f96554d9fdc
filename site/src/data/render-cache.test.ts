import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build, digestOf, knowDigest, sourcesDigest, toRender } from "./render-cache.ts";

it("digestOf() is the same for the same data, and another for any other", () => {
  const long = "x".repeat(2_000);
  const some = [null, undefined, 1, "1", [1], [[1]], { a: 1 }, { b: 1 }, { a: { a: 1 } }, [long]];
  expect(new Set(some.map(digestOf)).size).toBe(some.length);
  const shared = { long };
  expect(digestOf([shared, { of: shared }])).toBe(digestOf([{ long }, { of: { long } }]));
  expect(digestOf([shared, shared])).not.toBe(digestOf([shared, { long: `${long}x` }]));
});

it("digestOf() takes the name of known data for their content", () => {
  const named = (name: string, value: object) => {
    knowDigest(value, name);
    return digestOf([value]);
  };
  expect(named("run/1", { a: 1 })).toBe(named("run/1", { a: 1 }));
  expect(named("run/1", { a: 1 })).not.toBe(named("run/2", { a: 1 }));
});

it("toRender() renders all where no code is known to keep pages for", async () => {
  build.sources = null;
  const pages = [{ path: "/a/" }, { path: "/b/" }];
  expect(await toRender(pages, () => 1)).toEqual(pages);
  expect(build.rendered.size).toBe(0);
});

it("sourcesDigest() is another after any change of what pages are made of", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-sources-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["site/src/layouts", "site/public", "shared", "docs", "examples", "cli"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  const files = [
    "CHANGELOG.md",
    "SECURITY.md",
    "package.json",
    "package-lock.json",
    "site/build.mjs",
    "site/build.ts",
    "site/astro.config.ts",
  ];
  for (const file of files) await writeFile(join(root, file), "");
  const seen = [await sourcesDigest(root)];
  for (const file of [...files, "site/src/layouts/Page.astro", "shared/a.ts", "docs/a.md"]) {
    await writeFile(join(root, file), "changed");
    seen.push(await sourcesDigest(root));
  }
  expect(new Set(seen).size).toBe(seen.length);
  await writeFile(join(root, "cli", "a.ts"), "changed");
  expect(await sourcesDigest(root)).toBe(seen.at(-1));
});
