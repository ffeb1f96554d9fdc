import { describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../contracts/json.ts";
import { examples } from "../../suites/__fixtures__/examples.ts";
import { scoredRun } from "../../suites/__fixtures__/scored-run.ts";
import { suites } from "../../suites/registry.ts";
import { aggregateRows, breakdownCells } from "./aggregate-rows.ts";

/** The value at a JSON pointer. */
const resolved = (document: Json, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);

const leaves = (value: Json): number =>
  value === null
    ? 0
    : typeof value === "object"
      ? Object.values(value).reduce((sum: number, part) => sum + leaves(part as Json), 0)
      : 1;

describe.each(suites.map((suite) => [suite.id, suite] as const))(
  "aggregateRows() of %s",
  (id, suite) => {
    const { rows, perfect } = examples[id]!;
    const answered = rows.map((row) => {
      const checked = suite.checkSample(row);
      if (!checked.ok) throw new Error(checked.error);
      return [checked.value.sample, perfect(checked.value.sample)] as const;
    });
    const { summary } = scoredRun(suite, answered, suite.optionsSchema.parse({}));
    const all = [...aggregateRows(summary, suite.metrics)];

    it("has every metric with its catalogue entry, the headline first", () => {
      const metrics = all.filter(({ kind }) => kind === "metric");
      expect(metrics.map((row) => row.id)).toEqual(suite.metrics.map((metric) => metric.id));
      expect(metrics[0]).toMatchObject({ id: suite.headline, value: 1, n: rows.length });
      for (const [i, { label, unit, better, definition }] of suite.metrics.entries()) {
        expect(metrics[i]).toMatchObject({ label, unit, better, definition });
      }
    });

    it("has the value of each breakdown cell at its pointer", () => {
      const cells = all.filter(({ kind }) => kind === "cell");
      expect(cells.length).toBeGreaterThan(3);
      for (const { id: pointer, value } of cells) {
        const found = resolved(summary.breakdown, pointer);
        expect([pointer, isJsonObject(found) ? found["value"] : found]).toEqual([pointer, value]);
      }
      expect(new Set(cells.map((cell) => cell.id)).size).toBe(cells.length);
      const ends = cells.reduce((sum, { low }) => sum + (low === null ? 0 : 2), 0);
      const inFigures = cells.filter(({ id: pointer }) => {
        const found = resolved(summary.breakdown, pointer);
        return isJsonObject(found) && typeof found["n"] === "number";
      }).length;
      const measured = cells.filter(({ value }) => value !== null).length;
      expect(measured + ends + inFigures).toBe(leaves(summary.breakdown));
    });
  },
);

it("breakdownCells() names list elements and inherits n from the enclosing part", () => {
  const figures = { f1: { value: 0.5, interval: [0.25, 0.75] } };
  const breakdown = { tags: [{ tag: "language", name: "en", n: 9, figures }] } as Json;
  const cells = [...breakdownCells(breakdown)];
  expect(cells.at(-1)).toEqual({
    id: "/tags/0/figures/f1",
    label: "tags, language en, figures, f1",
    key: "f1",
    value: 0.5,
    low: 0.25,
    high: 0.75,
    n: 9,
  });
});

it("aggregateRows() is empty for a run without results", () => {
  expect([...aggregateRows({ metrics: null, breakdown: null }, [])]).toEqual([]);
});
