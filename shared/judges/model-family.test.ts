import { expect, it } from "vitest";
import { isSelfPreference, makersOf } from "./model-family.ts";

it.each<[string, string[]]>([
  ["claude-opus-4-5-20251101", ["anthropic"]],
  ["gpt-5.2-2025-12-11", ["openai"]],
  ["o3-mini", ["openai"]],
  ["google/gemini-2.0-flash-001", ["google"]],
  ["meta-llama/Llama-3.1-8B", ["meta"]],
  ["deepseek-r1-distill-llama-70b", ["meta", "deepseek"]],
  ["Qwen2.5-7B-Instruct", ["qwen"]],
  ["phi-4", ["microsoft"]],
  ["dolphin", []],
  ["alice/tiny", []],
])("makersOf(%j)", (model, makers) => {
  expect(makersOf(model)).toEqual(makers);
});

it.each([
  ["gpt-4o-2024-11-20", "acme/gpt-5-mini", true],
  ["gpt-4o-2024-11-20", "acme/claude-haiku", false],
  ["my-judge", "My-Judge", true],
  ["my-judge", "my-model", false],
])("isSelfPreference(%j, %j)", (judge, judged, wanted) => {
  expect(isSelfPreference(judge, judged)).toBe(wanted);
});
