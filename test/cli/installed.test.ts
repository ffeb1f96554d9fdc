import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assayProcess } from "./support/assay.ts";
import { folderWith } from "./support/folder-with.ts";
import { answers, samples } from "./support/three-samples.ts";

const root = join(import.meta.dirname, "../..");
const folder = folderWith({ "samples.jsonl": samples, "answers.jsonl": answers });
const installed = join(folder.path, "node_modules", "assay");

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  for (const part of ["cli", "shared", "package.json"]) {
    cpSync(join(root, part), join(installed, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
});
afterAll(folder.dispose);

test("assay runs where it is installed, below node_modules", async () => {
  const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];
  const args = files.map((arg) => (arg.startsWith("--") ? arg : join(folder.path, arg)));
  const launcher = join(installed, "cli", "assay.mjs");
  const { code, stdout, stderr } = await assayProcess(
    ["score", "extraction", ...args],
    "",
    launcher,
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("EQS 0.917");
});
