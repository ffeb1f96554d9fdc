import { expect, test } from "vitest";
import { defaultOptions, slotsOptionsSchema } from "./options.ts";

test("slotsOptionsSchema fills in the defaults of the specification", () => {
  expect(defaultOptions).toMatchObject({
    temperature: 0,
    maxTokens: 2048,
    structuredOutput: "auto",
    format: "json",
    memory: "per_session",
    asciiOnly: true,
    judge: null,
    judges: [],
    panelRule: "median",
  });
});

test.each([
  [{ asciOnly: true }],
  [{ format: "yaml" }],
  [{ memory: "none" }],
  [{ maxTokens: 0 }],
  [{ memory: "cumulative", userPrompt: "{conversation}" }],
  [{ judge: " " }],
  [{ judges: ["a", "a"] }],
  [{ judges: ["a", "b", "c", "d", "e", "f", "g", "h"] }],
  [{ panelRule: "mean" }],
  [{ judgeOverrides: {} }],
])("slotsOptionsSchema refuses %j", (options) => {
  expect(slotsOptionsSchema.safeParse(options).success).toBe(false);
});

test.each([
  [{ memory: "cumulative" }],
  [{ memory: "cumulative", systemPrompt: "{memory}", userPrompt: "{conversation}" }],
  [{ userPrompt: "{conversation}" }],
  [{ temperature: null }],
])("slotsOptionsSchema accepts %j", (options) => {
  expect(slotsOptionsSchema.parse(options)).toMatchObject(options);
});
