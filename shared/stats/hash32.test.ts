import { expect, test } from "vitest";
import { hash32 } from "./hash32.ts";

test("hash32() spreads similar texts evenly", () => {
  const counts = new Array<number>(16).fill(0);
  for (let i = 0; i < 16_000; i++) counts[hash32(`sample s${i}`) % 16]!++;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("hash32() is deterministic, and a whole number of 32 bits", () => {
  expect(hash32("a")).toBe(hash32("a"));
  expect(hash32("a")).not.toBe(hash32("b"));
  expect(Number.isInteger(hash32("")) && hash32("") >= 0 && hash32("") < 2 ** 32).toBe(true);
});
