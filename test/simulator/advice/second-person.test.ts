import { describe, expect, it } from "vitest";
import { inSecondPerson, quoteQuery } from "../../../simulator/advice/second-person.ts";

describe("inSecondPerson()", () => {
  it.each([
    ["Takes warfarin for her heart", "you take warfarin for your heart", true],
    ["Had a bad fall.", "you had a bad fall", true],
    ["Often does not notice it", "you often do not notice it", true],
    ["Allergic to cashew", "you are allergic to cashew", true],
    ["Her sister calls her at night", "your sister calls you at night", true],
    ["The doctor told him to rest", "the doctor told you to rest", false],
    ["Dr Brandao has a plan", "Dr Brandao has a plan", false],
    ["", "", false],
  ])("converts '%s' to '%s'", (fact, text, isClause) => {
    expect(inSecondPerson(fact)).toEqual({ text, isClause });
  });
});

describe("quoteQuery()", () => {
  it("quotes another sentence for each index, shortened and without punctuation", () => {
    const words = quoteQuery('I "did" it!! Shall I go on and on and on until the very end of it?');
    expect([words(0), words(1), words(2)]).toEqual([
      "I did it",
      "Shall I go on and on and on until",
      "I did it",
    ]);
    expect(quoteQuery("?!")(0)).toBe("this");
  });
});
