import { expect, test } from "vitest";
import type { ReportBlock, ReportSection } from "../../contracts/report.ts";
import { addPoint, noPoints, pointsOf } from "../../measures/run-points.ts";
import { anAnswer, aSample, aScored } from "./__fixtures__/build.ts";
import { dozen } from "./__fixtures__/dozen.ts";
import { aSyntheticSample } from "./__fixtures__/synthetic.ts";
import { extractionAggregate } from "./aggregate.ts";
import { breakdownSchema } from "./breakdown.ts";
import { extractionFeatures } from "./features.ts";
import { defaultOptions } from "./options.ts";
import { extractionReport } from "./report.ts";

type Scored = Parameters<typeof extractionAggregate.add>[1];

const run = {
  ...{ runId: "r", options: defaultOptions, prices: null, wallMs: null },
  ...{ points: null, timeline: null },
};
const summaryOf = (samples: readonly Scored[], facts = run) =>
  extractionAggregate.finish(
    samples.reduce(extractionAggregate.add, extractionAggregate.empty()),
    facts,
  );
const reportOf = (outputs: string[]) =>
  extractionReport(
    summaryOf(
      outputs.map((output, seq) =>
        aScored(seq, aSample({ a: 1 }, { id: `${seq}` }), anAnswer(output)),
      ),
    ),
    run,
  );

type BlockOf<Kind extends ReportBlock["kind"]> = Extract<ReportBlock, { kind: Kind }>;

function blockIn<Kind extends ReportBlock["kind"]>(
  report: readonly ReportSection[],
  kind: Kind,
  title: string | RegExp,
): BlockOf<Kind> {
  const found = report
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.kind === kind && block.title.match(title) !== null);
  if (found === undefined) throw new Error(`no ${kind} ${title}`);
  return found as BlockOf<Kind>;
}

test("extractionReport() has its sections in order", () => {
  const ids = [
    ...["summary", "fields", "parts", "paths", "types", "errors", "hallucinations", "outputs"],
    ...["performance", "complexity", "recommendations"],
  ];
  expect(reportOf(['{"a": 1}']).map(({ id }) => id)).toEqual(ids);
});

test("extractionReport() draws EQS on zones that cover 0 to 1", () => {
  const gauge = blockIn(reportOf(['{"a": 1}', "?"]), "gauge", "EQS");
  expect(gauge.value).toBe(0.5);
  expect(gauge.zones[0]?.from).toBe(0);
  expect(gauge.zones.at(-1)?.to).toBe(1);
  expect(gauge.zones.slice(1).map(({ from }) => from)).toEqual(
    gauge.zones.slice(0, -1).map(({ to }) => to),
  );
});

test.each([
  [
    Array<string>(20).fill('{"a": 1}'),
    /^By EQS \(excellent\) and hallucination rate alone: deploy without human review\. Beside it: 100\.0% of the outputs equal .* \(exact match, grade A\+, .* n = 20\)\. Every known measure with thresholds meets at least “excellence”\.$/,
  ],
  [
    Array<string>(20).fill("?"),
    /^Below the minimum: EQS, Schema validity, Partial F1, Hallucination rate\. By EQS \(poor\) and hallucination rate alone: not recommended\. Beside it: 0\.0% of the outputs/,
  ],
  [Array<string>(19).fill('{"a": 1}'), /^The run rests on 19 samples, too few to recommend/],
  [[], /^No answer was scored/],
])("extractionReport() recommends for outputs %#", (outputs, text) => {
  expect(blockIn(reportOf(outputs), "note", "Recommendation").text).toMatch(text);
});

test("extractionReport() says beside its recommendation that samples are not covered", () => {
  const error = { class: "timeout" as const, message: "late" };
  const lost = Array.from({ length: 30 }, (_, seq) => {
    const answer = seq < 10 ? anAnswer(null, { error }) : anAnswer('{"a": 1}');
    return aScored(seq, aSample({ a: 1 }, { id: `${seq}` }), answer);
  });
  const { text } = blockIn(extractionReport(summaryOf(lost), run), "note", "Recommendation");
  expect(text).toMatch(
    / Only 66\.7% of the samples are covered: each of the others is 0 in all of this\.$/,
  );
});

