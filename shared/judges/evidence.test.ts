import { describe, expect, it } from "vitest";
import { keepSupported, occursIn, quotedPassages } from "./evidence.ts";

const text = "You’re doing well — keep *walking* each day.\nStop, if it hurts; don't   push.";

describe("occursIn()", () => {
  it.each([
    ["the words", "keep walking each day"],
    ["other quotation marks and case", "“YOU'RE DOING WELL”"],
    ["another dash", "well - keep"],
    ["other blanks", "hurts; don't push"],
    ["an extra full stop", "Stop, if it hurts."],
    ["a gap", "You're doing well … if it hurts"],
    ["a gap of dots", "keep ... push"],
    ["added emphasis marks", "**keep walking**"],
    ["an invisible character", "walk\u200bing"],
  ])("finds %s", (_, quotation) => {
    expect(occursIn(text)(quotation)).toBe(true);
  });

  it.each([
    ["other words", "keep running"],
    ["pieces in another order", "if it hurts … doing well"],
    ["nothing", ""],
    ["marks alone", "“…”"],
    ["the start of a word", "keep walk"],
    ["the end of a word", "urts"],
  ])("does not find %s", (_, quotation) => {
    expect(occursIn(text)(quotation)).toBe(false);
  });

  it("finds words in scripts without spaces, and a whole word after an occurrence within a word", () => {
    expect(occursIn("我没有合适的工具。")("合适")).toBe(true);
    expect(occursIn("A cart of art.")("art")).toBe(true);
  });

  it("finds nothing in an empty text", () => {
    expect(occursIn("")("a")).toBe(false);
  });
});

describe("quotedPassages()", () => {
  it.each<[string, string[]]>([
    ['It says "never mind" and “be brave”.', ["never mind", "be brave"]],
    ["It is «kind».", ["kind"]],
    ["It doesn't quote.", []],
    ['An open "mark', []],
  ])("finds the quoted passages in %j", (description, passages) => {
    expect(quotedPassages(description)).toEqual(passages);
  });
});

describe("keepSupported()", () => {
  it("keeps items whose quotations all occur, and counts the others", () => {
    const items = [["keep walking"], ["keep walking", "fly"], []];
    expect(keepSupported(items, occursIn(text), (item) => item)).toEqual({
      kept: [["keep walking"], []],
      invented: 1,
    });
  });
});
