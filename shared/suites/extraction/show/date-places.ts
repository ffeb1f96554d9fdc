import type { Passage } from "../../../measures/report/passages.ts";
import { monthNames } from "./month-names.ts";

/** Places of one date: more marks than these help nobody. */
const mostPlaces = 20;

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?=$|[T ])/;
/** Neither letters nor digits go on there: "13 March" is no "3 March", and "1.3.3.2025" no date. */
const begin = String.raw`(?<![\p{L}\p{N}]|\d[./-])`;
const end = String.raw`(?![\p{L}\p{N}]|[./-]\d)`;
/** What would be another year. */
const noYear = String.raw`(?!,?\s(?:(?:de|of)\s)?\d{4})`;

/**
 * Where a text writes the day of an ISO 8601 date, or date and time, in another form: "3 March 2025", "March 3rd,
 * 2025", "03.03.25", "3/3/2025" with day or month first, "2025年3月3日"; names of months in English, German, French
 * and Spanish, letter case aside. Where no place has the year, those of day and named month alone. The first 20
 * places, in order; empty for what is no such date. Linear in the text.
 * @example datePlaces("2025-03-07", "Date: 7 March 2025") // [{ from: 6, to: 18 }]
 */
export function datePlaces(value: string, text: string): Passage[] {
  const [, year = "", month = "", day = ""] = isoDate.exec(value) ?? [];
  const names = monthNames[Number(month) - 1];
  if (names === undefined || Number(day) < 1 || Number(day) > 31) return [];
  const named = namedForms(Number(day), names);
  const full = [...withYear(named, year), ...numberForms(year, Number(month), Number(day))];
  const found = placesOf(full, text);
  if (found.length > 0) return found;
  const yearless = Object.values(named).map((form) => `${form}${end}${noYear}`);
  return placesOf(yearless, text);
}

interface NamedForms {
  dayFirst: string;
  monthFirst: string;
}

function namedForms(day: number, names: readonly string[]): NamedForms {
  const name = `(?:${names.join("|")})\\.?`;
  const its = `0?${day}(?:st|nd|rd|th|er|\\.|º)?`;
  return {
    dayFirst: `${its}\\s?(?:of\\s|de\\s|-)?\\s?${name}`,
    monthFirst: `${name}\\s?-?${its}`,
  };
}

const withYear = ({ dayFirst, monthFirst }: NamedForms, year: string): string[] =>
  [dayFirst, monthFirst].map((form) => `${form}(?:,?\\s|\\s(?:de|of)\\s|-|,)${yearForm(year)}`);

/** All in numbers: whether day or month comes first can't be known. */
function numberForms(year: string, month: number, day: number): string[] {
  const [m, d] = [`0?${month}`, `0?${day}`];
  const orders = ["/", "\\.", "-"].flatMap((by) => [
    `${d}${by}\\s?${m}${by}\\s?${yearForm(year)}`,
    `${m}${by}${d}${by}${yearForm(year)}`,
    `${year}${by}${m}${by}${d}`,
  ]);
  return [...orders, `${year}年\\s?${m}月\\s?${d}日`, `${year}${pad(month)}${pad(day)}`];
}

const pad = (part: number): string => String(part).padStart(2, "0");

const yearForm = (year: string): string => `(?:${year}|['’]?${year.slice(2)})`;

function placesOf(forms: readonly string[], text: string): Passage[] {
  const pattern = new RegExp(`${begin}(?:${forms.join("|")})${end}`, "giu");
  const found: Passage[] = [];
  for (const { 0: words, index } of text.matchAll(pattern)) {
    found.push({ from: index, to: index + words.length });
    if (found.length === mostPlaces) break;
  }
  return found;
}
