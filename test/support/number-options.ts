/** The number above 0 that an option was given; throws an error that names the option. */
export function positive(flag: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new Error(`${flag} takes a number above 0, not "${text}"`);
}
