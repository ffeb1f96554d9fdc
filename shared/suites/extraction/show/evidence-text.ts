import type { Json } from "../../../contracts/json.ts";
import type { TextBlock, Tone } from "../../../contracts/report.ts";
import { foundMark } from "../../../measures/report/found-mark.ts";
import type { Passage } from "../../../measures/report/passages.ts";
import type { Mark } from "../../../measures/report/shown-text.ts";
import { decimalForm } from "../score/errors/number-text.ts";
import type { DiagnosedField } from "../score/fields/diagnosed-field.ts";
import { textExcerpt } from "./text-excerpt.ts";
import { valuePlaces } from "./value-places.ts";

/** Fields whose values are looked for; those that went wrong come first. */
const mostFields = 80;

/** How scoring compares by default: what a run may set otherwise moves no more than a mark. */
const rules = { caseSensitive: false, normalizeWhitespace: true };

const kinds = {
  wanted: { tone: "missed", label: "Expected and not given" },
  instead: { tone: "wrong", label: "Given instead" },
  unasked: { tone: "extra", label: "Given, and not expected" },
  close: { tone: "close", label: "Expected, and partly given" },
  found: { tone: "right", label: "Expected and given" },
} as const satisfies Record<string, { tone: Tone; label: string }>;

/** Which side of a field is looked for as what, gravest first. */
const sought = [
  ["incorrect", "expected", "wanted"],
  ["missed", "expected", "wanted"],
  ["incorrect", "predicted", "instead"],
  ["spurious", "predicted", "unasked"],
  ["partial", "expected", "close"],
  ["exact", "expected", "found"],
] as const satisfies readonly [
  DiagnosedField["category"],
  "expected" | "predicted",
  keyof typeof kinds,
][];

/**
 * The text of a sample with the values of an answer's fields marked where they stand in it, each once and no
 * two over each other; of a long text the parts around the marks. Those that the text writes otherwise are loose.
 * Source: docs/spec/extraction.md, section 8.
 * @example evidenceText("Ada Lovelace, 1815", fields).marks[0]?.label // "Expected and given"
 */
export function evidenceText(text: string, fields: readonly DiagnosedField[]): TextBlock {
  const placesOf = valuePlaces(text, rules);
  const marks: Mark[] = [];
  const isFree = ({ from, to }: Passage) =>
    marks.every((mark) => to <= mark.from || from >= mark.to);
  let looked = 0;
  for (const [category, side, kind] of sought) {
    for (const field of fields) {
      if (field.category !== category || looked >= mostFields) continue;
      looked++;
      const value = field[side] ?? null;
      const place = placesOf(value).find(isFree);
      if (place !== undefined) marks.push(foundMark(text, place, writtenForms(value), kinds[kind]));
    }
  }
  return textExcerpt("Text", text, marks);
}

/** How a value would stand in a text that has it just so. */
function writtenForms(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [decimalForm(value)];
  return Array.isArray(value) ? value.flatMap(writtenForms) : [];
}
