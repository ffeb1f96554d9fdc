import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { replaceFiles } from "./replace-files.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-replace-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function aFolder(name: string, files: Record<string, string>): string {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return join(folder, name);
}

it("replaceFiles() brings what is new or differs and leaves what is gone to be removed", () => {
  const built = aFolder("built", {
    "index.html": "new",
    "same.css": "a",
    "runs/b/index.html": "b",
  });
  const served = aFolder("served", { "index.html": "old", "same.css": "a", "runs/a/i.html": "a" });
  const untouched = statSync(join(served, "same.css")).ino;
  expect(replaceFiles(built, served)).toEqual([join(served, "runs/a/i.html")]);
  expect(readFileSync(join(served, "index.html"), "utf8")).toBe("new");
  expect(readFileSync(join(served, "runs/b/index.html"), "utf8")).toBe("b");
  expect(statSync(join(served, "same.css")).ino).toBe(untouched);
  expect(existsSync(join(served, "runs/a/i.html"))).toBe(true);
});
