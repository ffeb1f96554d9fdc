import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { blockIn, reportOf, run, summaryOf } from "../__fixtures__/reported.ts";
import { defaultOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown/breakdown.ts";
import { extractionReport } from "./report.ts";

const summary = summaryOf(dozen);
const small = extractionReport(summary, run);
const tables = breakdownSchema.parse(summary.breakdown);

test("extractionReport() has its sections in order", () => {
  const ids = [
    "summary",
    "fields",
    "parts",
    "paths",
    "types",
    "errors",
    "hallucinations",
    "outputs",
    "performance",
    "complexity",
    "recommendations",
  ];
  expect(reportOf(['{"a": 1}']).map(({ id }) => id)).toEqual(ids);
});

test("extractionReport() counts outputs by how they were parsed", () => {
  const table = blockIn(reportOf(['{"a": 1}', "{'a': 1}", "?"]), "table", "Output handling");
  expect(table.rows.slice(0, 3)).toEqual([
    { name: "Parsed at once", count: 1, share: 1 / 3 },
    { name: "Recovered", count: 1, share: 1 / 3 },
    { name: "Not JSON", count: 1, share: 1 / 3 },
  ]);
});

test("extractionReport() shows the rates of outputs that are valid and valid as is", () => {
  const table = blockIn(reportOf(['{"a": 1}', '{"a": 1, "z": null}']), "table", "Validity");
  expect(table.rows.map(({ name, value, interval }) => [name, value, interval])).toEqual([
    ["Valid", 1, "34.2–100.0%"],
    ["Valid as is", 1, "34.2–100.0%"],
  ]);
});

test("extractionReport() shows the components of EQS, whose weighted sum is EQS", () => {
  const { axes } = blockIn(small, "radar", "Components of EQS");
  const weights = Object.values(defaultOptions.weights);
  const eqs = axes.reduce((sum, { value }, k) => sum + (value ?? 0) * weights[k]!, 0);
  expect(eqs).toBeCloseTo(summary.metrics["eqs"]?.value ?? 0, 12);
  for (const { value, interval } of axes) {
    expect(interval?.[0]).toBeLessThanOrEqual(value ?? 0);
    expect(interval?.[1]).toBeGreaterThanOrEqual(value ?? 1);
  }
});

test("extractionReport() shows precision, recall and F1 of the metrics in the three modes", () => {
  const { bars } = blockIn(small, "bars", "in the three modes");
  const { rows } = blockIn(small, "table", "in the three modes");
  const figure = (id: string) => summary.metrics[id]?.value;
  expect(bars.map(({ value }) => value)).toEqual(
    ["strictF1", "partialF1", "lenientF1"].map(figure),
  );
  expect(rows.map((row) => [row["Precision"], row["Recall"]])).toEqual(
    ["strict", "partial", "lenient"].map((mode) =>
      [`${mode}Precision`, `${mode}Recall`].map(figure),
    ),
  );
});

test("extractionReport() shows predicted by expected type, as shares of a row", () => {
  const { rows, columns, cells } = blockIn(small, "matrix", "by expected type");
  expect(rows.names).toEqual(["string", "number", "array"]);
  for (const row of cells) {
    expect(row.reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBeCloseTo(1, 12);
  }
  const missing = cells[2]?.[columns.names.indexOf("absent")];
  expect(missing).toBeCloseTo(5 / 6, 12);
  expect(cells[2]?.[columns.names.indexOf("invalid output")]).toBeCloseTo(1 / 6, 12);
});

test("extractionReport() shows measured correlations on a diverging scale", () => {
  const { rows, columns, cells, scale } = blockIn(small, "matrix", "Correlations");
  expect(scale).toBe("diverging");
  const known = tables.complexity.correlations;
  const bys = [...new Set(known.map(({ by }) => by))];
  expect(columns.names).toHaveLength(bys.length);
  for (const { measure, by, r } of known) {
    expect(cells[rows.names.indexOf(measure)]?.[bys.indexOf(by)]).toEqual(r);
  }
  expect(cells[rows.names.indexOf("Partial F1")]?.at(-1)).toBeNull();
});
