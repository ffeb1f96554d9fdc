import { expect, test } from "vitest";
import { words } from "../read/words.ts";
import { vocabulary } from "./vocabulary.ts";

const of = (text: string) => vocabulary(words(text));

test.each([
  ["distinct words", "Cat cat dog", { diversity: 2 / 3 }],
  ["long uncommon words", "Umbrellas rain", { sophistication: 0.5 }],
  ["a common word", "Everything", { sophistication: 0 }],
  ["a word of six letters", "Jigsaw", { sophistication: 0 }],
  ["a word three times", "cat cat cat", { repetition: 1 }],
  ["a word four times", "cat cat cat cat dog", { repetition: 1 - 4 / 5 }],
  ["stopwords", "the the the the", { repetition: 1, diversity: 0.25 }],
  ["a text without words", "…", { score: 0, diversity: 0, sophistication: 0, repetition: 0 }],
])("vocabulary() handles %s", (_, text, expected) => {
  expect(of(text)).toMatchObject(expected);
});
