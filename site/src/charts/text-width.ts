/** Of the size of a text: an average character, and one of full width where scripts have them. */
const characterShare = 0.567;
const fullShare = 1;

/** Of a chart's texts where nothing else is said, px. */
const usualSize = 12;

/** About how wide a text is, px: charts are drawn where nothing can be measured. */
export function textWidth(text: string, size: number = usualSize): number {
  let width = 0;
  for (const character of text) {
    width += size * (character > "\u2e80" ? fullShare : characterShare);
  }
  return width;
}

/** Characters that fit into a width, px. */
export const charactersIn = (width: number, size: number = usualSize): number =>
  Math.max(0, Math.floor(width / (size * characterShare)));
