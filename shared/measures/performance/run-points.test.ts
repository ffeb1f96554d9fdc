import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import { type JudgmentRecord, noJudgment } from "../../contracts/judging/judgment.ts";
import { runPointsSchema } from "../../contracts/runs/run-points.ts";
import type { PickableAnswer } from "./picked-answers.ts";
import { addPoint, noPoints, pointsOf } from "./run-points.ts";

const error = { class: "timeout" as const, message: "late" };

const answers = fc
  .array(
    fc.record({
      score: fc.constantFrom(0, 0.25, 0.5, 1),
      latencyMs: fc.option(fc.integer({ min: 0, max: 90_000 })),
      outputTokens: fc.option(fc.nat(4_000)),
      what: fc.constantFrom("answer", "failed", "unscored", "refused", "cut"),
    }),
    { maxLength: 500 },
  )
  .map((made) =>
    made.map(
      ({ score, latencyMs, outputTokens, what }, seq): PickableAnswer => ({
        seq,
        id: `s${seq >> 1}`,
        repeat: seq & 1,
        answer: {
          ...emptyAnswer,
          latencyMs,
          outputTokens,
          error: what === "failed" ? error : null,
          refusal: what === "refused" ? "no" : null,
          finishReason: what === "cut" ? "length" : "stop",
        },
        score: {
          status: what === "unscored" ? "unscored" : "scored",
          score: what === "unscored" ? null : what === "failed" ? 0 : score,
          covered: what !== "failed",
        },
      }),
    ),
  );

function tallied(given: readonly PickableAnswer[]) {
  const tally = noPoints();
  for (const answer of given) addPoint(tally, answer, () => ({ seq: answer.seq }));
  return tally;
}

const aRun = (n: number): PickableAnswer[] =>
  Array.from({ length: n }, (_, seq) => ({
    seq,
    id: `s${seq}`,
    repeat: 0,
    answer: { ...emptyAnswer, latencyMs: 100 + seq, inputTokens: 5, outputTokens: 7 },
    score: { status: "scored", score: 1, covered: true },
  }));

