import { expect, test } from "vitest";
import { LineDigests, OrderedLineDigest } from "./line-digests.ts";

const digestOf = (lines: readonly (readonly [number, string])[]) => {
  const digests = new LineDigests(lines.length);
  for (const [at, line] of lines) digests.set(at, line);
  return digests.digest();
};

test("LineDigests is SHA-256 of the lines' digests in order, in whatever order they come", () => {
  const lines = ["a", "", "Zürich 😀"];
  // By Python's hashlib 3.12.
  const expected = "3d1f64a3f8853e776055501629d911adc5e17309bec9ad7229a35bc3ab237f84";
  const placed = lines.map((line, at) => [at, line] as const);
  expect(digestOf(placed)).toBe(expected);
  expect(digestOf(placed.toReversed())).toBe(expected);
  expect(digestOf(lines.map((line, at) => [2 - at, line]))).not.toBe(expected);
});

test("OrderedLineDigest is the same of lines in their order", () => {
  const digestOfAll = (lines: readonly string[]) => {
    const digest = new OrderedLineDigest();
    for (const line of lines) digest.add(line);
    return digest.digest();
  };
  for (const lines of [[], ["a"], ["a", "", "Zürich 😀"]]) {
    expect(digestOfAll(lines)).toBe(digestOf(lines.map((line, at) => [at, line] as const)));
  }
});

test("LineDigests has no place beyond its count", () => {
  expect(() => new LineDigests(1).set(1, "b")).toThrow(RangeError);
});
