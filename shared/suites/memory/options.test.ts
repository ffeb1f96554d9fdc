import { expect, it } from "vitest";
import { defaultOptions, memoryOptionsSchema } from "./options.ts";

it("memoryOptionsSchema fills in the defaults of the specification", () => {
  expect(defaultOptions).toMatchObject({
    speechWeight: 0.7,
    textWeight: 0.3,
    disableTts: false,
    judge: null,
    judges: [],
    weights: { memory: 0.3, groundedness: 0.25, safety: 0.15, helpfulness: 0.1, others: 0.2 },
  });
});

it.each<[string, object]>([
  ["weights that don't sum to 1", { weights: { memory: 0.5 } }],
  ["emotion weights of 0", { speechWeight: 0, textWeight: 0 }],
  ["a prompt without the profile", { systemPrompt: "Advise." }],
  ["a duplicate judge", { judges: ["a", "a"] }],
  ["a judge without a name", { judge: " " }],
  ["a judge for an unknown metric", { judgeOverrides: { charm: "gpt-4o" } }],
  ["an unknown option", { judgement: "x" }],
])("memoryOptionsSchema refuses %s", (_, options) => {
  expect(memoryOptionsSchema.safeParse(options).success).toBe(false);
});

it("memoryOptionsSchema accepts a judge for one metric", () => {
  const judgeOverrides = { empathy: "openai:gpt-4o" };
  expect(memoryOptionsSchema.parse({ judgeOverrides }).judgeOverrides).toEqual(judgeOverrides);
});
