const compiled = new Map<string, RegExp | null>();

/** Patterns kept compiled: more than any schema has, few enough to stay small. */
const maxKept = 1000;

/**
 * `pattern` as a regular expression with the flag `u`, as JSON Schema asks; null for one that is not
 * valid so. Never throws; compiled once.
 * Source: JSON Schema 2020-12 core, section 6.4; ECMA-262.
 * @example compilePattern("^a+$")?.test("aa") // true
 */
export function compilePattern(pattern: string): RegExp | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = tryCompile(pattern);
  if (compiled.size >= maxKept) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

function tryCompile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

/** An escape of a character that needs none, such as `\_`: fine without the flag `u`, not with it. */
const needlessEscape = /\\([^\w^$\\.*+?()[\]{}|/-]|_)/gu;

/**
 * `pattern` in a form valid with the flag `u`: itself, or itself without needless escapes, which
 * many hands write; null for a pattern that is invalid even so.
 * Source: ECMA-262, IdentityEscape with and without `u`.
 * @example unicodePattern("^[a-z\\_]+$") // "^[a-z_]+$"
 */
export function unicodePattern(pattern: string): string | null {
  if (compilePattern(pattern) !== null) return pattern;
  const relaxed = pattern.replace(/\\[\s\S]/gu, (escaped) => escaped.replace(needlessEscape, "$1"));
  return compilePattern(relaxed) === null ? null : relaxed;
}
