import { expect, it } from "vitest";
import { type ErrorClass, emptyAnswer } from "../../contracts/answer.ts";
import { collectScores, joinScores, noScores, runScores } from "./collect-scores.ts";
import { commonSamples } from "./common-samples.ts";
import { addRun, scoreTable } from "./score-table.ts";

const answer = (seq: number, id: string, error: ErrorClass | null = null, cluster?: string) => ({
  seq,
  id,
  tags: cluster === undefined ? {} : { cluster },
  call: { ...emptyAnswer, error: error && { class: error, message: "" } },
});

it("runScores() orders samples as in the run and averages their repeats", () => {
  const scores = noScores();
  collectScores(scores, answer(3, "b"), { eqs: 1, f1: { of: 1, over: 4 } });
  collectScores(scores, answer(0, "a", null, "doc"), { eqs: 0.5, f1: { of: 3, over: 4 } });
  collectScores(scores, answer(1, "a", null, "doc"), { eqs: 1, f1: { of: 1, over: 2 } });
  collectScores(scores, answer(2, "b"), { eqs: null, f1: { of: 2, over: 2 } });
  expect(runScores(scores)).toEqual({
    ids: ["a", "b"],
    clusters: ["doc", null],
    lacking: [],
    values: {
      eqs: { of: [0.75, 1], over: null },
      f1: { of: [2, 1.5], over: [3, 3] },
    },
  });
});

it("addRun() omits samples that were not submitted, or counts them as failed", () => {
  const scores = noScores();
  collectScores(scores, answer(0, "a"), { eqs: 1 });
  collectScores(scores, answer(1, "b", "not_submitted"), { eqs: 0 });
  collectScores(scores, answer(2, "c", "timeout"), { eqs: 0 });
  const run = runScores(scores);
  expect(run.lacking).toEqual([1]);
  const idsWhere = (lacking: "left out" | "failed") => {
    const table = scoreTable(run);
    addRun(table, "r", run, { lacking });
    expect(table.runs[0]?.samples).toBe(3);
    return commonSamples(table, "eqs").ids;
  };
  expect(idsWhere("left out")).toEqual(["a", "c"]);
  expect(idsWhere("failed")).toEqual(["a", "b", "c"]);
});

it("clusters of a later run apply to all runs", () => {
  const [plain, grouped] = [noScores(), noScores()];
  for (const [i, id] of ["a", "b"].entries()) {
    collectScores(plain, answer(i, id), { eqs: 1 });
    collectScores(grouped, answer(i, id, null, "doc"), { eqs: 1 });
  }
  const table = scoreTable(runScores(plain));
  addRun(table, "plain", runScores(plain));
  addRun(table, "grouped", runScores(grouped));
  expect(commonSamples(table, "eqs").units).toEqual({ kind: "clusters", count: 1 });
});

it("joinScores() gives the same bytes as the whole run for every split between samples", () => {
  // Clusters, samples without an answer, weights and a metric appear only in some pieces.
  const values = (i: number) => ({
    eqs: i % 5 === 4 ? null : i / 7,
    f1: i < 6 ? 0.5 : { of: i, over: i % 3 },
    ...(i > 2 && i < 9 && { late: i }),
  });
  const textOf = (from: number, to: number) => {
    const scores = noScores();
    for (let seq = 2 * from; seq < 2 * to; seq++) {
      const i = Math.floor(seq / 2);
      const error = i % 4 === 1 ? ("not_submitted" as const) : null;
      collectScores(scores, answer(seq, `"${i}"`, error, i === 7 ? "doc" : undefined), values(i));
    }
    return JSON.stringify(runScores(scores));
  };
  const whole = textOf(0, 12);
  for (const cuts of [[], [1], [6], [11], [4, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]) {
    const ends = [0, ...cuts, 12];
    const pieces = ends.slice(1).map((end, k) => textOf(ends[k]!, end));
    expect(joinScores(pieces).join("")).toBe(whole);
  }
  expect(joinScores([textOf(0, 2), textOf(2, 4)]).join("")).toBe(textOf(0, 4));
});
