import { describe, expect, it } from "vitest";
import { indexTexts } from "../../../simulator/responders/text-index.ts";

const long = "A text that is longer than an anchor of twenty-four characters.";
const index = indexTexts(["short", long, `${long} And more of it.`].map((text) => ({ text })));

describe("indexTexts()", () => {
  it("finds an exact text", () => {
    expect(index.exact(long)).toEqual([{ text: long }]);
    expect(index.exact(`${long} `)).toEqual([]);
  });

  it.each([
    [`Read: ${long} Thanks.`, [long]],
    [`Read: ${long} And more of it. Thanks.`, [`${long} And more of it.`]],
    ["something short", ["short"]],
    ["nothing of the kind", []],
    [long.slice(0, 30), []],
  ])("finds the longest text within '%s'", (prompt, texts) => {
    expect(index.within(prompt).map(({ text }) => text)).toEqual(texts);
  });

  it("returns all items with the same text", () => {
    const twins = indexTexts([
      { text: long, id: 1 },
      { text: long, id: 2 },
    ]);
    expect(twins.within(`x ${long}`)).toHaveLength(2);
  });
});
