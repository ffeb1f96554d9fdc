/** A number as the site prints it, without sign of currency and unit, and what may stand behind it. */
const leading = /^\s*\$?([\d,]*\.?\d+(?:e[+-]?\d+)?)/;

/** The number that a cell's text begins with; null where it begins with none, as a dash. */
export function cellNumber(text: string): number | null {
  const found = leading.exec(text)?.[1];
  return found === undefined ? null : Number(found.replaceAll(",", ""));
}
