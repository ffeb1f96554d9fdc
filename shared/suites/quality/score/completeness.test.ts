import { expect, test } from "vitest";
import { readText } from "../read/read-text.ts";
import { completeness } from "./completeness.ts";

const of = (prompt: string, response: string) => completeness(readText(prompt), readText(response));

test.each([
  ["task verbs and question words", "Explain which cats purr. Where?", "", { keywords: 2 }],
  ["repeated stems", "Cats, a cat and dogs", "The cat", { keywords: 2, matchedKeywords: 1 }],
  ["no keywords", "What?", "Nothing at all to say here", { keywords: 0, keyword: 0.6 + 0.4 * 0.6 }],
  ["the minimum of ten words", "Cats", "Cats", { expectedLength: 10, keyword: 0.6 + 0.4 * 0.1 }],
  ["a longer prompt", "cat ".repeat(20), "Cats", { expectedLength: 30 }],
])("completeness() handles %s", (_, prompt, response, expected) => {
  expect(of(prompt, response)).toMatchObject(expected);
});

test.each([
  ["half of the keywords matched, rounded up", "Do cats chase mice?", "Cats chase.", 1, 1],
  ["less than half of the keywords matched", "Do cats chase mice?", "Cats.", 1, 0],
  ["one of two answered", "Do cats purr? Do dogs bark?", "Cats.", 2, 0.5],
  ["a question without keywords", "Is it so?", "Pizza.", 1, 1],
  ["no question, a quarter of the keywords matched", "Cats dogs mice birds", "Cats.", 0, 1],
  ["no question, less than a quarter matched", "Cats dogs mice birds fish", "Cats.", 0, 0],
  ["no question, no keywords", "Hm", "Cats.", 0, 1],
  ["a question mark within a sentence", "Is 3.5? fine! Yes.", "Cats.", 1, 1],
])("completeness() counts questions: %s", (_, prompt, response, questions, question) => {
  expect(of(prompt, response)).toMatchObject({ questions, question });
});

test.each([
  ["objects up to the next verb", "Compare cats and dogs, list mice.", "Mice.", 2, 0.5],
  ["objects up to the sentence's end", "Explain cats. Dogs bark.", "Dogs bark.", 1, 0],
  ["no object, five words", "Explain.", "One two three four five", 1, 1],
  ["no object, four words", "Explain.", "One two three four", 1, 0],
  ["British and American spellings", "Analyse cats, analyze dogs", "Cats, dogs.", 2, 1],
  ["no task", "Cats", "Cats.", 0, 1],
])("completeness() counts tasks: %s", (_, prompt, response, tasks, task) => {
  expect(of(prompt, response)).toMatchObject({ tasks, task });
});

test("completeness() of a response without words is 0 for any prompt", () => {
  for (const prompt of ["", "Hm?", "Explain.", "Explain cats?"]) {
    expect(of(prompt, "…")).toMatchObject({ score: 0, keyword: 0, question: 0, task: 0 });
  }
});
