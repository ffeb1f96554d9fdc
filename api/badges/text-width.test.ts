import anafanafo from "anafanafo";
import { expect, it } from "vitest";
import widthOf from "./text-width.ts";

it.each([
  ["11px Verdana", 0],
  ["bold 10px Verdana", 0],
  // A tenth of a pixel in ten characters.
  ["10px Verdana", 0.01],
])("the width of a text in %s is that of the whole library", (font, atMost) => {
  for (const text of ["Assay · extraction", "0.967 ±0.04 · #1/4", "ΔΩ жук 模型 🙂", ""]) {
    const whole = anafanafo(text, { font });
    expect(Math.abs(widthOf(text, { font }) - whole)).toBeLessThanOrEqual(
      atMost * text.length + 1e-9,
    );
  }
});

it("another font is an error", () => {
  expect(() => widthOf("a", { font: "bold 11px Helvetica" })).toThrow("no widths of the font");
});
