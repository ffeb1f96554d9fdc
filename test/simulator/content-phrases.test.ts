import { expect, it } from "vitest";
import { contentPhrases } from "../../simulator/responders/prose.ts";

it.each([
  ["Explain how plants turn sunlight into sugar.", ["plants turn sunlight", "sugar"]],
  [
    "I'm Mara. I live in Leeds, a big old noisy town.",
    ["Mara", "live", "Leeds", "big old noisy", "town"],
  ],
  ["Tea? Tea! It’s well-known tea - tea.", ["Tea", "well-known tea", "tea"]],
  ["Why is it so?", []],
  ["x".repeat(100), []],
  ["", []],
])("contentPhrases() of '%s'", (text, phrases) => {
  expect(contentPhrases(text)).toEqual(phrases);
});
