import { expect, test } from "vitest";
import { foundMark } from "./passages.ts";

const text = "Total: 1,200 of ACME Corp";
const mark = { tone: "good", label: "found" } as const;

test.each<[string, string[], boolean]>([
  ["ACME Corp", ["ACME Corp"], false],
  ["ACME Corp", ["acme corp"], true],
  ["ACME", ["of ACME …"], false],
  ["1,200", ["1200"], true],
  ["1,200", ["1200", "1,200"], false],
  ["Total", [], true],
])("foundMark() of %j looked for as %j is loose: %s", (words, forms, isLoose) => {
  const from = text.indexOf(words);
  const place = { from, to: from + words.length };
  const loose = isLoose ? { isLoose: true } : {};
  expect(foundMark(text, place, forms, mark)).toEqual({ ...place, ...mark, ...loose });
});
