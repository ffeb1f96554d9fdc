import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { writeManySamples } from "../../bench/support/many-samples.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";

const folder = folderWith({ "few.jsonl": samples, "few-answers.jsonl": answers });
afterAll(folder.dispose);

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");
const path = (name: string) => join(folder.path, name);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(10);
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "assay score keeps the existing file on %s and leaves no partial file",
  async (signal) => {
    const files = writeManySamples(folder.path, 100_000);
    writeFileSync(path("scores.jsonl"), "before\n");
    const args = ["--dataset", files.samples, "--answers", files.answers];
    const child = spawn(process.execPath, [
      launcher,
      "score",
      "extraction",
      "--samples",
      path("scores.jsonl"),
      ...args,
    ]);
    const ended = new Promise((resolve) => {
      child.on("close", (_code, by) => resolve(by));
    });
    await until(() => existsSync(path("scores.jsonl.part")));
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(existsSync(path("scores.jsonl.part"))).toBe(false);
    expect(readFileSync(path("scores.jsonl"), "utf8")).toBe("before\n");
  },
  60_000,
);

test("assay score replaces the partial file of a killed process", async () => {
  writeFileSync(
    path("few-scores.jsonl.part"),
    "left behind, and longer than a line\n".repeat(1000),
  );
  const args = ["--dataset", "few.jsonl", "--answers", "few-answers.jsonl"];
  const outcome = await assay(folder.path, [
    "score",
    "extraction",
    ...args,
    "--samples",
    "few-scores.jsonl",
  ]);
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(path("few-scores.jsonl"), "utf8").match(/\n/g)).toHaveLength(3);
  expect(existsSync(path("few-scores.jsonl.part"))).toBe(false);
});
