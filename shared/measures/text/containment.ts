import { countCodePoints } from "./code-points.ts";

/**
 * How far one text holds the other, 0–1: 1 when `expected` stands inside `predicted`, the share of
 * its length (in code points) when only `predicted` stands inside `expected`, else 0. 0 when one side
 * is empty. Not symmetric. Linear.
 * Source: docs/spec/extraction.md, section 3.
 * @example containment("San Francisco, CA", "San Francisco") // 13/17
 */
export function containment(expected: string, predicted: string): number {
  if (expected === "" || predicted === "") return 0;
  if (predicted.includes(expected)) return 1;
  return expected.includes(predicted) ? countCodePoints(predicted) / countCodePoints(expected) : 0;
}
