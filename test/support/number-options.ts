/** Parses an option's value as a number above 0; throws an error that names the option. */
export function positive(flag: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new Error(`${flag} takes a number above 0, not "${text}"`);
}

/** Parses an option's value as a whole number from 1 to `most`; throws an error that names the option. */
export function wholeNumber(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`${flag} takes a whole number from 1 to ${most}, not "${text}"`);
}
