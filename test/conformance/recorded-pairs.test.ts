import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { scoredRun } from "../../shared/suites/__fixtures__/scored-run.ts";
import { defaultOptions } from "../../shared/suites/pairs/options.ts";
import { checkSample } from "../../shared/suites/pairs/sample.ts";
import { pairs } from "../../shared/suites/pairs/suite.ts";
import { jsonLines } from "../support/json-lines.ts";

const folder = join(import.meta.dirname, "../../../shared/data/llmbar-natural");
const where = "skipped if ../shared/data/llmbar-natural is missing";
const isThere = existsSync(folder);

const read = (name: string) => (isThere ? readFileSync(join(folder, name), "utf8") : "");
const rows = <Row>(name: string): Row[] => jsonLines(read(name));

interface Recorded {
  id: string;
  judge: string;
  results: Record<string, { winner: "1" | "2" | null }>;
}

const samples = rows<JsonObject>("pairs.jsonl").map((row) => {
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
});
const recorded = rows<Recorded>("judgements.jsonl");
const published = isThere ? JSON.parse(read("published_statistics.json"))["Natural"] : {};

/** Parses the share in "94 / 100 = 94.0%". */
const shareIn = (text: string): number => Number.parseFloat(text.split("= ").at(-1) ?? "") / 100;

const byWinner: Readonly<Record<string, string>> = { 1: "A", 2: "B" };

describe.skipIf(!isThere)(`LLMBar, judged in both orders by GPT-4 (${where})`, () => {
  test.each(["GPT-4/CoT", "GPT-4/Rating"])(
    "%s has the published accuracy and consistency",
    (judge) => {
      const byId = new Map(recorded.flatMap((one) => (one.judge === judge ? [[one.id, one]] : [])));
      const answered = samples.map((sample) => {
        const { results } = byId.get(sample.id)!;
        const verdict = (order: string) => byWinner[results[order]?.winner ?? ""] ?? null;
        const output = { given: verdict("swap = False"), swapped: verdict("swap = True") };
        return [sample, { ...emptyAnswer, output: JSON.stringify(output) }] as const;
      });
      const { metrics } = scoredRun(pairs, answered, defaultOptions).summary;
      const wanted = published[judge];
      const value = (id: string) => metrics[id]?.value ?? Number.NaN;
      expect(value("accuracy")).toBeCloseTo(shareIn(wanted.correct_average), 12);
      expect(value("bothRight")).toBeCloseTo(shareIn(wanted.correct_both), 12);
      expect(value("consistency")).toBeCloseTo(shareIn(wanted.equal), 12);
      // Without ties, position decided every pair with different verdicts.
      const [first, second] = [value("firstTwice"), value("secondTwice")];
      expect(first + second).toBeCloseTo(1 - shareIn(wanted.equal), 12);
      expect(value("firstShare")).toBeCloseTo((1 + first - second) / 2, 12);
      const [low, high] = metrics["firstShare"]!.interval!;
      expect(low).toBeLessThan(value("firstShare"));
      expect(high).toBeGreaterThan(value("firstShare"));
    },
  );
});
