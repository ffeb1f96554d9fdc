import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build, digestOf, knowDigest, sourcesDigest, toRender } from "./render-cache.ts";

it("digestOf() is equal for equal data, and different for different data", () => {
  const long = "x".repeat(2_000);
  const some = [null, undefined, 1, "1", [1], [[1]], { a: 1 }, { b: 1 }, { a: { a: 1 } }, [long]];
  expect(new Set(some.map(digestOf)).size).toBe(some.length);
  const shared = { long };
  expect(digestOf([shared, { of: shared }])).toBe(digestOf([{ long }, { of: { long } }]));
  expect(digestOf([shared, shared])).not.toBe(digestOf([shared, { long: `${long}x` }]));
});

it("digestOf() uses the name of known data instead of its content", () => {
  const named = (name: string, value: object) => {
    knowDigest(value, name);
    return digestOf([value]);
  };
  expect(named("run/1", { a: 1 })).toBe(named("run/1", { a: 1 }));
  expect(named("run/1", { a: 1 })).not.toBe(named("run/2", { a: 1 }));
});

it("toRender() renders every page if the source digest is unknown", async () => {
  build.sources = null;
  const pages = [{ path: "/a/" }, { path: "/b/" }];
  expect(await toRender(pages, () => 1)).toEqual(pages);
  expect(build.rendered.size).toBe(0);
});

it("sourcesDigest() changes with every source that pages depend on", async () => {
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
