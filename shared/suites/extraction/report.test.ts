import { expect, test } from "vitest";
import type { ReportBlock } from "../../contracts/report.ts";
import { anAnswer, aSample, aScored } from "./__fixtures__/build.ts";
import { aSyntheticSample } from "./__fixtures__/synthetic.ts";
import { extractionAggregate } from "./aggregate.ts";
import { defaultOptions } from "./options.ts";
import { extractionReport } from "./report.ts";

const run = { runId: "r", options: defaultOptions, prices: null, wallMs: null };
const reportOf = (outputs: string[]) => {
  const state = outputs
    .map((output, seq) => aScored(seq, aSample({ a: 1 }, { id: `${seq}` }), anAnswer(output)))
    .reduce(extractionAggregate.add, extractionAggregate.empty());
  return extractionReport(extractionAggregate.finish(state, run), run);
};
const blockOf = (outputs: string[], title: string): ReportBlock =>
  reportOf(outputs)
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.title === title)!;

test("extractionReport() has its sections in order", () => {
  const ids = [
    ...["summary", "components", "fields", "parts", "paths", "types", "similarity", "errors"],
    ...["hallucinations", "outputs", "performance", "complexity"],
  ];
  expect(reportOf(['{"a": 1}']).map(({ id }) => id)).toEqual(ids);
});

test("extractionReport() draws EQS on zones that cover 0 to 1", () => {
  const gauge = blockOf(['{"a": 1}', "?"], "EQS");
  if (gauge.kind !== "gauge") throw new Error(gauge.kind);
  expect(gauge.value).toBe(0.5);
  expect(gauge.zones[0]?.from).toBe(0);
  expect(gauge.zones.at(-1)?.to).toBe(1);
  expect(gauge.zones.slice(1).map(({ from }) => from)).toEqual(
    gauge.zones.slice(0, -1).map(({ to }) => to),
  );
});

test.each([
  [
    ['{"a": 1}'],
    /^By EQS \(excellent\) and hallucination rate alone: deploy without human review\. Every measure meets the tier “excellence”\.$/,
  ],
  [
    ["?"],
    /^By EQS \(poor\) and hallucination rate alone: not recommended\. Below the minimum: EQS, Schema validity, Partial F1, Hallucination rate\.$/,
  ],
  [[], /^No answer was scored/],
])("extractionReport() recommends for %j", (outputs, text) => {
  const note = blockOf(outputs, "Recommendation");
  expect(note.kind === "note" && note.text).toMatch(text);
});

test("extractionReport() lists how outputs were read", () => {
  const table = blockOf(['{"a": 1}', "{'a': 1}", "?"], "Output handling");
  expect(table.kind === "table" && table.rows.slice(0, 3)).toEqual([
    { name: "Parsed at once", count: 1, share: 1 / 3 },
    { name: "Recovered", count: 1, share: 1 / 3 },
    { name: "No JSON", count: 1, share: 1 / 3 },
  ]);
});

const large = extractionReport(
  extractionAggregate.finish(
    Array.from({ length: 300 }, (_, seq) => {
      const one = aSyntheticSample(seq);
      return { ...one, call: { ...one.call, confidence: (seq % 10) / 10 } };
    }).reduce(extractionAggregate.add, extractionAggregate.empty()),
    { ...run, wallMs: 1000 },
  ),
  run,
);

test("extractionReport() adds tags and calibration where there are any", () => {
  expect(large.map(({ id }) => id).slice(-3)).toEqual(["complexity", "calibration", "tags"]);
});

test("extractionReport() cuts long tables, and says how many rows there are", () => {
  const { blocks } = large.find(({ id }) => id === "paths")!;
  const [table, note] = blocks;
  expect(table?.kind === "table" && table.rows).toHaveLength(20);
  expect(note?.kind === "note" && note.text).toMatch(/^The first 20 of 60;/);
});

test("extractionReport() lists parts that stand out, weaker ones first", () => {
  const table = large
    .flatMap(({ blocks }) => blocks)
    .find(({ title }) => title === "Parts that stand out");
  const rows = table?.kind === "table" ? table.rows : [];
  const order = rows.map(({ standing }) => standing);
  expect(order.length).toBeGreaterThan(0);
  expect(order).toEqual([...order].sort().reverse());
});

test("extractionReport() stays small enough for its page", () => {
  expect(JSON.stringify(large).length).toBeLessThan(60_000);
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
