import { expect, it } from "vitest";
import { rankEnds } from "./rank-ends.ts";

it.each([
  [[1, 3], "1–3"],
  [[1.4, 2.2], "1–3"],
  [[2, 2], "2–2"],
  [null, null],
] as const)("rankEnds(%j) is %s", (rankInterval, printed) => {
  expect(rankEnds({ rankInterval: rankInterval && [...rankInterval] })).toBe(printed);
});
