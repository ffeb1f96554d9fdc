import { expect, test } from "vitest";
import { anAnswer, aSample, aScored } from "../__fixtures__/build.ts";
import { dozen } from "../__fixtures__/dozen.ts";
import { blockIn, run, summaryOf } from "../__fixtures__/reported.ts";
import { breakdownSchema } from "../sum/breakdown/breakdown.ts";
import { extractionReport } from "./report.ts";

const summary = summaryOf(dozen);
const small = extractionReport(summary, run);
const tables = breakdownSchema.parse(summary.breakdown);

test("extractionReport() shows every error in its group, and error rates by field", () => {
  const { groups } = blockIn(small, "tree", "Errors by pattern");
  const counts = Object.fromEntries(
    groups.map(({ label, parts }) => [
      label.toLowerCase(),
      parts.reduce((sum, { count }) => sum + count, 0),
    ]),
  );
  const known = Object.entries(tables.errorAnalysis.groups).filter(([, count]) => count > 0);
  expect(counts).toEqual({
    ...Object.fromEntries(known),
    "invalid output": 3 + 2,
    "failed request": 1,
  });
  const map = blockIn(small, "matrix", "What goes wrong by field");
  const cell = tables.fields.byPath.find(({ name }) => name === "age")!;
  expect(map.cells[map.rows.names.indexOf("age")]).toEqual([
    (cell.missed - 2) / cell.expected,
    2 / cell.expected,
    0,
    cell.incorrect / cell.expected,
    cell.spurious / cell.predicted,
  ]);
});

test("extractionReport() distinguishes fields missed in valid outputs, in invalid outputs and in failed requests", () => {
  const { parts } = blockIn(small, "stack", "Fields by category");
  const { missed, exact } = tables.categories;
  expect(parts.map(({ label, count }) => [label, count])).toEqual([
    ["Exact", exact],
    ["Partial", 3],
    ["Incorrect", 3],

    ["Missed", missed - 5 - 1],
    ["Invalid output", 5],
    ["Failed request", 1],
    ["Spurious", 3],
  ]);
  const { groups } = blockIn(small, "tree", "Errors by pattern");
  expect(groups.slice(-2)).toMatchObject([
    {
      label: "Invalid output",
      parts: [
        { label: "not JSON", count: 3 },
        { label: "does not fit the schema", count: 2 },
      ],
    },
    { label: "Failed request", parts: [{ count: 1 }] },
  ]);
  const { columns, rows } = blockIn(small, "table", "Fields by path");
  expect(columns.map(({ label }) => label)).toContain("Invalid output");
  expect(rows.find(({ path }) => path === "name")).toMatchObject({
    missed: 0,
    invalidOutput: 2,
    failedRequest: 1,
  });
  expect(blockIn(small, "note", "How these are counted").text).toContain(
    "No field counts of 2 invalid outputs and 1 failed request: 6 fields expected there",
  );
  expect(blockIn(small, "note", "Counted as hallucinated").text).toContain(
    "The headline counts 3 answers of this run as entirely hallucinated: 2 invalid outputs and 1 failed request.",
  );
});

test("extractionReport() states the partial F1 of schema-violating outputs as if they were valid", () => {
  const schema = { type: "object", properties: { a: { type: "number" } }, required: ["b"] };
  const sample = aSample({ a: 1, b: 2 }, { schema });
  const report = extractionReport(summaryOf([aScored(0, sample, anAnswer('{"a": 1}'))]), run);
  expect(blockIn(report, "note", "How these are counted").text).toContain(
    "read as if valid, partial F1 over these would be 0.667",
  );
});

test("extractionReport() counts all lost fields as missed for old runs that do not distinguish them", () => {
  const old = JSON.parse(JSON.stringify(summary.breakdown));
  delete old.errorAnalysis.lost;
  delete old.errorAnalysis.salvage;
  for (const group of [...old.tags.groups, ...old.complexity.bins]) delete group.lost;
  for (const cell of Object.values(old.fields).flat() as Record<string, unknown>[]) {
    delete cell["invalidOutput"];
    delete cell["failedRequest"];
  }
  const report = extractionReport({ ...summary, breakdown: old }, run);
  const { parts } = blockIn(report, "stack", "Fields by category");
  expect(parts).toHaveLength(5);
  expect(parts[3]).toMatchObject({ label: "Missed", count: tables.categories.missed });
  expect(parts[3]?.definition).toContain("all fields of an invalid output or a failed request");
  expect(blockIn(report, "matrix", "What goes wrong by field").columns.names).toHaveLength(3);
});

test("extractionReport() groups fields by type and depth if paths are rare, and says so", () => {
  const rare = Array.from({ length: 30 }, (_, seq) =>
    aScored(
      seq,
      aSample({ id: "x", [`p${seq % 15}`]: 1, [`q${seq % 15}`]: 2 }, { id: `${seq}` }),
      anAnswer(`{"id": "x", "p${seq % 15}": 1}`),
    ),
  );
  const report = extractionReport(summaryOf(rare), run);
  const map = blockIn(report, "matrix", "What goes wrong by type, depth and frequent field");
  expect(map.rows.names).toEqual(["type string", "type number", "depth 0", "id"]);
  expect(map.cells.map(([missed]) => missed)).toEqual([0, 0.5, 1 / 3, 0]);
  const { points } = blockIn(report, "scatter", "Precision against recall by type, depth");
  expect(points.map(({ label }) => label)).toEqual(map.rows.names);
  for (const id of ["errors", "fields"]) {
    const section = report.filter((one) => one.id === id);
    expect(blockIn(section, "note", "Grouped fields").text).toContain(
      "Name paths in 10 samples or more have only 33.3% of the expected fields",
    );
  }
});

test("extractionReport() shows only paths that occur in enough samples", () => {
  const mixed = Array.from({ length: 30 }, (_, seq) =>
    aScored(
      seq,
      aSample({ a: 1, b: 2, ...(seq < 9 && { rare: 3 }) }, { id: `${seq}` }),
      anAnswer('{"a": 1, "b": 2}'),
    ),
  );
  const report = extractionReport(summaryOf(mixed), run);
  expect(blockIn(report, "matrix", /by field$/).rows.names).toEqual(["a", "b"]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles).not.toContain("Grouped fields");
});

test("extractionReport() names losses by path unless they spread over many paths", () => {
  const labels = (sections: typeof small) =>
    sections.flatMap(({ losses = [] }) => losses.map(({ label }) => label));
  expect(labels(small).some((label) => label.includes(": "))).toBe(true);
  const wrong = (n: number) => aScored(n, aSample({ [`b${n}`]: 2 }), anAnswer(`{"b${n}": 3}`));
  expect(labels(extractionReport(summaryOf([wrong(0)]), run))).toEqual(["b0: partial value"]);
  const many = Array.from({ length: 25 }, (_, n) => wrong(n));
  expect(labels(extractionReport(summaryOf(many), run))).toEqual(["partial value"]);
});
