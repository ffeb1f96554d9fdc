import { expect, test } from "vitest";
import { SchemaIndex } from "../index/schema-index.ts";
import { TolerantSchema } from "../index/tolerant-schema.ts";
import { SchemaRun, UndecidedError } from "./schema-run.ts";

const { root } = new SchemaIndex(new TolerantSchema({}), new Map());
const other = new SchemaIndex(new TolerantSchema({}), new Map()).root;

test.each([
  ["a", 2_000_030],
  ["a".repeat(998), 2_010_000],
])(
  "SchemaRun.spend() refuses more than 2,000,000 steps plus ten for each character",
  (value, allowed) => {
    const run = new SchemaRun(root, value);
    run.spend(2_000_000);
    run.spend(allowed - 2_000_000);
    expect(() => run.spend(1)).toThrow(UndecidedError);
  },
);

test("SchemaRun.once() caches verdicts of a long run, by scope", () => {
  const run = new SchemaRun(root, "");
  let asked = 0;
  const check = () => {
    asked += 1;
    return true;
  };
  for (let i = 0; i < 3; i++) run.once(check, "a");
  expect(asked).toBe(3);
  run.spend(1_000);
  for (let i = 0; i < 3; i++) run.once(check, "a");
  expect(asked).toBe(4);
  for (let i = 0; i < 3; i++) run.within(other, check, "a");
  expect(asked).toBe(5);
});

test("SchemaScope.enter() keeps the outermost of each resource, and is the same object for the same path", () => {
  const { scope } = new SchemaRun(root, "");
  const inner = scope.enter(other);
  expect(inner.resources).toEqual([root, other]);
  expect(inner.enter(root)).toBe(inner);
  expect(scope.enter(other)).toBe(inner);
});
