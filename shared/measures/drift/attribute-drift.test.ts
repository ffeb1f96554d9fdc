import { expect, it } from "vitest";
import type { DriftPart } from "../../contracts/drift/drift.ts";
import { attributeDrift } from "./attribute-drift.ts";

const part = (cause: DriftPart["cause"], difference: number, spread = 0.02, n = 30): DriftPart => ({
  cause,
  n,
  difference,
  interval: n < 2 ? null : [difference - spread, difference + spread],
  p: null,
});
const still = (cause: DriftPart["cause"]) => part(cause, 0, 0);

it.each<[string, DriftPart[], string]>([
  ["only the judge moved", [part("judge", -0.1), part("model", -0.01)], "judge"],
  ["only the model moved", [part("judge", 0.005), part("model", -0.1)], "model"],
  ["only the scoring moved", [part("scoring", -0.1, 0), part("model", 0)], "scoring"],
  ["the judge moved all samples equally", [{ ...part("judge", -0.1, 0.2), p: 0.001 }], "judge"],
  ["the judge moved the other way", [part("judge", 0.1), part("model", -0.2)], "several"],
  ["the judge moved slightly the other way", [part("judge", 0.03), part("model", -0.13)], "model"],
  [
    "the model moved, and the judge possibly as much",
    [part("judge", -0.05, 0.06), part("model", -0.06)],
    "several",
  ],
  [
    "the judge explains less than half, and the model is uncertain",
    [part("judge", -0.04), part("model", -0.06, 0.1)],
    "several",
  ],
  ["two parts moved", [part("judge", -0.1), part("model", -0.1)], "several"],
  [
    "no part moved significantly, with few samples",
    [part("judge", -0.1, 0.2), part("model", -0.1, 0.2)],
    "unclear",
  ],
  ["only the model could have moved", [still("scoring"), part("model", -0.1, 0.2)], "model"],
  ["no samples were measured", [part("scoring", 0, 0, 0), part("model", 0, 0, 0)], "unclear"],
  ["there are no parts", [], "unclear"],
  ["the dataset's effect is below half", [part("dataset", -0.04), part("model", -0.1)], "model"],
  ["the dataset moved the other way", [part("dataset", 0.1), part("model", -0.1)], "model"],
  ["the dataset moved as well", [part("dataset", -0.05), part("model", -0.1)], "several"],
  [
    "the dataset did not move the score",
    [part("dataset", 0), still("scoring"), part("model", -0.1)],
    "model",
  ],
  ["a part moved by less than the threshold", [part("judge", -0.005, 0.001)], "unclear"],
])("attributeDrift() if %s", (_, parts, expected) => {
  expect(attributeDrift(-0.1, parts)).toBe(expected);
});
