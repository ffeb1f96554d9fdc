/** Rules that make two strings comparable. */
export interface TextRules {
  caseSensitive: boolean;
  normalizeWhitespace: boolean;
}

/** Below this, every UTF-16 unit is its own NFC form (the first combining mark is U+0300). */
const firstCombiningMark = 0x300;
const noBreakSpace = 0xa0;

/**
 * `text` in Unicode NFC; with `rules` also trimmed with its whitespace runs (JavaScript's `\s`) as one space, and in
 * lower case (`toLowerCase`, no locale). Empty stays empty. Linear; normalised text is returned unchanged.
 * Source: docs/spec/extraction.md, section 3.
 * @example normalizeText(" New\u00a0 York", { caseSensitive: false, normalizeWhitespace: true }) // "new york"
 */
export function normalizeText(text: string, rules: TextRules): string {
  const spaced = isPlain(text) ? text : composed(text, rules);
  return rules.caseSensitive ? spaced : spaced.toLowerCase();
}

function composed(text: string, rules: TextRules): string {
  const nfc = text.normalize("NFC");
  return rules.normalizeWhitespace ? nfc.replace(otherSpace, " ").trim() : nfc;
}

/** A run of whitespace other than a single space, which most are. */
const otherSpace = /[^\S ]\s*| \s+/g;

/** Whether NFC and whitespace normalisation would leave `text` unchanged. */
function isPlain(text: string): boolean {
  let afterSpace = true;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) {
      if (afterSpace) return false;
      afterSpace = true;
    } else {
      if (unit < 0x20 || unit === noBreakSpace || unit >= firstCombiningMark) return false;
      afterSpace = false;
    }
  }
  return text.length === 0 || !afterSpace;
}
