import { describe, expect, it } from "vitest";
import { anExchange } from "../__fixtures__/judgments.ts";
import { keyScore, memoryUtilization } from "./memory-utilization.ts";

describe("keyScore()", () => {
  const score = (cited: string[], requiredKeys: string[], forbiddenKeys: string[] = []) =>
    keyScore(cited, { requiredKeys, forbiddenKeys });

  it.each<[string, string[], string[], string[], object]>([
    ["all", ["a"], ["a"], ["b"], { tp: 1, fp: 0, fn: 0, precision: 1, recall: 1, f1: 1 }],
    ["none required, none cited", [], [], ["b"], { precision: 1, recall: 1, f1: 1 }],
    ["none cited", [], ["a"], [], { precision: 1, recall: 0, f1: 0 }],
    ["a forbidden one alone", ["b"], [], ["b"], { fp: 1, precision: 0, recall: 1, f1: 0 }],
    ["neutral and unknown ones", ["n", "x"], ["a"], ["b"], { tp: 0, fp: 0, precision: 1 }],
    ["one twice, with blanks", ["a", " a "], ["a"], [], { tp: 1, fp: 0, f1: 1 }],
  ])("handles %s", (_, cited, required, forbidden, wanted) => {
    expect(score(cited, required, forbidden)).toMatchObject(wanted);
  });
});

it("an empty answer cites nothing, even if the recorded judgment has cited keys", () => {
  const exchange = anExchange({ answer: "" });
  const judgment = { reasoning: "", cited_keys: ["knee"] };
  expect(memoryUtilization.read(judgment, exchange)).toMatchObject({ value: 0 });
  expect(memoryUtilization.empty(anExchange({ requiredKeys: [] })).value).toBe(1);
});
