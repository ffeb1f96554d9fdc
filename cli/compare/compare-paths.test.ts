import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runNames } from "./compare-paths.ts";

describe("runNames()", () => {
  test.each([
    [
      ["a/answers.jsonl", "b/answers.jsonl"],
      ["a/answers", "b/answers"],
    ],
    [
      ["answers.jsonl", "b/answers.jsonl", "b/other.jsonl"],
      ["answers", "b/answers", "other"],
    ],
    [
      ["a/x/answers.jsonl", "b/x/answers.jsonl"],
      ["a/x/answers", "b/x/answers"],
    ],
    [
      ["-", "./gpt.v1.JSONL", "/tmp/x.txt"],
      ["stdin", "gpt.v1", "x.txt"],
    ],
    [
      ["x.jsonl", "x"],
      ["x.jsonl", "x"],
    ],
    [
      ["a/.jsonl", "b.jsonl"],
      [".jsonl", "b"],
    ],
  ])("names %j %j", (paths, names) => {
    expect(runNames(paths)).toEqual(names);
  });

  test("gives different paths different names", () => {
    const part = fc.constantFrom("a", "b", "c");
    const path = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", ".jsonl"))
      .map(([parts, end]) => parts.join("/") + end);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), (paths) => {
        expect(new Set(runNames(paths)).size).toBe(paths.length);
      }),
    );
  });
});
