import { validate } from "@cfworker/json-schema";
import { isIri, isIriReference, isUri, isUriReference } from "@hyperjump/uri";
import punycode from "punycode.js";
import type { Draft } from "../index/schema-keywords.ts";

/** The part of the standard class used here; every runtime has it. */
declare const URL: new (address: string) => { hostname: string };

/** Far longer than any formatted value; the regular expressions of some formats backtrack. */
const maxFormattedLength = 1_000;

/**
 * Whether `value` has `format`, as `draft` defines it; true for an unknown format, false for a text of more than
 * 1,000 characters. IPv4 addresses may have leading zeros, as RFC 2673, section 3.2, which the drafts name, allows.
 * Never throws.
 * Source: JSON Schema 2020-12 validation, section 7.3.
 * @example hasFormat("a@b.example", "email") // true
 */
export function hasFormat(value: string, format: string, draft: Draft = "2020-12"): boolean {
  if (value.length > maxFormattedLength) return false;
  if (format === "relative-json-pointer") return isRelativePointer(value, draft);
  const check = formats.get(format);
  return check === undefined ? libraryHas(value, format) : check(value);
}

const libraryHas = (value: string, format: string): boolean =>
  validate(value, { format }, "2020-12").valid;

/** Returns false if a check throws, because some checks of the library throw for unknown input. */
function safely(check: (value: string) => boolean): (value: string) => boolean {
  return (value) => {
    try {
      return check(value);
    } catch {
      return false;
    }
  };
}

const labelSeparator = /[.\u3002\uff0e\uff61]/;
/** ASCII characters not allowed in host names. */
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/;
/** The letters and digits of RFC 5892, section 2.1, and its exceptions; all others are disallowed. */
const allowedLabel =
  /^[-a-z0-9\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00b7\u0375\u05f3\u05f4\u30fb\u06fd\u06fe\u0f0b\u3007\u200c\u200d]+$/u;
/** RFC 5892, sections 2.6 and 2.9: disallowed exceptions, and conjoining Hangul. */
const disallowed =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const misplaced = /^\p{M}|^-|-$|^..--/u;
/** Characters without the context that they need: RFC 5892, appendices A.2 to A.9; for A.2 any mark is accepted. */
const outOfContext = [
  /(?<!\p{M})\u200d/u,
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/,
];

/**
 * Whether a name is an internationalized host name: each label is valid by IDNA 2008 after the UTS 46 mapping. The
 * runtime's URL parser checks Punycode, joiners, marks and directions, so no Unicode table is bundled.
 * Source: RFC 5890–5893, UTS 46.
 */
function isIdnHostname(name: string): boolean {
  if (foreignAscii.test(name) || name.split(labelSeparator).includes("")) return false;
  try {
    // With letters as the last label, no name is parsed as an IPv4 address.
    const ascii = new URL(`http://${name}.example`).hostname.slice(0, -".example".length);
    return ascii.length <= 253 && ascii.split(".").every(isLabel);
  } catch {
    return false;
  }
}

/** For an ASCII label that the parser has accepted. */
function isLabel(label: string): boolean {
  if (label.length > 63) return false;
  const isEncoded = label.startsWith("xn--");
  const text = isEncoded ? punycode.decode(label.slice(4)) : label;
  return (
    allowedLabel.test(text) &&
    isEncoded === /[^-a-z0-9]/.test(text) &&
    !disallowed.test(text) &&
    !misplaced.test(text) &&
    !outOfContext.some((pattern) => pattern.test(text))
  );
}

const isHostname = (name: string): boolean => libraryHas(name, "hostname") && isIdnHostname(name);

/** An e-mail address with non-ASCII characters in both parts: RFC 6531, section 3.3. */
function isIdnEmail(address: string): boolean {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const asAscii = local.replace(/[^\0-\x7f]/g, "a");
  if (at < 1 || !libraryHas(`${asAscii}@example.org`, "email")) return false;
  return domain.startsWith("[") ? libraryHas(`a@${domain}`, "email") : isIdnHostname(domain);
}

/** With `T` in between: a note in RFC 3339, section 5.6, lets applications use a blank, but the grammar does not. */
const isDateTime = (text: string): boolean =>
  /^.{10}t/i.test(text) && libraryHas(text, "date-time");

/** Index manipulation, `+1` or `-1`, after the number of levels. */
const indexManipulation = /^(0|[1-9][0-9]*)[+-](?:0|[1-9][0-9]*)(?=[/#]|$)/;

/**
 * Checks a relative JSON pointer.
 * Source: draft-bhutton-relative-json-pointer-00 for 2020-12, with `#` after a manipulation as in its examples, which
 * its grammar omits; draft-handrews-relative-json-pointer-01 for earlier drafts, which has no manipulation.
 */
function isRelativePointer(text: string, draft: Draft): boolean {
  const plain = draft === "2020-12" ? text.replace(indexManipulation, "$1") : text;
  return libraryHas(plain, "relative-json-pointer");
}

/** Formats that `@cfworker/json-schema` does not know or checks incompletely. */
const formats: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["date-time", isDateTime],
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["idn-email", isIdnEmail],
  ["uri", safely(isUri)],
  // Not a format of JSON Schema, but used like one; the library's expression for it backtracks exponentially.
  ["url", safely(isUri)],
  ["uri-reference", safely(isUriReference)],
  ["iri", safely(isIri)],
  ["iri-reference", safely(isIriReference)],
]);