describe("pointsOf()", () => {
  it("is empty without answers", () => {
    expect(pointsOf(noPoints())).toEqual({
      answers: 0,
      points: [],
      latency: [],
      failures: [],
      picks: [],
    });
  });

  it("keeps every answer of a small run, in order and with features", () => {
    const { answers: n, points } = pointsOf(tallied(aRun(3).toReversed()));
    expect(n).toBe(3);
    expect(points[1]).toEqual({
      id: "s1",
      score: 1,
      latencyMs: 101,
      inputTokens: 5,
      outputTokens: 7,
      features: { seq: 1 },
    });
    expect(points.map(({ id }) => id)).toEqual(["s0", "s1", "s2"]);
  });

  it("ignores latency and tokens of failed requests", () => {
    const [answered] = aRun(1) as [PickableAnswer];
    const failed = { ...answered, answer: { ...answered.answer, error } };
    expect(pointsOf(tallied([failed]))).toMatchObject({
      points: [{ latencyMs: null, inputTokens: null, outputTokens: null }],
      latency: [],
    });
  });

  it("counts failed requests by error class, with the first sample and message of each", () => {
    const aFailure = (seq: number, of: "timeout" | "unauthorized", message: string) => ({
      ...(aRun(seq + 1)[seq] as PickableAnswer),
      answer: { ...emptyAnswer, error: { class: of, message } },
    });
    const failed = [
      aFailure(4, "timeout", "later"),
      aFailure(2, "unauthorized", "x".repeat(400)),
      aFailure(1, "timeout", "late"),
      aFailure(3, "timeout", "last"),
    ];
    expect(pointsOf(tallied([...aRun(1), ...failed])).failures).toEqual([
      { class: "timeout", count: 3, id: "s1", message: "late" },
      { class: "unauthorized", count: 1, id: "s2", message: "x".repeat(300) },
    ]);
  });

  it("counts judge failures by judge and kind, for a bounded number of kinds", () => {
    const failed = (
      judge: string,
      reason: "judge_failed" | "no_judge" | "invalid_judgment",
      message: string,
    ) => ({ ...noJudgment, judge, unjudged: { reason, message } });
    const refused = failed("gpt-5", "judge_failed", "unauthorized");
    const judgedBy = (judgments: Record<string, JudgmentRecord[]>) => {
      const [answered] = aRun(1) as [PickableAnswer];
      return { ...answered, answer: { ...emptyAnswer, judgments } } as PickableAnswer;
    };
    const some = [
      judgedBy({ empathy: [failed("b", "judge_failed", "rate_limited")], tone: [noJudgment] }),
      judgedBy({ empathy: [refused, refused], tone: [failed("c", "no_judge", "none is set")] }),
    ];
    expect(pointsOf(tallied(some)).judgeFailures).toEqual([
      { judge: "gpt-5", reason: "unauthorized", count: 2 },
      { judge: "b", reason: "rate limited", count: 1 },
    ]);
    const messages = [
      '/score: must be a number, not "the sample"',
      '/: there is no field "the sample"',
    ];
    const invalid = messages.map((message) => failed("d", "invalid_judgment", message));
    expect(pointsOf(tallied([judgedBy({ tone: invalid })])).judgeFailures).toEqual([
      { judge: "d", reason: "invalid judgment, the first: /score: must be a number", count: 2 },
    ]);
    const gone = {
      ...failed("old", "judge_failed", ""),
      unjudged: { reason: "no_such_model", message: "" },
    };
    const fallback = { ...noJudgment, judge: "new", replaced: "old" };
    const replaced = judgedBy({ tone: [gone as JudgmentRecord, fallback] });
    expect(pointsOf(tallied([replaced])).judgeFailures).toBeUndefined();
    const many = Array.from({ length: 50 }, (_, n) =>
      judgedBy({ empathy: [failed(`judge ${n}`, "judge_failed", "x".repeat(500))] }),
    );
    const kinds = pointsOf(tallied(many)).judgeFailures;
    expect(kinds).toHaveLength(20);
    expect(kinds?.[0]?.reason).toHaveLength(300);
  });

  it("keeps a random subset of a large run's points and all its latencies, in bounded memory", () => {
    const [small, large] = [5_000, 40_000].map((n) => tallied(aRun(n)));
    const bytes = [small, large].map((tally) => JSON.stringify(tally).length);
    expect((bytes[1] as number) / (bytes[0] as number)).toBeLessThan(1.6);
    const { points, latency, answers: n } = pointsOf(large as NonNullable<typeof large>);
    expect(points).toHaveLength(300);
    expect(latency.reduce((sum, { count }) => sum + count, 0)).toBe(n);
    const meanSeq = points.reduce((sum, { features }) => sum + Number(features["seq"]), 0) / 300;
    expect(meanSeq / n).toBeCloseTo(0.5, 1);
  });

  it("computes features only for kept points", () => {
    let asked = 0;
    const tally = noPoints();
    for (const answer of aRun(10_000)) {
      addPoint(tally, answer, () => {
        asked++;
        return {};
      });
    }
    expect(asked).toBeLessThan(2_500);
  });

  it("does not depend on the order, picks no answer twice, and matches its schema", () => {
    const shuffled = answers.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray(given, { minLength: given.length, maxLength: given.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, mixed]) => {
        const made = pointsOf(tallied(given));
        expect(pointsOf(tallied(mixed))).toEqual(made);
        expect(runPointsSchema.parse(made)).toEqual(made);
        expect(new Set(made.picks.map(({ seq }) => seq)).size).toBe(made.picks.length);
        expect(made.picks.length).toBeLessThanOrEqual(8);
        expect(made.points.length).toBe(Math.min(300, given.length));
      }),
    );
  });
});
