import { expect, it, test } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import {
  answeredByOther,
  countServed,
  fewServed,
  redirectOf,
  type ServedTally,
  servedIds,
  servedModels,
  servedText,
} from "./served-models.ts";

const tallied = (names: readonly (string | undefined)[]) => {
  const tally: ServedTally = new Map();
  for (const servedModel of names) {
    countServed(tally, { ...emptyAnswer, ...(servedModel !== undefined && { servedModel }) });
  }
  return servedModels(tally);
};

it("servedModels() sorts by frequency, then by name, and ignores answers without a name", () => {
  expect(tallied(["b", "c", undefined, "a", "c"])).toEqual([
    { model: "c", answers: 2 },
    { model: "a", answers: 1 },
    { model: "b", answers: 1 },
  ]);
  expect(tallied([undefined])).toEqual([]);
});

it("servedModels() merges all names after the tenth", () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `model-${i}`);
  const served = tallied([...names, "model-0"]);
  expect(served).toHaveLength(11);
  expect(served[0]).toEqual({ model: "model-0", answers: 2 });
  expect(served.at(-1)).toEqual({ model: null, answers: 5_001 - 11 });
});

it("countServed() ignores failed requests", () => {
  const tally: ServedTally = new Map();
  const error = { class: "timeout" as const, message: "" };
  countServed(tally, { ...emptyAnswer, servedModel: "m", error });
  expect(servedModels(tally)).toEqual([]);
});

const a = { model: "a", answers: 1_200 };
const b = { model: "b", answers: 3 };
const others = { model: null, answers: 2 };

it.each([
  [[a, b, others], 3, [a, b, others]],
  [[a, b, others], 2, [a, b, others]],
  [[a, b, others], 1, [a, { model: null, answers: 5 }]],
  [[a, b], 2, [a, b]],
  [[], 2, []],
])("fewServed() of %j has at most %i names and all answers", (served, most, few) => {
  expect(fewServed(served, most)).toEqual(few);
});

it.each([
  [{ served: [a, b, others] }, ["a", "b", "others"], "a (1,200), b (3), others (2)"],
  [{ served: [a] }, ["a"], "a"],
  [{ served: [] }, [], null],
  [{}, [], null],
])("servedIds() and servedText() of %j are %j and %j", (model, ids, text) => {
  expect([servedIds(model), servedText(model)]).toEqual([ids, text]);
});

it.each([
  [{ asked: ["a"], served: [a] }, false],
  [{ asked: ["a", "b"], served: [b, a] }, false],
  [{ asked: ["a"], served: [a, b] }, true],
  [{ asked: ["a"], served: [a, others] }, true],
  [{ asked: ["a"], served: [] }, false],
  [{ asked: ["a"] }, false],
  [{ served: [a] }, true],
])("answeredByOther(%j) is %s", (model, is) => {
  expect(answeredByOther(model)).toBe(is);
});

const named = (...models: (string | null)[]) => ({
  served: models.map((model, i) => ({ model, answers: 9 - i })),
});

test.each([
  [named("a"), named("b"), { before: "a", now: "b" }],
  [named("a", "c"), named("b", "a"), { before: "a", now: "b" }],
  [named("a"), named("a"), null],
  [named("a", "b"), named("b"), null],
  [named("a", null), named("b"), null],
  [named(), named("b"), null],
  [named("a"), {}, null],
])("redirectOf(%j, %j) is %j", (before, now, redirect) => {
  expect(redirectOf(before, now)).toEqual(redirect);
});
