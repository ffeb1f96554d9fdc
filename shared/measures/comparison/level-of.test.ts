import { expect, it } from "vitest";
import { levelOf } from "./level-of.ts";

it.each([
  [null, null],
  [0.05, null],
  [0.0499, 0.05],
  [0.01, 0.05],
  [0.0099, 0.01],
  [0, 0.01],
])("levelOf(%s) is %s", (p, level) => {
  expect(levelOf(p)).toBe(level);
});
