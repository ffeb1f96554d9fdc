import { expect, it } from "vitest";
import { currentSection } from "./current-section.ts";

const sections = [
  { link: "summary", top: -900 },
  { link: "errors", top: 80 },
  { link: "samples", top: 700 },
];

it.each([
  [100, "errors"],
  [80, "errors"],
  [79, "summary"],
  [-1_000, "summary"],
  [900, "samples"],
])("currentSection() at %d is %s", (line, link) => {
  expect(currentSection(sections, line)).toBe(link);
});

it("currentSection() without sections is undefined", () => {
  expect(currentSection([], 100)).toBeUndefined();
});
