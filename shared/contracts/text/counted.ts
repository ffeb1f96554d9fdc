/**
 * A count with its noun, digits grouped by thousands.
 * @example counted(2, "field") // "2 fields"
 */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
