import { expect, it } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import { countServed, type ServedTally, servedModels } from "./served-models.ts";

const tallied = (names: readonly (string | undefined)[]) => {
  const tally: ServedTally = new Map();
  for (const servedModel of names) {
    countServed(tally, { ...emptyAnswer, ...(servedModel !== undefined && { servedModel }) });
  }
  return servedModels(tally);
};

it("servedModels() has the most frequent first, ties by name, and nothing of answers that don't say", () => {
  expect(tallied(["b", "c", undefined, "a", "c"])).toEqual([
    { model: "c", answers: 2 },
    { model: "a", answers: 1 },
    { model: "b", answers: 1 },
  ]);
  expect(tallied([undefined])).toEqual([]);
});

it("servedModels() counts more than ten as one, however many there are", () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `model-${i}`);
  const served = tallied([...names, "model-0"]);
  expect(served).toHaveLength(11);
  expect(served[0]).toEqual({ model: "model-0", answers: 2 });
  expect(served.at(-1)).toEqual({ model: null, answers: 5_001 - 11 });
});

it("countServed() counts no failed request", () => {
  const tally: ServedTally = new Map();
  const error = { class: "timeout" as const, message: "" };
  countServed(tally, { ...emptyAnswer, servedModel: "m", error });
  expect(servedModels(tally)).toEqual([]);
});
