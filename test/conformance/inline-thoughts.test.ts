import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emptyAnswer, type ToolCall } from "../../shared/contracts/answer.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { readOutput } from "../../shared/measures/json-output/read-output.ts";
import { splitThoughts, withoutThoughts } from "../../shared/measures/thoughts/without-thoughts.ts";
import { jsonLines } from "../support/json-lines.ts";

interface Row {
  id: string;
  note?: string;
  finishReason: string;
  output: string;
  expected: { answer: string | null; thoughts?: string; json?: Json; call?: ToolCall };
}

const text = readFileSync(new URL("cases/inline-thoughts.jsonl", import.meta.url), "utf8");
const rows = jsonLines<Row>(text);

describe.each(rows)("withoutThoughts() of $id: $note", (row) => {
  const { answer, thoughts, json, call } = row.expected;
  const given = { ...emptyAnswer, output: row.output, finishReason: row.finishReason };
  const read = withoutThoughts(given);

  test("gives the answer and the thoughts", () => {
    expect(read.output?.trim() ?? null).toBe(answer);
    if (thoughts !== undefined) expect(read.thoughts?.trim()).toBe(thoughts);
  });

  test("gives the JSON and the call in the answer", () => {
    if (json !== undefined) expect(readOutput(read).value).toEqual(json);
    expect(read.toolCalls).toEqual(call === undefined ? null : [call]);
  });
});

/** Minimal CPU time, ms, of splitThoughts() for a text of this length. */
function costOf(part: string, tail: string, length: number, times = 3): number {
  const text = part.repeat(Math.ceil(length / part.length)) + tail;
  const costs = Array.from({ length: times }, () => {
    const before = process.cpuUsage();
    splitThoughts(text);
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...costs);
}

test.each([
  ["<think>", ""],
  ["</think>", ""],
  ["<think></think>", ""],
  ["<think><think></think>", ""],

  ["<think>", "</think> and"],
  ["\n<think> and", ""],
  ["\n<think> and", "</think> to".repeat(1e4)],

  ["\n<think> and", `${" ".repeat(1e5)}</think> to`],
  ["<answer>", ""],
  ["</answer>", ""],

  ["x </think> and ", ""],
  ["`", ""],
  ["<think>`", ""],
  ['{"\\"', "<think>\n"],
  ["```x\n", "</think>"],

  ["<tool_call>", ""],
  ["\n<tool_call>{}</tool_call>\nx", ""],
  ["<|start|>assistant<|channel|>", ""],

  ["analysisA assistantcommentary", ""],
  ["Here is my thought process: Here is my response: ", ""],

  ["<think a ", ""],
  [" ", "<think>"],
  ["<|START_THINKING|><|START_RESPONSE|>", ""],

  ["x <think>a</think> <answer>b</answer> ", "and"],
  ["x <think>{", "</think>"],
  ["x <think> and ", "\n</think>"],
  ["<think>a</think>b\n</think>\n", ""],
  ["- <think> a\n", "- </think>"],
  ["**<think>", ""],
])("splitThoughts() is linear in %j", { retry: 3 }, (part, tail) => {
  costOf(part!, tail!, 1_000);
  // A quadratic algorithm would take 64 times as long. Times below 100 ms are too imprecise to compare.
  // The long text is measured once; a delay by another process is covered by the retries.
  const [short, long] = [costOf(part!, tail!, 1 << 17), costOf(part!, tail!, 1 << 20, 1)];
  expect(long).toBeLessThan(Math.max(100, 32 * short));
});
