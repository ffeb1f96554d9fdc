import anafanafo from "anafanafo";
import { expect, it } from "vitest";
import bold10 from "../../node_modules/anafanafo/data/verdana-10px-bold.json" with { type: "json" };
import normal11 from "../../node_modules/anafanafo/data/verdana-11px-normal.json" with {
  type: "json",
};
import widthOf, { rangesOf } from "./text-width.ts";

it.each([
  ["11px Verdana", 0],
  ["bold 10px Verdana", 0],
  // A tenth of a pixel in ten characters.
  ["10px Verdana", 0.01],
])("widthOf() in %s equals the width from the whole library", (font, atMost) => {
  for (const text of ["Assay · extraction", "0.967 ±0.04 · #1/4", "ΔΩ жук 模型 🙂", ""]) {
    const whole = anafanafo(text, { font });
    expect(Math.abs(widthOf(text, { font }) - whole)).toBeLessThanOrEqual(
      atMost * text.length + 1e-9,
    );
  }
});

/** A table of the library in our compact notation; `vitest -u` writes the table of a new version. */
function written(table: readonly (readonly number[])[]): string {
  let next = 0;
  const ranges = table.flatMap(([first = 0, last = 0, width = 0]) => {
    const gap = first - next;
    next = last + 1;
    const run = [Math.round(width * 100).toString(36), next - first] as const;
    return gap > 0 ? [["", gap] as const, run] : [run];
  });
  return ranges.map(([width, n]) => (n > 1 ? `${width}:${n.toString(36)}` : width)).join(" ");
}

it("text-widths.json has the exact tables of the library", async () => {
  const tables = { bold10: written(bold10), normal11: written(normal11) };
  expect(rangesOf(tables.bold10)).toEqual(bold10);
  expect(rangesOf(tables.normal11)).toEqual(normal11);
  const file = `${JSON.stringify(tables, null, 2)}\n`;
  await expect(file).toMatchFileSnapshot("./text-widths.json");
});

it("widthOf() throws for an unknown font", () => {
  expect(() => widthOf("a", { font: "bold 11px Helvetica" })).toThrow("no widths of the font");
});