test("extractionReport() lists how outputs were read", () => {
  const table = blockIn(reportOf(['{"a": 1}', "{'a': 1}", "?"]), "table", "Output handling");
  expect(table.rows.slice(0, 3)).toEqual([
    { name: "Parsed at once", count: 1, share: 1 / 3 },
    { name: "Recovered", count: 1, share: 1 / 3 },
    { name: "No JSON", count: 1, share: 1 / 3 },
  ]);
});

const summary = summaryOf(dozen);
const small = extractionReport(summary, run);
const tables = breakdownSchema.parse(summary.breakdown);

test("extractionReport() draws the components of EQS, which add up to it with their weights", () => {
  const { axes } = blockIn(small, "radar", "What EQS");
  const weights = Object.values(defaultOptions.weights);
  const eqs = axes.reduce((sum, { value }, k) => sum + (value ?? 0) * weights[k]!, 0);
  expect(eqs).toBeCloseTo(summary.metrics["eqs"]?.value ?? 0, 12);
  for (const { value, interval } of axes) {
    expect(interval?.[0]).toBeLessThanOrEqual(value ?? 0);
    expect(interval?.[1]).toBeGreaterThanOrEqual(value ?? 1);
  }
});

test("extractionReport() shows precision, recall and F1 in the three modes as the metrics have them", () => {
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

test("extractionReport() shows what stands in place of each expected type, as shares of a row", () => {
  const { rows, columns, cells } = blockIn(small, "matrix", "in place of each type");
  expect(rows.names).toEqual(["string", "number", "array"]);
  for (const row of cells) {
    expect(row.reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBeCloseTo(1, 12);
  }
  const missing = cells[2]?.[columns.names.indexOf("absent")];
  expect(missing).toBeCloseTo(5 / 6, 12);
  expect(cells[2]?.[columns.names.indexOf("invalid output")]).toBeCloseTo(1 / 6, 12);
});

test("extractionReport() draws every error under its group, and what goes wrong by field", () => {
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
    ...{ "invalid output": 3 + 2, "failed request": 1 },
  });
  const map = blockIn(small, "matrix", "What goes wrong by field");
  const cell = tables.fields.byPath.find(({ name }) => name === "age")!;
  expect(map.cells[map.rows.names.indexOf("age")]).toEqual([
    (cell.missed - 2) / cell.expected,
    ...[2 / cell.expected, 0],
    cell.incorrect / cell.expected,
    cell.spurious / cell.predicted,
  ]);
});

test("extractionReport() tells fields missed in valid outputs from those of invalid outputs and failed requests", () => {
  const { parts } = blockIn(small, "stack", "Fields by category");
  const { missed, exact } = tables.categories;
  expect(parts.map(({ label, count }) => [label, count])).toEqual([
    ...[
      ["Exact", exact],
      ["Partial", 3],
      ["Incorrect", 3],
    ],
    ...[
      ["Missed", missed - 5 - 1],
      ["Invalid output", 5],
      ["Failed request", 1],
    ],
    ["Spurious", 3],
  ]);
  const { groups } = blockIn(small, "tree", "Errors by pattern");
  expect(groups.slice(-2)).toMatchObject([
    {
      label: "Invalid output",
      parts: [
        { label: "no JSON", count: 3 },
        { label: "not valid by the schema", count: 2 },
      ],
    },
    { label: "Failed request", parts: [{ count: 1 }] },
  ]);
  const { columns, rows } = blockIn(small, "table", "Fields by path");
  expect(columns.map(({ label }) => label)).toContain("Invalid output");
  expect(rows.find(({ path }) => path === "name")).toMatchObject({
    ...{ missed: 0, invalidOutput: 2, failedRequest: 1 },
  });
  expect(small.find(({ id }) => id === "errors")?.intro).toContain(
    "Nothing of 2 invalid outputs and 1 failed request is used: 6 fields expected there",
  );
  expect(small.find(({ id }) => id === "hallucinations")?.intro).toContain(
    "The headline counts 3 answers of this run as wholly made up: 2 invalid outputs and 1 failed request.",
  );
});

test("extractionReport() gives what outputs off the schema would have earned", () => {
  const schema = { type: "object", properties: { a: { type: "number" } }, required: ["b"] };
  const sample = aSample({ a: 1, b: 2 }, { schema });
  const { intro } = extractionReport(
    summaryOf([aScored(0, sample, anAnswer('{"a": 1}'))]),
    run,
  ).find(({ id }) => id === "errors")!;
  expect(intro).toContain("read as if valid, partial F1 over these would be 0.667");
});

test("extractionReport() calls all missed in runs that did not tell them apart", () => {
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

test("extractionReport() goes by type and depth where paths are rare, and says so", () => {
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
    expect(report.find((section) => section.id === id)?.intro).toContain(
      "Name paths in 10 samples or more hold only 33.3% of the expected fields",
    );
  }
});

test("extractionReport() draws only paths that enough samples have", () => {
  const mixed = Array.from({ length: 30 }, (_, seq) =>
    aScored(
      seq,
      aSample({ a: 1, b: 2, ...(seq < 9 && { rare: 3 }) }, { id: `${seq}` }),
      anAnswer('{"a": 1, "b": 2}'),
    ),
  );
  const report = extractionReport(summaryOf(mixed), run);
  expect(blockIn(report, "matrix", /by field$/).rows.names).toEqual(["a", "b"]);
  expect(report.find(({ id }) => id === "errors")?.intro).not.toContain("grouped");
});

test("extractionReport() draws correlations that were measured, on a scale around 0", () => {
  const { rows, columns, cells, scale } = blockIn(small, "matrix", "What goes together");
  expect(scale).toBe("diverging");
  const known = tables.complexity.correlations;
  const bys = [...new Set(known.map(({ by }) => by))];
  expect(columns.names).toHaveLength(bys.length);
  for (const { measure, by, r } of known) {
    expect(cells[rows.names.indexOf(measure)]?.[bys.indexOf(by)]).toEqual(r);
  }
  expect(cells[rows.names.indexOf("Partial F1")]?.at(-1)).toBeNull();
});

const many = Array.from({ length: 400 }, (_, seq) => {
  const one = aSyntheticSample(seq);
  return { ...one, call: { ...one.call, confidence: (seq % 10) / 10 } };
});
const tally = noPoints();
for (const { seq, id, score, call } of many) {
  const answer = { ...call, refusal: null };
  addPoint(tally, { seq, id, repeat: 0, answer, score }, () => extractionFeatures(score));
}
const wait = { n: 400, p50: 1, p95: 2, p99: 3, max: 4 };
const timed = {
  ...{ ...run, wallMs: 60_000, points: pointsOf(tally) },
  timeline: {
    ...{ wallMs: 60_000, binMs: 1000, queueWaitMs: wait, retryWaitMs: wait },
    bins: Array.from({ length: 60 }, (_, k) => ({
      ...{ completed: 6 + (k % 3), failed: k % 2, attempts: 8, meanLatencyMs: 400 + k },
    })),
  },
};
const large = extractionReport(
  extractionAggregate.finish(
    many.reduce(extractionAggregate.add, extractionAggregate.empty()),
    timed,
  ),
  timed,
);

test("extractionReport() adds tags and calibration where there are any", () => {
  expect(large.map(({ id }) => id).slice(-4)).toEqual([
    ...["complexity", "calibration", "tags", "recommendations"],
  ]);
});

test("extractionReport() cuts long tables, and says how many rows there are", () => {
  const { blocks } = large.find(({ id }) => id === "paths")!;
  const [table, note] = blocks;
  expect(table?.kind === "table" && table.rows).toHaveLength(15);
  expect(note?.kind === "note" && note.text).toMatch(/^The first 15 of 60;/);
});

test("extractionReport() picks parts that stand out, tags among them", () => {
  const rows = ["Strengths", "Weaknesses"].flatMap((title) => blockIn(large, "table", title).rows);
  expect(rows.length).toBeGreaterThan(0);
  for (const { n } of rows) expect(n).toBeGreaterThanOrEqual(20);
});

test("extractionReport() draws answers one by one where their points are there", () => {
  const titles = ["Latency against EQS", "Partial F1 against fields of the schema"];
  for (const title of titles) {
    const { title: shown, points } = blockIn(large, "scatter", title);
    expect(shown).toBe(`${title}, 300 random answers of 400`);
    expect(points).toHaveLength(300);
  }
  const { groups } = blockIn(large, "boxes", "Spread of partial F1 by complexity");
  expect(groups.map(({ label }) => label)).toEqual(["simple", "medium", "complex"]);
  expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(300);
});

test("extractionReport() draws latencies with their percentiles, and the run over its time", () => {
  const { bins, lines } = blockIn(large, "histogram", "Latency of answers");
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  expect(lines.map(({ label }) => label)).toEqual(["p50", "p95", "p99"]);
  expect(blockIn(large, "series", "Throughput over time").series).toHaveLength(2);
});

test("extractionReport() draws accuracy against confidence, beside perfect calibration", () => {
  const { series } = blockIn(large, "series", "Partial F1 by confidence");
  const [answers, perfect] = series;
  expect(answers?.points).toHaveLength(12);
  expect(perfect?.points.every(({ x, y }) => x === y)).toBe(true);
});

test("extractionReport() draws each value of a tag with its interval", () => {
  const { bars } = blockIn(large, "bars", "EQS by language");
  expect(bars.map(({ label, n }) => [label, n])).toEqual(
    ["de", "en", "fr", "ja"].map((name) => [name, 100]),
  );
  for (const { interval } of bars) expect(interval).not.toBeNull();
});

test("extractionReport() stays small enough for its page", () => {
  expect(JSON.stringify(large).length).toBeLessThan(120_000);
});

test("extractionReport() has a unique title for each block, and a row cell for each column", () => {
  const blocks = large.flatMap((section) => section.blocks);
  expect(new Set(blocks.map(({ title }) => title)).size).toBe(blocks.length);
  for (const block of blocks) {
    if (block.kind !== "table") continue;
    const ids = block.columns.map(({ id }) => id);
    for (const row of block.rows) expect(Object.keys(row).sort()).toEqual([...ids].sort());
  }
});

const tenFields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, "red brick"]));
/** Every value is right but for one, which is close. */
const nearly = (i: number) => {
  const output = JSON.stringify({ ...tenFields, f0: "red bricks" });
  const sample = aSample(tenFields, { id: `${i}`, tags: { language: i % 2 === 0 ? "de" : "en" } });
  return aScored(i, sample, anAnswer(i < 40 ? output : JSON.stringify(tenFields)));
};
const inexact = Array.from({ length: 48 }, (_, i) => nearly(i));

