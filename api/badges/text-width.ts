// In place of anafanafo, from which badge-maker gets the widths of texts (wrangler.toml, alias): of its four tables these
// two are enough for the styles that badges have here, and as written here they add 29 kB to the compressed Worker, not 282.
import { createConsumer } from "char-width-table-consumer";
import tables from "./text-widths.json" with { type: "json" };

/** Widths of a font: read with its first text, since a start of the Worker need not wait for them. */
function consumerOf(table: string): () => { widthOf(text: string): number } {
  let read: ReturnType<typeof createConsumer> | null = null;
  return () => {
    read ??= createConsumer(rangesOf(table));
    return read;
  };
}

/**
 * First and last character of each range with its width, px. In the table each is its width in hundredths of a pixel
 * (none: no width is known), and ":" and its length where that is not 1; both in base 36, from character 0.
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

/** Fonts of badge-maker; the size of a text is in proportion to that of its font. */
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
