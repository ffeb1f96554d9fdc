import { expect } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { qualityMetricIds } from "../../shared/suites/quality/metrics.ts";
import { defaultOptions } from "../../shared/suites/quality/options.ts";
import { checkSample } from "../../shared/suites/quality/sample.ts";
import { sampleValues, scoreQuality } from "../../shared/suites/quality/score/score.ts";
import { jsonLines } from "../support/json-lines.ts";

/** A worked case: a prompt, a response and its expected scores. */
interface QualityCase {
  prompt: string;
  response: string;
  scores: Record<string, number>;
}

/** Largest accepted difference of a number. */
const TOLERANCE = 1e-9;

/** Checks every worked case in JSONL text and returns the number of cases. */
export function expectQuality(jsonl: string): number {
  const cases: QualityCase[] = jsonLines(jsonl);
  for (const [i, { prompt, response, scores }] of cases.entries()) {
    const checked = checkSample({ id: `row-${i + 1}`, prompt });
    if (!checked.ok) return expect.unreachable(checked.error);
    const answer = { ...emptyAnswer, output: response };
    const found = sampleValues(scoreQuality(checked.value.sample, answer, defaultOptions));
    expect(Object.keys(scores).sort()).toEqual([...qualityMetricIds].sort());
    for (const id of qualityMetricIds) {
      const off = Math.abs(found[id] - scores[id]!);
      expect(off, `row ${i + 1}, ${id}`).toBeLessThanOrEqual(TOLERANCE);
    }
  }
  return cases.length;
}
