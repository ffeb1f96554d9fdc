import { expect, test } from "vitest";
import { readText } from "../read/read-text.ts";
import { paragraphs, structure } from "./structure.ts";

const of = (prompt: string, text: string) => structure(text, readText(text), readText(prompt));

test.each([
  ["100 words in one paragraph", "", "cat ".repeat(100), { paragraph: 1 }],
  ["101 words in one paragraph", "", "cat ".repeat(101), { paragraph: 0.5 }],
  ["more paragraphs than needed", "", "Cat.\n\nCat.", { paragraphs: 2, paragraph: 1 }],
  ["an introduction", "About cats", "A cat is an animal here.", { introduction: 1 }],
  ["an unrelated first sentence", "About dogs", "A cat is an animal here.", { introduction: 0 }],
  ["a first sentence of 20 characters", "cats", "A cat is aa animal b.", { introduction: 0 }],
  ["a first sentence of 21 characters", "cats", "A cat is aa animal bb.", { introduction: 1 }],
  ["a stem shared with the rest", "", "A cat is an animal here. Cats run.", { introduction: 1 }],
  ["no stem shared with the rest", "", "A cat is an animal here. Dogs run.", { introduction: 0 }],
  ["no rest of the response", "", "A cat is an animal here.", { introduction: 0 }],
  ["a conclusion", "", "Cats run. All in all, they run.", { conclusion: 1 }],
  ["a summary cue too early", "", "All in all, they run. Cats run fast enough.", { conclusion: 0 }],
  ["a last sentence of 15 characters", "", "Overall, aa bbb.", { conclusion: 0 }],
  ["a last sentence of 16 characters", "", "Overall, aaa bbb.", { conclusion: 1 }],
  ["a text without words", "", "…", { score: 0, paragraph: 0, introduction: 0, conclusion: 0 }],
])("structure() handles %s", (_, prompt, text, expected) => {
  expect(of(prompt, text)).toMatchObject(expected);
});

test.each([
  ["", []],
  [" \n\n ", []],
  ["One.\nStill one.", ["One.\nStill one."]],
  ["One.\n\n\n Two. \n \t\nThree.", ["One.", "Two.", "Three."]],
  ["One.\r\n\r\nTwo.", ["One.", "Two."]],
])("paragraphs(%j) is %j", (text, expected) => {
  expect(paragraphs(text)).toEqual(expected);
});
