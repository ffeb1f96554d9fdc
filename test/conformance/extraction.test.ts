import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample } from "../../shared/suites/extraction/sample.ts";
import { scoreExtraction } from "../../shared/suites/extraction/score/score.ts";
import { jsonLines } from "../support/json-lines.ts";
import { expectScored, type WorkedCase } from "./worked-cases.ts";

const cases = jsonLines<WorkedCase>(
  readFileSync(new URL("cases/extraction.jsonl", import.meta.url), "utf8"),
);

test.each(cases.map((one) => [one.sample.id, one] as const))(
  "scoreExtraction() scores %s",
  (_, one) => {
    const checked = checkSample(one.sample);
    if (!checked.ok) return expect.unreachable(checked.error);
    const answer = { ...emptyAnswer, output: one.output };
    expectScored(scoreExtraction(checked.value.sample, answer, defaultOptions).detail, one);
  },
);
