import { expect, test } from "vitest";
import { suggestion } from "./suggestion.ts";

test.each([
  ["--datset", ["--dataset", "--answers"], "; did you mean --dataset?"],
  ["scor", ["score", "help"], "; did you mean score?"],
  ["rnu", ["run", "runner"], "; did you mean run?"],
  ["--zebra", ["--dataset", "--answers"], ""],
  ["x", [], ""],
  ["--every", ["--server", "--every-hours"], "; did you mean --every-hours?"],
  ["--metric", ["--rubric"], ""],
])("suggestion(%j, %j) is %j", (given, known, hint) => {
  expect(suggestion(given, known)).toBe(hint);
});