test("extractionReport() names exact match beside a rule that would have nothing reviewed", () => {
  const note = blockIn(extractionReport(summaryOf(inexact), run), "note", "Recommendation");
  expect(note.tone).toBe("poor");
  expect(note.text).toMatch(
    /^Not without review: only 16\.7% of the outputs equal .* \(exact match, grade F, 95% interval .*, n = 48\); the other 83\.3% differ .* alone: deploy without human review\./,
  );
});

test("extractionReport() has one grade a measure: the threshold that it meets, or a letter", () => {
  const report = extractionReport(summaryOf(inexact), run);
  const { rows } = blockIn(report, "table", "At a glance");
  expect(rows.map(({ measure, grade }) => [measure, grade])).toEqual([
    ["EQS", "excellence"],
    ["Schema validity", "excellence"],
    ["Partial F1", "excellence"],
    ["Exact match", "F"],
    ["Hallucination rate", "excellence"],
    ["Latency p95", null],
    ["Success rate", "excellence"],
  ]);
});

test("extractionReport() compares groups of samples by EQS and exact match, too", () => {
  const split = inexact.map((sample, i) => (i % 2 === 0 ? sample : perfect(i)));
  const report = extractionReport(summaryOf(split), run);
  const parts = (title: string) =>
    blockIn(report, "table", title).rows.map(({ part, measure }) => `${part}, ${measure}`);
  expect(parts("Weaknesses")).toEqual(
    expect.arrayContaining(["language: de, EQS", "language: de, Exact match"]),
  );
  expect(parts("Strengths")).toContain("language: en, Exact match");
});

const perfect = (i: number) =>
  aScored(
    i,
    aSample(tenFields, { id: `${i}`, tags: { language: "en" } }),
    anAnswer(JSON.stringify(tenFields)),
  );
