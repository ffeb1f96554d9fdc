import type { Json } from "../../../../contracts/json.ts";
import { normalizeText, type TextRules } from "../../../../measures/normalize-text.ts";
import { withinTokens } from "../../../../measures/within-tokens.ts";
import { decimalForm, numberWithin, ungrouped } from "./number-text.ts";

/**
 * Whether values stand in a sample's text: a string when its normalised form occurs on token
 * boundaries, a number when its shortest decimal form does, digit-group separators removed or not, an
 * array when every element does, nulls aside; a boolean or `{}` never. What holds nothing, an empty
 * string or array, always does. The text is normalised when it is first asked about; O(text) a value.
 * Source: docs/spec/extraction.md, section 8.
 * @example new TextEvidence("Total: 1,200 EUR", rules).holds(1200) // true
 */
export class TextEvidence {
  readonly #text: string;
  readonly #rules: TextRules;
  #normal: string | null = null;
  #ungrouped: string | null = null;

  constructor(text: string, rules: TextRules) {
    this.#text = text;
    this.#rules = rules;
  }

  holds(value: Json): boolean {
    if (typeof value === "string") return this.#holdsText(normalizeText(value, this.#rules));
    if (typeof value === "number") return this.#holdsNumber(value);
    return Array.isArray(value) && value.every((one) => one === null || this.holds(one));
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
