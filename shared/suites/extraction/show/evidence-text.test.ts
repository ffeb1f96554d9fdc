import fc from "fast-check";
import { expect, test } from "vitest";
import { countCodePoints } from "../../../measures/code-points.ts";
import type { Mark } from "../../../measures/report/shown-text.ts";
import { textExcerpt } from "./evidence-text.ts";

const mark = (from: number, to: number): Mark => ({ from, to, tone: "good", label: "found" });

/** Words that say where they stand. */
const long = Array.from({ length: 3000 }, (_, k) => `w${k}`).join(" ");
const markOf = (word: string) =>
  mark(long.indexOf(` ${word} `) + 1, long.indexOf(` ${word} `) + 1 + word.length);
const markedIn = ({ text, marks }: ReturnType<typeof textExcerpt>) =>
  marks.map(({ from, to }) => text.slice(from, to));

test("textExcerpt() shows a short text as a whole", () => {
  const block = textExcerpt("Text", "Ada paid 3.", [mark(9, 10), mark(0, 3)]);
  expect(block).toMatchObject({ text: "Ada paid 3.", left: 0 });
  expect(markedIn(block)).toEqual(["Ada", "3"]);
});

test("textExcerpt() shows the start of a long text without marks", () => {
  const { text, left } = textExcerpt("Text", long, []);
  expect(long.startsWith(text)).toBe(true);
  expect(text.length + left).toBe(long.length);
});

test("textExcerpt() shows what stands around the marks of a long text, in its order", () => {
  const block = textExcerpt("Text", long, [markOf("w2500"), markOf("w700")]);
  expect(markedIn(block)).toEqual(["w700", "w2500"]);
  expect(block.text.startsWith(" […] ")).toBe(true);
  expect(block.text.length).toBeLessThan(1700);
  expect(block.left).toBeGreaterThan(10_000);
});

test("textExcerpt() keeps the marks given first where there are too many", () => {
  const words = Array.from({ length: 60 }, (_, k) => `w${2950 - 40 * k}`);
  const block = textExcerpt("Text", long, words.map(markOf));
  expect(markedIn(block)).toContain("w2950");
  expect(block.text.length).toBeLessThan(1700);
});

test("textExcerpt() marks what it marked in the text, and counts what is left out", () => {
  const texts = fc.array(fc.string({ unit: "binary", minLength: 1 }), {
    minLength: 200,
    maxLength: 300,
  });
  const places = fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 40 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(texts, places, (parts, pairs) => {
      const text = parts.join("padding ");
      const marks = pairs.map(([from, length]) => mark(from, Math.min(text.length, from + length)));
      const block = textExcerpt(
        "Text",
        text,
        marks.filter(({ from, to }) => from < to),
      );
      const shown = marks.map(({ from, to }) => text.slice(from, to));
      for (const one of markedIn(block))
        expect(shown.some((part) => part.includes(one))).toBe(true);
      const gaps = block.text.split(" […] ").length - 1;
      const kept = countCodePoints(block.text) - gaps * 5;
      if (!text.includes(" […] ")) expect(kept + block.left).toBe(countCodePoints(text));
    }),
    { numRuns: 50 },
  );
});
