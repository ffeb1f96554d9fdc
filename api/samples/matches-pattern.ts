/**
 * Whether a text matches a pattern; `*` matches any characters, and the case of letters does not matter. Linear in the
 * text for each star, so no pattern is expensive.
 * @example matchesPattern("*date*", "invoice.due_date") // true
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const given = text.toLowerCase();
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return given === first;
  if (!given.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = given.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return given.length - last.length >= at && given.endsWith(last);
}
