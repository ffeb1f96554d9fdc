import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { allFiles, productFiles } from "./product-files.ts";

const MOST_FILES = 1_583;
const MOST_LINES = 143_650;
const MOST_NAMES = 30;
const TINY_LINES = 30;
const MOST_TINY = 13;

const files = productFiles().filter((file) => existsSync(join(root, file)));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

it(`there are at most ${MOST_FILES} files of product code`, () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
});

it(`there are at most ${MOST_LINES} lines of product code, without blank lines and comments`, () => {
  const lines = files.reduce((sum, file) => sum + linesOfCode(textOf(file)), 0);
  expect(lines).toBeGreaterThan(50_000);
  expect(lines).toBeLessThanOrEqual(MOST_LINES);
});

/** Number of lines that are neither blank nor only a comment. */
function linesOfCode(text: string): number {
  let isComment = false;
  return text.split("\n").filter((given) => {
    const line = given.trim();
    const wasComment = isComment;
    if (!isComment && /^(\{?\/\*|<!--)/.test(line)) isComment = true;
    const isWithin = wasComment || isComment;
    if (isComment && /\*\/|-->/.test(line)) isComment = false;
    return !isWithin && line !== "" && !line.startsWith("//");
  }).length;
}

it(`no folder has more than ${MOST_NAMES} names`, () => {
  const names = new Map<string, Set<string>>();
  for (const file of allFiles().filter((one) => existsSync(join(root, one)))) {
    const parts = file.split("/");
    for (let i = 1; i < parts.length; i++) {
      const folder = parts.slice(0, i).join("/");
      names.set(folder, (names.get(folder) ?? new Set()).add(parts[i] ?? ""));
    }
  }
  // drizzle-kit numbers migrations in one folder, which cannot be split.
  const isMigrations = (folder: string) => /^migrations(\/meta)?$/.test(folder);
  const large = [...names].filter(
    ([folder, its]) => its.size > MOST_NAMES && !isMigrations(folder),
  );
  expect(large.map(([folder, its]) => `${folder}: ${its.size}`)).toEqual([]);
});

it(`at most ${MOST_TINY} files of ${TINY_LINES} lines or fewer have a single importer`, () => {
  const importers = new Map<string, number>();
  for (const file of files) {
    const named = [...textOf(file).matchAll(/(?:from |import\()\s*["']([^"']+)["']/g)];
    const targets = named.map(([, specifier = ""]) =>
      specifier.startsWith("#") ? specifier.slice(1) : normalize(join(dirname(file), specifier)),
    );
    for (const target of new Set(targets)) {
      importers.set(target, (importers.get(target) ?? 0) + 1);
    }
  }
  const tiny = files.filter(
    (file) => importers.get(file) === 1 && textOf(file).split("\n").length - 1 <= TINY_LINES,
  );
  expect(tiny.length, tiny.join("\n")).toBeLessThanOrEqual(MOST_TINY);
});
