import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../simulator/draws.ts";
import { type MistakeKind, mistakeRates } from "../../simulator/mistakes/mistakes.ts";
import {
  offTopicSentences,
  unplannedOpening,
  writeProse,
} from "../../simulator/responders/prose.ts";

const prompt =
  "Compare cats and dogs as pets for somebody who lives alone in a small flat and works full time. Discuss care, cost and company, then recommend one of them.";

function prose(kinds: Partial<Record<MistakeKind, number>> = {}, text = prompt, seed = 1): string {
  const made: MistakeKind[] = [];
  const written = writeProse(text, {
    rates: { ...mistakeRates(0), ...kinds },
    draws: drawsFrom(seed),
    made,
  });
  expect(new Set(made)).toEqual(new Set(Object.keys(kinds)));
  return written;
}
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);
const sentencesOf = (text: string) => text.split(/(?<=\.)\s+/);

describe("writeProse()", () => {
  it("uses every content word, and is about two and a half times as long as the prompt", () => {
    const words = new Set(prose().toLowerCase().match(/\w+/g));
    for (const word of ["cats", "dogs", "pets", "small", "flat", "cost", "company"]) {
      expect(words).toContain(word);
    }
    for (let seed = 0; seed < 20; seed += 1) {
      const ratio = wordsOf(prose({}, prompt, seed)).length / wordsOf(prompt).length;
      expect(Math.abs(Math.log(ratio / 2.5))).toBeLessThan(0.2);
    }
  });

  it("divides a long text into paragraphs", () => {
    const long = Array.from({ length: 80 }, (_, i) => `subject${i}`).join(", ");
    const text = prose({}, long);
    expect(text.split("\n\n")).toHaveLength(Math.ceil(wordsOf(text).length / 100));
  });

  it("stops early", () => {
    const ratio = wordsOf(prose({ short_answer: 1 })).length / wordsOf(prose()).length;
    expect(ratio).toBeGreaterThan(0.15);
    expect(ratio).toBeLessThan(0.7);
  });

  it("omits opening, connectives and conclusion", () => {
    const text = prose({ unstructured: 1 });
    expect(text.startsWith(unplannedOpening)).toBe(true);
    expect(text).not.toMatch(/however|moreover|overall|in summary|ultimately|\n/i);
  });

  it("goes off topic", () => {
    for (const one of sentencesOf(prose({ off_topic: 1 })))
      expect(offTopicSentences).toContain(one);
  });

  it("repeats itself", () => {
    const sentences = sentencesOf(prose({ repeated_sentence: 1 }));
    expect(new Set(sentences).size).toBeLessThan(sentences.length);
  });

  it.each(["", "Why?", "?!", "猫と犬".repeat(100), "$& {} $1 word"])("answers '%s'", (text) => {
    expect(wordsOf(prose({}, text)).length).toBeGreaterThan(5);
  });

  it("limits the answer to a huge prompt", () => {
    expect(prose({}, "word and other things. ".repeat(50_000)).length).toBeLessThan(10_000);
  });
});
