import { expect, test } from "vitest";
import { mostRows } from "../../../measures/run-sums/run-state.ts";
import { answered } from "../__fixtures__/answered.ts";
import { dozen } from "../__fixtures__/dozen.ts";
import { aSyntheticSample } from "../__fixtures__/synthetic.ts";
import { defaultOptions } from "../options.ts";
import { breakdownSchema } from "./breakdown/breakdown.ts";
import { addAnswer, type ExtractionState, noAnswers } from "./state.ts";
import { summarize } from "./summarize.ts";

type Scored = Parameters<typeof addAnswer>[1];

const run = { runId: "run-1", options: defaultOptions, prices: null, wallMs: 1000 };
const stateOf = (samples: readonly Scored[], from = noAnswers()) => samples.reduce(addAnswer, from);
function inBlocks(): ExtractionState {
  const empty = noAnswers();
  return { ...empty, run: { ...empty.run, blocks: { columns: {}, times: {} } } };
}

const synthetic = Array.from({ length: 400 }, (_, seq) => aSyntheticSample(seq));
test("a state read back from JSON has the same summary", () => {
  const state = stateOf(dozen);
  const summary = JSON.stringify(summarize(state, run));
  expect(JSON.stringify(summarize(JSON.parse(JSON.stringify(state)), run))).toBe(summary);
});

test("a run kept as blocks has the same figures as one kept as rows", () => {
  const rows = summarize(stateOf(synthetic), run).metrics;
  const blocks = summarize(stateOf(synthetic, inBlocks()), run).metrics;
  for (const [id, { value, n, coverage }] of Object.entries(rows)) {
    const other = blocks[id]!;
    expect([id, other.n, other.coverage]).toEqual([id, n, coverage]);
    if (value === null) expect(other.value).toBeNull();
    else expect(Math.abs(other.value! - value), id).toBeLessThanOrEqual(tolerance(id, value));
  }
});

/** Percentiles of times and tokens are known within 0.1%. */
function tolerance(id: string, value: number): number {
  return /P\d+$/.test(id) ? value * 0.00101 : 1e-9 * Math.max(1, value);
}

test("a run kept as blocks has similar intervals and equal correlations to one kept as rows", () => {
  const rows = summarize(stateOf(synthetic), run);
  const blocks = summarize(stateOf(synthetic, inBlocks()), run);
  for (const id of ["eqs", "partialF1", "latencyP50"]) {
    const [a, b] = [rows, blocks].map(({ metrics }) => metrics[id]!.interval!);
    const width = a![1] - a![0];
    expect(Math.abs(a![0] - b![0]), id).toBeLessThan(0.15 * width);
    expect(Math.abs(a![1] - b![1]), id).toBeLessThan(0.15 * width);
  }
  const [a, b] = [rows, blocks].map(({ breakdown }) => breakdownSchema.parse(breakdown));
  a!.complexity.correlations.forEach(({ id, r, n }, k) => {
    expect(b!.complexity.correlations[k]).toMatchObject({ id, n, r: expect.closeTo(r!, 9) });
  });
  expect(b!.fields).toEqual(a!.fields);
  expect(b!.units).toEqual({ kind: "blocks", count: expect.any(Number) });
});

test("addAnswer() switches to blocks beyond the maximum number of rows", () => {
  const light = Array.from({ length: mostRows + 1 }, (_, seq) => answered(seq, []));
  const state = stateOf(light.slice(0, mostRows));
  expect([state.run.rows.length, state.kept.length, state.run.blocks]).toEqual([
    mostRows,
    mostRows,
    null,
  ]);
  const added = addAnswer(state, light[mostRows]!);
  expect([added.run.rows, added.kept, added.run.answers.scored]).toEqual([[], [], mostRows + 1]);
  expect(JSON.stringify(added).length).toBeLessThan(3e6);
});
