import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample } from "../../shared/suites/extraction/sample.ts";
import { scoreExtraction } from "../../shared/suites/extraction/score/score.ts";
import { type Draws, drawsFrom } from "../../simulator/draws.ts";
import { findModel } from "../../simulator/model-name.ts";
import { parseChat } from "../../simulator/parse-chat.ts";
import { extractionResponder } from "../../simulator/responders/extraction.ts";
import { aChat } from "../simulator/support/ask.ts";
import type { ExtractionRow } from "../simulator/support/rows.ts";
import { jsonLines } from "../support/json-lines.ts";

const rows = jsonLines<ExtractionRow & JsonObject>(
  readFileSync(join(root, "shared/suites/extraction/stock.jsonl"), "utf8"),
);

/**
 * EQS of a simulated model by stock sample, for `answers` answers each. Simulated runs draw from these
 * scores.
 */
export function simulatedScores(modelName: string, answers: number): number[][] {
  const model = findModel(modelName);
  if (!model.ok) throw new Error(`no simulated model ${modelName}`);
  const { id, rates } = model.value;
  const responder = extractionResponder(rows);
  return rows.map((row) => {
    const checked = checkSample(row);
    const request = parseChat(aChat(id, row));
    const claim = request.ok ? responder.claim(request.value) : null;
    if (!checked.ok || claim === null) throw new Error(`sample ${row["id"]} can't be asked`);
    return Array.from({ length: answers }, (_, seed) => {
      const draws = drawsFrom(modelName, seed, claim.key);
      const { content } = claim.answer({ rates: rates.none, draws, self: modelName });
      const answer = { ...emptyAnswer, output: content };
      return scoreExtraction(checked.value.sample, answer, defaultOptions).score ?? 0;
    });
  });
}

const EXPERIMENTS = 2_000;

/** Expects that each test finds a difference of equal models at 0.05 in 3.5 to 6.5% of experiments. */
export function expectLevel(name: string, pValues: (draws: Draws) => (number | null)[]): void {
  const found: number[] = [];
  for (let seed = 0; seed < EXPERIMENTS; seed++) {
    for (const [test, p] of pValues(drawsFrom(name, seed)).entries())
      found[test] = (found[test] ?? 0) + Number((p ?? 1) < 0.05);
  }
  for (const count of found) {
    expect(count / EXPERIMENTS).toBeGreaterThanOrEqual(0.035);
    expect(count / EXPERIMENTS).toBeLessThanOrEqual(0.065);
  }
}
