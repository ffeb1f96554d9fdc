import { validate } from "@cfworker/json-schema";
import { isIri, isIriReference, isUri, isUriReference } from "@hyperjump/uri";
import punycode from "punycode.js";
import type { Draft } from "../index/schema-keywords.ts";

/** The part of the standard class that is used here; every runtime has it. */
declare const URL: new (address: string) => { hostname: string };

/** Far longer than any formatted value; the expressions behind some formats backtrack. */
const maxFormattedLength = 1_000;

/**
 * Whether `value` has `format`, as `draft` defines it; true for a format that is not known. A text of more than 1,000
 * characters has none. Leading zeros of an IPv4 address are allowed, as RFC 2673, section 3.2, which the drafts
 * name, allows them. Never throws.
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

/** Some checks of the library throw for what they do not know. */
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
/** ASCII that no host name holds. */
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/;
/** The letters and digits of RFC 5892, section 2.1, and its exceptions; all others are disallowed. */
const allowedLabel =
  /^[-a-z0-9\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00b7\u0375\u05f3\u05f4\u30fb\u06fd\u06fe\u0f0b\u3007\u200c\u200d]+$/u;
/** RFC 5892, sections 2.6 and 2.9: exceptions that are disallowed, and conjoining Hangul. */
const disallowed =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const misplaced = /^\p{M}|^-|-$|^..--/u;
/** Characters outside of the context they need: RFC 5892, appendices A.2 to A.9; of A.2 any mark will do. */
const outOfContext = [
  /(?<!\p{M})\u200d/u,
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/,
];

/**
 * Whether a name is an internationalized host name: each label is one of IDNA 2008 once it is mapped as UTS 46
 * says. Punycode, joiners, marks and directions are checked by the URL standard's parser, which every runtime
 * has, so that no table of Unicode is carried along.
 * Source: RFC 5890–5893, UTS 46.
 */
function isIdnHostname(name: string): boolean {
  if (foreignAscii.test(name) || name.split(labelSeparator).includes("")) return false;
  try {
    // With a last label of letters no name is taken for an IPv4 address.
    const ascii = new URL(`http://${name}.example`).hostname.slice(0, -".example".length);
    return ascii.length <= 253 && ascii.split(".").every(isLabel);
  } catch {
    return false;
  }
}

/** Of a label in ASCII, which the parser has accepted. */
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

/** As an e-mail address, with characters beyond ASCII in both parts: RFC 6531, section 3.3. */
function isIdnEmail(address: string): boolean {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const asAscii = local.replace(/[^\0-\x7f]/g, "a");
  if (at < 1 || !libraryHas(`${asAscii}@example.org`, "email")) return false;
  return domain.startsWith("[") ? libraryHas(`a@${domain}`, "email") : isIdnHostname(domain);
}

/** With `T` in between: a note of RFC 3339, section 5.6, lets applications write a blank, its grammar does not. */
const isDateTime = (text: string): boolean =>
  /^.{10}t/i.test(text) && libraryHas(text, "date-time");

/** What moves the index of an element, `+1` or `-1`, behind the number of levels. */
const indexManipulation = /^(0|[1-9][0-9]*)[+-](?:0|[1-9][0-9]*)(?=[/#]|$)/;

/**
 * Source: draft-bhutton-relative-json-pointer-00 for 2020-12, with `#` behind a manipulation as in its examples, which
 * its grammar leaves out; draft-handrews-relative-json-pointer-01 for the drafts before, which has no manipulation.
 */
function isRelativePointer(text: string, draft: Draft): boolean {
  const plain = draft === "2020-12" ? text.replace(indexManipulation, "$1") : text;
  return libraryHas(plain, "relative-json-pointer");
}

/** Formats that `@cfworker/json-schema` does not know, or knows too little of. */
const formats: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["date-time", isDateTime],
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["idn-email", isIdnEmail],
  ["uri", safely(isUri)],
  // No format of JSON Schema, but written for one; the library's expression for it backtracks without end.
  ["url", safely(isUri)],
  ["uri-reference", safely(isUriReference)],
  ["iri", safely(isIri)],
  ["iri-reference", safely(isIriReference)],
]);
