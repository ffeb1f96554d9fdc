import { expect, it } from "vitest";
import { type ErrorClass, emptyAnswer } from "../../contracts/answer.ts";
import { collectScores, noScores, runScores } from "./collect-scores.ts";
import { commonSamples } from "./common-samples.ts";
import { addRun, scoreTable } from "./score-table.ts";

const answer = (seq: number, id: string, error: ErrorClass | null = null, cluster?: string) => ({
  seq,
  id,
  tags: cluster === undefined ? {} : { cluster },
  call: { ...emptyAnswer, error: error && { class: error, message: "" } },
});

it("runScores() puts samples in the order of the run and averages their repeats", () => {
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

it("samples that were never submitted are left out of comparisons, and failed for boards", () => {
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

it("clusters that only a later run knows hold for all", () => {
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
