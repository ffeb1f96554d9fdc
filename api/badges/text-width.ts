// Replaces anafanafo, from which badge-maker gets text widths (alias in wrangler.toml). Only two of its four tables are
// needed for our badge styles. In this notation they add 29 kB to the compressed Worker instead of 282.
import { createConsumer } from "char-width-table-consumer";
import tables from "./text-widths.json" with { type: "json" };

/** Widths of a font, parsed on first use, so that the Worker starts faster. */
function consumerOf(table: string): () => { widthOf(text: string): number } {
  let read: ReturnType<typeof createConsumer> | null = null;
  return () => {
    read ??= createConsumer(rangesOf(table));
    return read;
  };
}

/**
 * First and last character of each range with its width in px. The table has the width of each range in hundredths of a
 * pixel (empty: unknown), followed by ":" and the length unless it is 1; both in base 36, starting at character 0.
 */
export function rangesOf(table: string): number[][] {
  let next = 0;
  return table.split(" ").flatMap((range) => {
    const [width = "", length = "1"] = range.split(":");
    const first = next;
    next += Number.parseInt(length, 36);
    return width === "" ? [] : [[first, next - 1, Number.parseInt(width, 36) / 100]];
  });
}

const [bold, normal] = [consumerOf(tables.bold10), consumerOf(tables.normal11)];

/** Fonts of badge-maker; widths scale with the font size. */
const fonts: Readonly<Record<string, (text: string) => number>> = {
  "bold 10px Verdana": (text) => bold().widthOf(text),
  "10px Verdana": (text) => (normal().widthOf(text) * 10) / 11,
  "11px Verdana": (text) => normal().widthOf(text),
};

/** Width of a text, px. Throws for another font. */
export default function widthOf(text: string, { font }: { font: string }): number {
  const measure = fonts[font];
  if (measure === undefined) throw new Error(`no widths of the font ${font}`);
  return measure(text);
}
