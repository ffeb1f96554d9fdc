import type { Json } from "../../../../contracts/json.ts";
import { normalizeText, type TextRules } from "../../../../measures/text/normalize-text.ts";
import { isBoundary, withinTokens } from "../../../../measures/text/within-tokens.ts";

/** Maximum searched characters for the values of one answer: 4,000 values in a text of 100,000. */
const MOST_SEARCHED = 4e8;

/**
 * Whether a sample's text contains values: a string if its normalised form occurs between token boundaries, a number if
 * its shortest decimal form does, with or without digit-group separators, an array if every element except nulls does;
 * a boolean or `{}` never; an empty string or array always. The text is normalised on first use. O(text) per value, up
 * to 4·10⁸ searched characters per answer; further values count as not in the text, so that an answer with many values
 * can't block a service.
 * Source: docs/spec/extraction.md, section 8.
 * @example new TextEvidence("Total: 1,200 EUR", rules).holds(1200) // true
 */
export class TextEvidence {
  #left = MOST_SEARCHED;
  readonly #text: string;
  readonly #rules: TextRules;
  #normal: string | null = null;
  #ungrouped: string | null = null;

  constructor(text: string, rules: TextRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Resets the limit for the values of another answer. */
  restart(): void {
    this.#left = MOST_SEARCHED;
  }

  holds(value: Json): boolean {
    if (typeof value === "string") {
      return this.#maySearch() && this.#holdsText(normalizeText(value, this.#rules));
    }
    if (typeof value === "number") return this.#maySearch() && this.#holdsNumber(value);
    return Array.isArray(value) && value.every((one) => one === null || this.holds(one));
  }

  #maySearch(): boolean {
    this.#left -= this.#text.length;
    return this.#left >= 0;
  }

  #holdsText(text: string): boolean {
    this.#normal ??= normalizeText(this.#text, this.#rules);
    return withinTokens(text, this.#normal);
  }

  #holdsNumber(value: number): boolean {
    if (!Number.isFinite(value)) return false;
    this.#normal ??= normalizeText(this.#text, this.#rules);
    this.#ungrouped ??= ungrouped(this.#normal);
    const form = decimalForm(value);
    return (
      numberWithin(form, this.#normal) ||
      (this.#ungrouped !== this.#normal && numberWithin(form, this.#ungrouped)) ||
      (form !== String(value) && withinTokens(String(value), this.#normal))
    );
  }
}

/**
 * A number with digit-group separators: commas (also Indian, by twos), points, apostrophes or spaces.
 * It never begins inside another number, which also keeps the search linear.
 */
const grouped =
  /(?<![\d.,'’])\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:\.\d{3})+|(?:['’]\d{3})+|(?: \d{3})+)(?!\d)/g;

/**
 * `text` with normalised whitespace and without digit-group separators. A point before three digits counts as a
 * separator, and so does the comma in a list of three-digit numbers, so also search the original text. Linear.
 * Source: docs/spec/extraction.md, section 8.
 * @example ungrouped("1,200.50 or 1 200") // "1200.50 or 1200"
 */
export function ungrouped(text: string): string {
  return text.replace(grouped, (number) => number.replace(/[,.'’ ]/g, ""));
}

/**
 * The shortest decimal form of a finite number, without an exponent.
 * Source: docs/spec/extraction.md, section 8.
 * @example decimalForm(1e-7) // "0.0000001"
 */
export function decimalForm(value: number): string {
  const shortest = String(Math.abs(value));
  const [mantissa = "", exponent] = shortest.split("e");
  const sign = value < 0 ? "-" : "";
  if (exponent === undefined) return sign + shortest;
  const digits = mantissa.replace(".", "");
  const point = 1 + Number(exponent);
  return point > 0 ? sign + digits.padEnd(point, "0") : `${sign}0.${"0".repeat(-point)}${digits}`;
}

/**
 * Whether the number `form` occurs in `text` as a separate number: not as a part of a longer number or word, except for
 * trailing zeros after the decimals (45 is in "45.00", not in "45.99").
 * Source: docs/spec/extraction.md, section 8.
 * @example numberWithin("45", "EUR 45.00") // true
 */
export function numberWithin(form: string, text: string): boolean {
  return numberPlace(form, text, 0) !== null;
}

/**
 * The first place from index `from` on at which `numberWithin` finds the number, including trailing zeros after its
 * decimals; null if there is none. Linear.
 * @example numberPlace("45", "EUR 45.00", 0) // { from: 4, to: 9 }
 */
export function numberPlace(
  form: string,
  text: string,
  from: number,
): { from: number; to: number } | null {
  for (let at = text.indexOf(form, from); at >= 0; at = text.indexOf(form, at + 1)) {
    const to = afterZeros(form, text, at + form.length);
    if (isBoundary(text, at) && isBoundary(text, to) && !isDecimal(text, at, to)) {
      return { from: at, to };
    }
  }
  return null;
}

function afterZeros(form: string, text: string, end: number): number {
  let at = end;
  if (!form.includes(".")) {
    if (text[at] !== "." || text[at + 1] !== "0") return end;
    at++;
  }
  while (text[at] === "0") at++;
  return at;
}

/** Whether digits precede or follow a point next to the text from `at` to `end`. */
function isDecimal(text: string, at: number, end: number): boolean {
  return (
    (text[at - 1] === "." && isDigit(text[at - 2])) || (text[end] === "." && isDigit(text[end + 1]))
  );
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}
