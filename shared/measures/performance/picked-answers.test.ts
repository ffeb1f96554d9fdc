import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import { noPicks, type PickableAnswer, pickFrom, picksOf } from "./picked-answers.ts";

type Change = Partial<PickableAnswer["answer"]> & Partial<PickableAnswer["score"]>;

const anAnswer = (seq: number, change: Change = {}): PickableAnswer => {
  const { status = "scored", score = 0.5, covered = true, ...answer } = change;
  return {
    seq,
    id: `s${seq}`,
    repeat: 0,
    answer: { ...emptyAnswer, latencyMs: 100, outputTokens: 10, ...answer },
    score: { status, score, covered },
  };
};

function picks(changes: readonly Change[]) {
  const tally = noPicks();
  for (const [seq, change] of changes.entries()) pickFrom(tally, anAnswer(seq, change));
  return picksOf(tally).map(({ kind, reason, seq }) => [kind, seq, reason]);
}

const scores = (...given: number[]) => given.map((score) => ({ score }));
const failed = {
  score: 0,
  covered: false,
  latencyMs: null,
  outputTokens: null,
  error: { class: "server_error" as const, message: "500" },
};
const same = "one of several answers with equal scores";

describe("picksOf()", () => {
  it("picks the three worst answers and the best; the first of equal ones", () => {
    expect(picks(scores(0.5, 0.1, 0.9, 0.3, 0.1, 0.3, 0.9))).toEqual([
      ["worst", 1, "lowest score"],
      ["worst", 4, "lowest score"],
      ["worst", 3, "among the lowest scores"],
      ["best", 2, "highest score"],
    ]);
  });

  it("does not call an answer with the best score the worst", () => {
    expect(picks(scores(1, 1, 0.2, 1))).toEqual([
      ["worst", 2, "lowest score"],
      ["best", 0, "highest score"],
    ]);
  });

  it.each([
    [[1, 1, 1, 1], "best"],
    [[0, 0, 0, 0], "worst"],
  ])("picks three if all scores are equal: %j", (given, kind) => {
    expect(picks(scores(...given))).toEqual([0, 1, 2].map((seq) => [kind, seq, same]));
  });

  it("picks all of few answers", () => {
    expect(picks([])).toEqual([]);
    expect(picks(scores(0.7))).toEqual([["best", 0, "the only score"]]);
    expect(picks(scores(0.7, 0.6)).map(([kind]) => kind)).toEqual(["worst", "best"]);
  });

  it("ranks only answered requests by score", () => {
    const unscored = { status: "unscored" as const, score: null };
    expect(picks([failed, { score: 0.4 }, { score: 0.8 }, unscored])).toEqual([
      ["worst", 1, "lowest score"],
      ["best", 2, "highest score"],
      ["odd", 0, "failed request (server error)"],
      ["odd", 3, "a judge failed"],
    ]);
  });

  it.each<[string, Change]>([
    ["refused to answer", { refusal: "I can't." }],
    ["cut off at the token limit", { finishReason: "length" }],
    ["slowest answer", { latencyMs: 101 }],
    ["longest answer", { outputTokens: 11 }],
  ])("picks an odd answer: %s", (reason, change) => {
    const rest = scores(0.1, 0.2, 0.3, 0.9);
    expect(picks([...rest, { ...change, score: 0.8 }]).at(-1)).toEqual(["odd", 4, reason]);
  });

  it("names a missing submitted answer as the reason", () => {
    const error = { class: "not_submitted" as const, message: "none" };
    expect(picks([{ ...failed, error }])).toEqual([["odd", 0, "no answer was submitted"]]);
  });

  it("picks an answer once, with all reasons", () => {
    const late = { latencyMs: 900, finishReason: "length" };
    expect(picks([{ score: 0.1, ...late }, ...scores(0.2, 0.9)])).toEqual([
      ["worst", 0, "lowest score; cut off at the token limit; slowest answer"],
      ["worst", 1, "among the lowest scores"],
      ["best", 2, "highest score"],
    ]);
    const long = { score: 0.8, outputTokens: 500, refusal: "no" };
    expect(picks([...scores(0.1, 0.2, 0.3, 0.9), long]).at(-1)).toEqual([
      "odd",
      4,
      "refused to answer; longest answer",
    ]);
  });

  it("picks at most four odd answers, in the order of reasons", () => {
    const odd: Change[] = [
      { latencyMs: 900 },
      { outputTokens: 99 },
      { finishReason: "length" },
      { refusal: "no" },
      { status: "unscored" as const, score: null },
      failed,
    ];
    expect(picks([...odd, ...scores(0.1, 0.1, 0.1, 0.9)]).slice(4)).toEqual([
      ["odd", 5, "failed request (server error)"],
      ["odd", 4, "a judge failed"],
      ["odd", 3, "refused to answer"],
      ["odd", 2, "cut off at the token limit"],
    ]);
  });
});
