import fc from "fast-check";
import { expect, test } from "vitest";
import { passagesIn } from "./passages.ts";

const text =
  "I’m glad,  Ada: “you *can* run” – but rest. Then run\nagain; ½ mile in Zürich. 走るのが好き。";
const shown = (passage: string) =>
  passagesIn(text)(passage).map(({ from, to }) => text.slice(from, to));

test.each<[string, string[]]>([
  ["I'm glad, ada", ["I’m glad,  Ada"]],
  ["you can run", ["you *can* run"]],
  ['"You can run"', ["you *can* run"]],
  ["run", ["run", "run"]],
  ["run again", ["run\nagain"]],
  ["glad … rest", ["glad", "rest"]],
  ["rest ... glad", []],
  ["glad … nowhere", []],
  ["res", []],
  ["ürich", []],
  ["zürich.", ["Zürich"]],
  ["run” - but", ["run” – but"]],
  ["好き", ["好き"]],
  ["", []],
  ["…", []],
  [' " ', []],
])("passagesIn() finds %j as %j", (passage, found) => {
  expect(shown(passage)).toEqual(found);
});

test("passagesIn() maps letters that fold to several letters", () => {
  const wide = "ﬃ: İstanbul ends";
  const places = passagesIn(wide)("ends");
  expect(places.map(({ from, to }) => wide.slice(from, to))).toEqual(["ends"]);
});

test("passagesIn() returns the first twenty places", () => {
  expect(passagesIn("a ".repeat(100))("a")).toHaveLength(20);
});

test("passagesIn() finds any sequence of words of a text, in order and without overlaps", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.nat(11), fc.integer({ min: 1, max: 4 }), (all, start, count) => {
      const from = start % all.length;
      const piece = all.slice(from, from + count).join(" ");
      const whole = all.join(" ");
      const found = passagesIn(whole)(piece.toUpperCase());
      expect(found.length).toBeGreaterThan(0);
      for (const [i, place] of found.entries()) {
        expect(whole.slice(place.from, place.to)).toBe(piece);
        expect(place.from).toBeGreaterThanOrEqual(found[i - 1]?.to ?? 0);
      }
    }),
  );
});

test("passagesIn() accepts any text without throwing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (whole, piece) => {
      for (const { from, to } of passagesIn(whole)(piece)) {
        expect(0 <= from && from < to && to <= whole.length).toBe(true);
      }
    }),
  );
});
