import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeRepeated } from "./support/repeated-dataset.ts";

const root = join(import.meta.dirname, "../..");
const stock = join(root, "shared/suites/extraction/stock.jsonl");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

interface Figure {
  value: number | null;
  interval: [number, number] | null;
}

function printed(command: string, args: readonly string[]): Record<string, unknown> {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.skipIf(!hasPython)(
  "score.py and assay score compute the same results",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-plain-"));
    try {
      const { samples, answers } = writeRepeated(stock, 150, folder);
      const launcher = [join(root, "cli/assay.mjs"), "score", "extraction", "--json"];
      const ours = printed(process.execPath, [
        ...launcher,
        "--dataset",
        samples,
        "--answers",
        answers,
      ]);
      const script = join(import.meta.dirname, "plain-scorer/score.py");
      const theirs = printed("python3", [script, samples, answers, "--resamples", "1000"]);
      const [own, plain] = [ours, theirs].map((one) => one["metrics"] as Record<string, Figure>);
      expect(Object.keys(plain!).length).toBeGreaterThan(45);
      for (const [id, { value, interval }] of Object.entries(plain!)) {
        const figure = own![id]!;
        expect(figure.value, id).toBeCloseTo(value!, 9);
        // The script has fewer and different resamples, so the ends differ by a few percent of the width.
        const width = (figure.interval?.[1] ?? 0) - (figure.interval?.[0] ?? 0);
        if (interval === null || interval[0] === interval[1] || width === 0) continue;
        const apart = interval.map((end, k) => Math.abs(end - figure.interval![k]!) / width);
        expect(Math.max(...apart), id).toBeLessThan(0.15);
      }
      const breakdown = ours["breakdown"] as {
        categories: object;
        errorAnalysis: { patterns: Record<string, number>; hallucinations: object };
      };
      const { categories, errors } = theirs["tables"] as {
        categories: object;
        errors: { patterns: object; hallucinations: object };
      };
      const { patterns, hallucinations } = breakdown.errorAnalysis;
      expect(breakdown.categories).toMatchObject(categories);
      expect(patterns).toMatchObject(errors.patterns);
      expect(hallucinations).toMatchObject(errors.hallucinations);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
