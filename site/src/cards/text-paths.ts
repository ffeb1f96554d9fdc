import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { create, type Font, type Glyph } from "fontkitten";

export type Weight = 400 | 600;

/** Subsets of Inter, in the order in which they are searched for a character. Licence: SIL OFL 1.1. */
const subsets = ["latin", "latin-ext", "greek", "cyrillic", "vietnamese"];

// Resolves from the project's folder, where builds and tests run, because a build's code is elsewhere.
const require = createRequire(join(process.cwd(), "package.json"));
const folder = dirname(require.resolve("@fontsource/inter/package.json"));
const fonts = new Map<Weight, Font[]>();

/** The fonts of a weight; read once. */
function fontsOf(weight: Weight): Font[] {
  const known = fonts.get(weight);
  if (known !== undefined) return known;
  const read = subsets.map((subset) => {
    const file = join(folder, "files", `inter-${subset}-${weight}-normal.woff`);
    return create(unpacked(readFileSync(file))) as Font;
  });
  fonts.set(weight, read);
  return read;
}

/**
 * Unpacks a WOFF file (https://www.w3.org/TR/WOFF/) to the font in it: the font library takes four times as long, which
 * is 60 ms of each build.
 */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let i = 0; i < count; i++) {
    const [of, at] = [44 + 20 * i, 12 + 16 * i];
    const [begin, bytes, size] = [of + 4, of + 8, of + 12].map((place) =>
      woff.readUInt32BE(place),
    ) as [number, number, number];
    const stored = woff.subarray(begin, begin + bytes);
    woff.copy(head, at, of, of + 4);
    woff.copy(head, at + 4, of + 16, of + 20);
    head.writeUInt32BE(end, at + 8);
    head.writeUInt32BE(size, at + 12);
    // Tables start at multiples of four bytes.
    parts.push(bytes < size ? inflateSync(stored) : stored, Buffer.alloc(-size & 3));
    end += size + (-size & 3);
  }
  return Buffer.concat(parts);
}

/** Drawn for a character that no font has. */
const REPLACEMENT = "?";

interface Placed {
  glyph: Glyph;
  /** Pixels per unit of the glyph. */
  scale: number;
}

interface Style {
  size: number;
  weight?: Weight;
}

/** The shapes of a text's characters, in order, without kerning. */
const glyphsOf = (text: string, { size, weight = 400 }: Style): Placed[] =>
  [...text.normalize("NFC")].map((char) => {
    const all = fontsOf(weight);
    const code = char.codePointAt(0) ?? 0;
    const font = all.find((one) => one.hasGlyphForCodePoint(code));
    const its = font ?? (all[0] as Font);
    const glyph = its.glyphForCodePoint(font ? code : REPLACEMENT.charCodeAt(0));
    return { glyph, scale: size / its.unitsPerEm };
  });

/** Width of a text, px. Characters that the fonts lack are drawn as question marks. */
export const textWidth = (text: string, style: Style): number =>
  glyphsOf(text, style).reduce((sum, { glyph, scale }) => sum + glyph.advanceWidth * scale, 0);

/**
 * The outlines of a text as the data of an SVG path, so that no font is needed. `x`: start of the text; `y`: its
 * baseline.
 */
export function textPath(text: string, x: number, y: number, style: Style): string {
  let at = x;
  const parts = glyphsOf(text, style).map(({ glyph, scale }) => {
    // The y axis of glyphs points up.
    const path = glyph.path.scale(scale, -scale).translate(at, y);
    at += glyph.advanceWidth * scale;
    return path.toSVG();
  });
  return parts.join("");
}

/** The text, or its beginning with an ellipsis, at most `width` px wide. */
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
