import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { closeOutput, filesIn, type Output, openOutput } from "./output.ts";

let folder: string;
let dir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-output-"));
  dir = join(folder, "dist");
});

afterEach(() => rmSync(folder, { recursive: true }));

function write({ stage }: Output, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(stage, file)), { recursive: true });
    writeFileSync(join(stage, file), text);
  }
}

const first = { "a/index.html": "a", "b/index.html": "b", "feed.xml": "old" };

function builtOnce(): void {
  const output = openOutput(dir, "code", true);
  write(output, first);
  closeOutput(output, [
    ["a/index.html", "name of a"],
    ["b/index.html", "name of b"],
    ["feed.xml", ""],
  ]);
}

it("closeOutput() writes changed files, removes obsolete ones, and keeps the rest", () => {
  builtOnce();
  const output = openOutput(dir, "code", false);
  expect(output.before?.get("a/index.html")).toBe("name of a");
  write(output, { "feed.xml": "new", "c/index.html": "c" });
  closeOutput(output, [
    ["a/index.html", "name of a"],
    ["feed.xml", ""],
    ["c/index.html", ""],
  ]);
  expect(filesIn(folder).sort()).toEqual([
    "dist.built.json",
    "dist/a/index.html",
    "dist/c/index.html",
    "dist/feed.xml",
  ]);
  expect(readFileSync(join(dir, "feed.xml"), "utf8")).toBe("new");
});

it("openOutput() reuses no pages after a code change, a killed build, or a move of the folder", () => {
  builtOnce();
  expect(openOutput(dir, "other code", false).before).toBe(null);
  builtOnce();
  openOutput(dir, "code", false);
  expect(openOutput(dir, "code", false).before).toBe(null);
  builtOnce();
  renameSync(dir, join(folder, "moved"));
  mkdirSync(dir);
  expect(openOutput(dir, "code", false).before).toBe(null);
});

it("a killed build leaves the previous site unchanged", () => {
  builtOnce();
  write(openOutput(dir, "code", false), { "feed.xml": "new", "a/index.html": "new" });
  const site = filesIn(dir).map((file) => [file, readFileSync(join(dir, file), "utf8")]);
  expect(Object.fromEntries(site)).toEqual(first);
});
