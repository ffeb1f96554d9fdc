import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Font, parse } from "opentype.js";

export type Weight = 400 | 600;

/** Subsets of Inter, in the order in which they are searched for a character. Licence: SIL OFL 1.1. */
const subsets = ["latin", "latin-ext", "greek", "cyrillic", "vietnamese"];

// From the project, where builds and tests run: the code of a build is somewhere else.
const require = createRequire(join(process.cwd(), "package.json"));
const fonts = new Map<Weight, Font[]>();

/** The fonts of a weight; read once. */
function fontsOf(weight: Weight): Font[] {
  const known = fonts.get(weight);
  if (known !== undefined) return known;
  const read = subsets.map((subset) => {
    const file = require.resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`);
    const { buffer, byteOffset, byteLength } = readFileSync(file);
    return parse(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  });
  fonts.set(weight, read);
  return read;
}

/** A character that no font has. */
const REPLACEMENT = "?";

/** Parts of a text by the font that has their characters. */
function* runsOf(text: string, weight: Weight): Generator<{ text: string; font: Font }> {
  const all = fontsOf(weight);
  let [part, font] = ["", all[0] as Font];
  for (const char of text.normalize("NFC")) {
    const having = all.find((one) => one.charToGlyphIndex(char) > 0);
    const [its, drawn] = having ? [having, char] : [all[0] as Font, REPLACEMENT];
    if (its !== font && part !== "") {
      yield { text: part, font };
      part = "";
    }
    font = its;
    part += drawn;
  }
  if (part !== "") yield { text: part, font };
}

interface Style {
  size: number;
  weight?: Weight;
}

/** Width of a text, px. Characters that the fonts lack are drawn as question marks. */
export function textWidth(text: string, { size, weight = 400 }: Style): number {
  return [...runsOf(text, weight)].reduce(
    (sum, run) => sum + run.font.getAdvanceWidth(run.text, size),
    0,
  );
}

/** The outlines of a text as the data of an SVG path, so that drawing it needs no font. `x`: of its start; `y`: of its baseline. */
export function textPath(text: string, x: number, y: number, { size, weight = 400 }: Style): string {
  let at = x;
  const parts = [...runsOf(text, weight)].map((run) => {
    const path = run.font.getPath(run.text, at, y, size).toPathData(1);
    at += run.font.getAdvanceWidth(run.text, size);
    return path;
  });
  return parts.join("");
}

/** The text, or its beginning and an ellipsis, so that it is at most `width` px wide. */
export function fitText(text: string, width: number, style: Style): string {
  if (textWidth(text, style) <= width) return text;
  const chars = [...text];
  let [low, high] = [0, chars.length];
  const cut = (count: number) => `${chars.slice(0, count).join("").trimEnd()}…`;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(cut(middle), style) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}
