import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { leaveOutOf, MAX_PAGE_BYTES } from "./leave-out-large.ts";

const folder = await mkdtemp(join(tmpdir(), "assay-large-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function put(file: string, text: string) {
  await mkdir(join(folder, file, ".."), { recursive: true });
  await writeFile(join(folder, file), text);
}

it("leaveOutOf() replaces pages that are too large with a short note, and keeps all others", async () => {
  const large = "x".repeat(MAX_PAGE_BYTES + 1);
  await put("run/index.html", "<h1>A run</h1><script src=/viewer.js></script>");
  await put("404.html", "<title>Page not found</title><h1>None</h1>\n<p>…</p><footer></footer>");
  await put("runs/run_1/index.html", large);
  await put("runs/run_2/index.html", "small");
  await put("boards/b/index.html", large);
  await put("feed.xml", "x".repeat(25 * 1024 * 1024));
  await put("data.json", large);
  const left = await leaveOutOf(folder);
  expect(left.map(({ file }) => file).sort()).toEqual([
    "boards/b/index.html",
    "feed.xml",
    "runs/run_1/index.html",
  ]);
  const page = (file: string) => readFile(join(folder, file), "utf8");
  const viewer = await page("runs/run_1/index.html");
  expect(viewer).toContain("would have 5 MB");
  expect(viewer).toContain("/viewer.js");
  const board = await page("boards/b/index.html");
  expect(board).toMatch(/Page left out.*This page is left out.*<footer>/s);
  expect(await page("runs/run_2/index.html")).toBe("small");
  expect((await stat(join(folder, "data.json"))).size).toBe(large.length);
});
