import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { scoreRow } from "./columns.ts";
import { runSamples } from "./run-basis.ts";

const row = (seq: number, id: string, cluster: string | null = null) => ({
  ...scoreRow(dozen[seq]!),
  id,
  cluster,
});

test("runSamples() averages the repeats of a sample", () => {
  const samples = runSamples([row(5, "s"), row(9, "s"), row(9, "t")]);
  expect(samples.map(({ numbers: { eqs, valid } }) => [eqs, valid])).toEqual([
    [0.5, 0.5],
    [0, 0],
  ]);
});

test("runSamples() numbers clusters as units, and samples without one", () => {
  const samples = runSamples([row(5, "s", "doc"), row(5, "t", "doc"), row(5, "u")]);
  expect(samples.map(({ unit }) => unit)).toEqual([0, 0, 1]);
});
