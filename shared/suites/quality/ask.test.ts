import { expect, test } from "vitest";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { next } from "./ask.ts";
import { defaultOptions, type QualityOptions } from "./options.ts";
import type { QualitySample } from "./sample.ts";
import { quality } from "./suite.ts";

const requestOf = (sample: QualitySample, options: Partial<QualityOptions> = {}) => {
  const task = { samples: [sample], options: { ...defaultOptions, ...options }, repeat: 0 };
  const step = next(task, []);
  return step.kind === "ask" ? step.request : null;
};

test("plan() makes one unit per sample and repeat, repeats of a sample in a row", () => {
  const heads = ["a", "b"].map((id) => ({ id, group: null }));
  expect(quality.plan(heads, { ...defaultOptions, repeats: 2 })).toEqual([
    { samples: [0], repeat: 0 },
    { samples: [0], repeat: 1 },
    { samples: [1], repeat: 0 },
    { samples: [1], repeat: 1 },
  ]);
});

test("next() sends the unchanged prompt, and omits parameters that are not set", () => {
  expect(requestOf(aSample("Explain {cats}."))).toEqual({
    messages: [{ role: "user", content: "Explain {cats}." }],
    temperature: 0,
    maxTokens: 2048,
  });
});

test("next() sends the system message and the sampling parameters that are set", () => {
  const set = { topP: 0.9, presencePenalty: 0, frequencyPenalty: -1, seed: 7, temperature: null };
  expect(requestOf(aSample("Why?", { system: "Be brief." }), set)).toEqual({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Why?" },
    ],
    ...set,
    maxTokens: 2048,
  });
});

test("next() returns the first reply as the answer", () => {
  const reply = anAnswer("Cats.");
  const task = { samples: [aSample("Why?")], options: defaultOptions, repeat: 0 };
  expect(next(task, [reply])).toEqual({ kind: "done", answers: [reply] });
});
