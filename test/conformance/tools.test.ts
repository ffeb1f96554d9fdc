import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ToolCall } from "../../shared/contracts/answer.ts";
import { readCalls } from "../../shared/suites/tools/read.ts";
import type { Level } from "../../shared/suites/tools/sample.ts";
import type { ExpectedCall } from "../../shared/suites/tools/sample-parts.ts";
import { callScore } from "../../shared/suites/tools/score/match-calls.ts";
import { jsonLines } from "../support/json-lines.ts";

interface Rates {
  matched: number;
  precision: number;
  recall: number;
  f1: number;
}

interface Case {
  samples: {
    difficulty: Level;
    expected_calls: ExpectedCall[];
    calls: ToolCall[];
    score: Rates;
    strict: Rates;
  }[];
}

const cases = jsonLines<Case>(readFileSync(new URL("cases/tools.jsonl", import.meta.url), "utf8"));

describe.each(cases.map((one, i) => [i, one] as const))(
  "worked case %i of tools",
  (_, { samples }) => {
    test.each(samples.map((one, i) => [i, one] as const))("sample %i", (_i, sample) => {
      const { calls } = readCalls({ toolCalls: sample.calls, output: null }, "native");
      for (const [strictArguments, wanted] of [
        [false, sample.score],
        [true, sample.strict],
      ] as const) {
        const { matched, precision, recall, f1 } = callScore(sample.expected_calls, calls, 0, {
          textRules: "spec",
          strictArguments,
        });
        expect({ matched, precision, recall, f1 }).toEqual({
          matched: wanted.matched,
          precision: expect.closeTo(wanted.precision, 9),
          recall: expect.closeTo(wanted.recall, 9),
          f1: expect.closeTo(wanted.f1, 9),
        });
      }
    });
  },
);
