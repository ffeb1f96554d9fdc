import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import type { Mark } from "../../../measures/report/show/shown-text.ts";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import { datePlaces, textExcerpt, valuePlaces } from "./evidence-text.ts";

const mark = (from: number, to: number): Mark => ({ from, to, tone: "good", label: "found" });

/** Words numbered by their position. */
const long = Array.from({ length: 3000 }, (_, k) => `w${k}`).join(" ");
const markOf = (word: string) =>
  mark(long.indexOf(` ${word} `) + 1, long.indexOf(` ${word} `) + 1 + word.length);
const markedIn = ({ text, marks }: ReturnType<typeof textExcerpt>) =>
  marks.map(({ from, to }) => text.slice(from, to));

test("textExcerpt() shows all of a short text", () => {
  const block = textExcerpt("Text", "Ada paid 3.", [mark(9, 10), mark(0, 3)]);
  expect(block).toMatchObject({ text: "Ada paid 3.", left: 0 });
  expect(markedIn(block)).toEqual(["Ada", "3"]);
});

test("textExcerpt() shows the start of a long text without marks", () => {
  const { text, left } = textExcerpt("Text", long, []);
  expect(long.startsWith(text)).toBe(true);
  expect(text.length + left).toBe(long.length);
});

test("textExcerpt() shows the passages around the marks of a long text, in text order", () => {
  const block = textExcerpt("Text", long, [markOf("w2500"), markOf("w700")]);
  expect(markedIn(block)).toEqual(["w700", "w2500"]);
  expect(block.text.startsWith(" […] ")).toBe(true);
  expect(block.text.length).toBeLessThan(1700);
  expect(block.left).toBeGreaterThan(10_000);
});

test("textExcerpt() keeps the first given marks if there are too many", () => {
  const words = Array.from({ length: 60 }, (_, k) => `w${2950 - 40 * k}`);
  const block = textExcerpt("Text", long, words.map(markOf));
  expect(markedIn(block)).toContain("w2950");
  expect(block.text.length).toBeLessThan(1700);
});

test("textExcerpt() keeps marks on the same words, and counts the omitted characters", () => {
  const texts = fc.array(fc.string({ unit: "binary", minLength: 1 }), {
    minLength: 200,
    maxLength: 300,
  });
  const places = fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 40 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(texts, places, (parts, pairs) => {
      const text = parts.join("padding ");
      const marks = pairs.map(([from, length]) => mark(from, Math.min(text.length, from + length)));
      const block = textExcerpt(
        "Text",
        text,
        marks.filter(({ from, to }) => from < to),
      );
      const shown = marks.map(({ from, to }) => text.slice(from, to));
      for (const one of markedIn(block))
        expect(shown.some((part) => part.includes(one))).toBe(true);
      const gaps = block.text.split(" […] ").length - 1;
      const kept = countCodePoints(block.text) - gaps * 5;
      if (!text.includes(" […] ")) expect(kept + block.left).toBe(countCodePoints(text));
    }),
    { numRuns: 50 },
  );
});

const rules = { caseSensitive: false, normalizeWhitespace: true };
const text =
  "Invoice 17 of ACME\u00a0Corp.\nTotal: 1,200.50 EUR or 1 200 with 12.50; rate 1e-7. ACME corp, 7 March 2025";

test.each<[Json, string[]]>([
  ["acme corp", ["ACME\u00a0Corp", "ACME corp"]],
  ["acme corporation", []],
  ["cme", []],
  [1200.5, ["1,200.50"]],
  [1200, ["1 200"]],
  [17, ["17"]],
  [12.5, ["12.50"]],
  [200.5, ["200.50"]],
  [99, []],
  ["2025-03-07", ["7 March 2025"]],
  [
    ["2025-03-07", 17],
    ["7 March 2025", "17"],
  ],
  [
    ["total", 17, null, true],
    ["Total", "17"],
  ],
  ["e", []],
  [7, []],
  [true, []],
  [null, []],
  [{ a: 17 }, []],
  ["", []],
])("valuePlaces() of %j returns %j", (value, found) => {
  const places = valuePlaces(text, rules)(value);
  expect(places.map(({ from, to }) => text.slice(from, to))).toEqual(found);
});

