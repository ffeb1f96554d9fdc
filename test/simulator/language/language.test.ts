import { describe, expect, it } from "vitest";
import { isEmergency, pointsToHelp } from "../../../simulator/language/emergency.ts";
import { moodOf, strongestOf } from "../../../simulator/language/moods.ts";
import { quotable, sentencesOf, shareIn, stemsOf } from "../../../simulator/language/stems.ts";

describe("stemsOf()", () => {
  it.each([
    ["She takes warfarin every evening.", ["warfarin"]],
    ["Runs, running and a runner's run", ["run", "runner"]],
    ["39.2 degrees", ["39.2", "degre"]],
    ["of the and", []],
    ["", []],
  ])("of '%s' are %j", (text, stems) => {
    expect(stemsOf(text)).toEqual(stems);
  });
});

describe("shareIn()", () => {
  it("returns the share of stems in the set, and 0 without stems", () => {
    expect(shareIn(["a", "b"], new Set(["b", "c"]))).toBe(0.5);
    expect(shareIn([], new Set(["a"]))).toBe(0);
  });
});

describe("sentencesOf()", () => {
  it.each([
    ["Rest. Then walk!", ["Rest.", "Then walk!"]],
    ["At 8 p.m. we eat 3.5 g.", ["At 8 p.m. we eat 3.5 g."]],
    ["One line\n- two\n\n", ["One line", "- two"]],
    ["…", []],
  ])("splits '%s'", (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });
});

describe("quotable()", () => {
  it("stops before a quotation mark", () => {
    expect(quotable('You said "rest" to me.')).toBe("You said");
    expect(quotable("“Rest” is what you said")).toBe("Rest");
  });
});

describe("moodOf()", () => {
  it("returns shares that sum to 1 for any text", () => {
    for (const text of ["", "!!!!", "I love and hate and fear it!"]) {
      const sum = Object.values(moodOf(text)).reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(1, 10);
    }
  });
});

describe("strongestOf()", () => {
  it.each([
    [{ fear: 0.6, joy: 0.4 }, "fear"],
    [{ fear: 0.5, joy: 0.5 }, "neutral"],
    [{}, "neutral"],
  ])("of %j is %s", (mix, name) => {
    expect(strongestOf(mix as Record<string, number>)).toBe(name);
  });
});

describe("isEmergency() and pointsToHelp()", () => {
  it("recognise emergencies and references to help", () => {
    expect(isEmergency("There's a weight on my chest.")).toBe(true);
    expect(isEmergency("My back is sore.")).toBe(false);
    expect(pointsToHelp("Call an ambulance.")).toBe(true);
    expect(pointsToHelp("Wait until tomorrow.")).toBe(false);
  });
});
