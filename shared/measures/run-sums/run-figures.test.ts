import { expect, it } from "vitest";
import { tagFigures } from "./run-figures.ts";

const figure = (value: number) => ({ value, interval: [value, value] as [number, number] });

it("tagFigures() returns the headline of every value of every tag, in order", () => {
  const tags = [
    { tag: "kind", name: "plain", n: 9, figures: { f1: figure(0.5), recall: figure(0.1) } },
    { tag: "language", name: "en", n: 4, figures: { f1: { value: 0.7, interval: null } } },
  ];
  expect(tagFigures({ tags, samples: 9 }, "f1")).toEqual([
    { tag: "kind", name: "plain", n: 9, headline: figure(0.5) },
    { tag: "language", name: "en", n: 4, headline: { value: 0.7, interval: null } },
  ]);
});

it("tagFigures() omits values without a headline", () => {
  const tags = [{ tag: "kind", name: "plain", n: 9, figures: { recall: figure(0.1) } }];
  expect(tagFigures({ tags }, "f1")).toEqual([]);
});

it.each([
  [null],
  [undefined],
  [{}],
  [{ tags: { groups: [] } }],
  [{ tags: [{ tag: "kind" }] }],
  ["text"],
])("tagFigures(%j) is empty", (breakdown) => {
  expect(tagFigures(breakdown, "f1")).toEqual([]);
});