test("valuePlaces() searches only the first 50,000 UTF-16 units of a text", () => {
  const long = `${"x ".repeat(25_000)}here`;
  expect(valuePlaces(long, rules)("here")).toEqual([]);
});

test("valuePlaces() stays within any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("1,200", "12 500", "1.000"),
  );
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.oneof(fc.string(), fc.double(), fc.integer()),
      (parts, value) => {
        const whole = [...parts, value].join(" ");
        for (const { from, to } of valuePlaces(whole, rules)(value)) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(whole.length);
        }
      },
    ),
  );
});

const wordsAt = (value: string, text: string) =>
  datePlaces(value, text).map(({ from, to }) => text.slice(from, to));

test.each([
  ["Date: 7 March 2025", "7 March 2025"],
  ["on the 7th of March, 2025.", "7th of March, 2025"],
  ["MARCH 7, 2025", "MARCH 7, 2025"],
  ["Mar. 7th 2025", "Mar. 7th 2025"],
  ["Fri 07-Mar-25", "07-Mar-25"],
  ["am 7. März 2025 in", "7. März 2025"],
  ["le 7 mars 2025", "7 mars 2025"],
  ["el 7 de marzo de 2025", "7 de marzo de 2025"],
  ["07.03.2025", "07.03.2025"],
  ["7/3/25 09:30", "7/3/25"],
  ["3/7/2025", "3/7/2025"],
  ["2025/03/07", "2025/03/07"],
  ["2025年3月7日", "2025年3月7日"],
  ["IMG_20250307.jpg", "20250307"],
  ["on 7\u00a0March\n2025", "7\u00a0March\n2025"],
  ["settled on 7 March; thank you", "7 March"],
  ["17 March 2025", null],
  ["7 March 2024", null],
  ["7 de marzo de 2024", null],
  ["7 March, 1000 hours", null],
  ["7 Marches", null],
  ["8 March 2025", null],
  ["1.7.3.2025", null],
  ["it may, 7 times", null],
])("datePlaces() of 2025-03-07 in %j returns %j", (text, words) => {
  expect(wordsAt("2025-03-07", text)).toEqual(words === null ? [] : [words]);
});

test("datePlaces() ignores the time of a date, and prefers days with a year", () => {
  const text = "From 12 Nov until 12 Nov 2024, 12.11.2024";
  expect(wordsAt("2024-11-12T07:52:00Z", text)).toEqual(["12 Nov 2024", "12.11.2024"]);
});

test.each(["2025-13-01", "2025-00-10", "2025-03-00", "7 March 2025", "2025-03-071", ""])(
  "datePlaces() finds nothing for %j",
  (value) => {
    expect(datePlaces(value, "7 March 2025, 1.13.2025, 10.0.2025, 0.3.2025")).toEqual([]);
  },
);

test("datePlaces() finds every day in each usual notation, and no other day", () => {
  const days = fc.date({
    min: new Date("1000-01-01"),
    max: new Date("9999-12-28"),
    noInvalidDate: true,
  });
  const forms = [
    { day: "numeric", month: "long", year: "numeric" },
    { day: "2-digit", month: "2-digit", year: "numeric" },
  ] as const;
  const written = ["en-GB", "en-US", "de-DE", "fr-FR", "es-ES"].flatMap((locale) =>
    forms.map((form) => ({
      form,
      format: new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC" }),
    })),
  );
  fc.assert(
    fc.property(days, fc.constantFrom(...written), (date, { form, format }) => {
      const words = format.format(date);
      const iso = date.toISOString().slice(0, 10);
      expect(wordsAt(iso, `(${words})`)).toEqual([words]);
      const next = new Date(date.getTime() + 25 * 86_400_000).toISOString().slice(0, 10);
      if (form.month === "long") expect(wordsAt(next, `(${words})`)).toEqual([]);
    }),
  );
});

test("datePlaces() is linear in the text", () => {
  const text = "7 ".repeat(50_000) + "mar ".repeat(50_000);
  expect(datePlaces("2025-03-07", text)).toHaveLength(1);
});
