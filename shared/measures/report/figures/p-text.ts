/**
 * A p-value as it is printed everywhere: never as 0, since no p is; `–` where no test could be made.
 * @example pText(0.0461) // "0.046"
 * @example pText(0.0000012) // "<0.001"
 */
export function pText(p: number | null, digits = 3): string {
  if (p === null) return "–";
  const least = 10 ** -digits;
  return p < least ? `<${least.toFixed(digits)}` : p.toFixed(digits);
}
