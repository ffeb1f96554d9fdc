// In place of anafanafo, from which badge-maker gets the widths of texts (wrangler.toml, alias): of its four tables these
// two are enough for the styles that badges have here, and each adds 70 kB to the compressed Worker.
import { createConsumer } from "char-width-table-consumer";
import bold10 from "../../node_modules/anafanafo/data/verdana-10px-bold.json" with { type: "json" };
import normal11 from "../../node_modules/anafanafo/data/verdana-11px-normal.json" with {
  type: "json",
};

const [bold, normal] = [createConsumer(bold10), createConsumer(normal11)];

/** Fonts of badge-maker; the size of a text is in proportion to that of its font. */
const fonts: Readonly<Record<string, (text: string) => number>> = {
  "bold 10px Verdana": (text) => bold.widthOf(text),
  "10px Verdana": (text) => (normal.widthOf(text) * 10) / 11,
  "11px Verdana": (text) => normal.widthOf(text),
};

/** Width of a text, px. Throws for another font. */
export default function widthOf(text: string, { font }: { font: string }): number {
  const measure = fonts[font];
  if (measure === undefined) throw new Error(`no widths of the font ${font}`);
  return measure(text);
}
