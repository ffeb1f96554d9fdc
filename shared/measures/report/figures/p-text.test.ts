import { expect, it } from "vitest";
import { pText } from "./p-text.ts";

it.each([
  [null, 3, "–"],
  [0, 3, "<0.001"],
  [0.00099, 3, "<0.001"],
  [0.001, 3, "0.001"],
  [0.0461, 3, "0.046"],
  [0.00004, 4, "<0.0001"],
  [1, 3, "1.000"],
] as const)("pText(%s, %d) is %s", (p, digits, text) => {
  expect(pText(p, digits)).toBe(text);
});
