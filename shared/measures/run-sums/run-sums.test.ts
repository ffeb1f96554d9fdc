import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";
import { callOf } from "../performance/call-totals.ts";
import { columnAt } from "./named-sums.ts";
import { runBasis } from "./run-basis.ts";
import { partFigures, runFigures } from "./run-figures.ts";
import { addAnswer, noAnswers, type RunRules, type RunState } from "./run-state.ts";

type Detail = { hits: number; of: number; score: number; level: number } | null;
const columns = ["hits", "of", "level", "score"] as const;
type Name = "hits" | "of" | "level" | "score";
const at = columnAt<Name>(columns);

const rules: RunRules<Name, Detail> = {
  columns,
  spreads: ["score"],
  read: ({ score: { detail } }) =>
    detail && {
      numbers: detail,
      parts: [{ family: "level", name: `level ${detail.level}`, numbers: detail }],
      counts: { [`level ${detail.level}`]: 1 },
    },
};

const figures = {
  rate: (sums: Float64Array) => (sums[at.of] === 0 ? null : sums[at.hits]! / sums[at.of]!),
};

function scored(seq: number, detail: Detail, more: Partial<ScoredSample<Detail>> = {}) {
  const call = callOf({ ...emptyAnswer, latencyMs: seq });
  return {
    seq,
    id: `s${seq}`,
    tags: { half: seq % 2 === 0 ? "even" : "odd" },
    call,
    score: { status: "scored", score: detail?.score ?? null, covered: true, detail },
    ...more,
  } as ScoredSample<Detail>;
}

const dozen = Array.from({ length: 12 }, (_, i) =>
  scored(i, i === 7 ? null : { hits: i % 3, of: 3, score: (i % 5) / 10, level: i % 2 }),
);

const stateOf = (samples: readonly ScoredSample<Detail>[], state = noAnswers(rules, null)) =>
  samples.reduce((sum, one) => addAnswer(rules, sum, one), state);
const inBlocks = (): RunState => ({
  ...noAnswers(rules, null),
  blocks: { columns: {}, times: {} },
});

const run = { runId: "run-1", wallMs: 1_000, prices: null };

describe("sums of a run", () => {
  it("are stored in blocks from the 20,001st answer on", () => {
    const many = Array.from({ length: 20_003 }, (_, i) =>
      scored(i, { hits: i % 3, of: 3, score: (i % 5) / 10, level: i % 2 }),
    );
    const state = stateOf(many.slice(0, 20_000));
    expect([state.rows.length, state.blocks]).toEqual([20_000, null]);
    stateOf(many.slice(20_000), state);
    expect(state.rows).toEqual([]);
    expect(Object.keys(state.blocks?.columns ?? {}).length).toBeGreaterThan(4_000);
    expect(state.blocks?.times.latency).toMatchObject({ n: 20_003, min: 0, max: 20_002 });
    const basis = runBasis(state, 1);
    expect(basis.columns[at.of]?.reduce((a, b) => a + b, 0)).toBe(3 * 20_003);
  });

  it("count only the call of an unscored answer", () => {
    const state = stateOf(dozen);
    expect(state.answers).toEqual({ scored: 11, covered: 11, clustered: 0, unscored: 1 });
    expect(state.calls.requests).toBe(12);
    expect(state.counts).toEqual({ "level 0": 6, "level 1": 5 });
  });

  it("give ratios of sums with intervals that contain them, and their coverage", () => {
    const state = stateOf(dozen);
    const rate = runFigures(state, runBasis(state, 1), figures, [], run)["rate"];
    const hits = dozen.reduce((sum, { score }) => sum + (score.detail?.hits ?? 0), 0);
    expect(rate).toMatchObject({ value: hits / 33, n: 11, coverage: 11 / 12 });
    expect(rate?.interval?.[0]).toBeLessThan(hits / 33);
    expect(rate?.interval?.[1]).toBeGreaterThan(hits / 33);
  });

  it("count a failed answer as not passed, but not in the coverage of pass rates", () => {
    const failed = { covered: false, status: "scored", score: 0 } as const;
    const many = dozen.slice(0, 6).map((one, i) => ({
      ...one,
      score: { ...one.score, ...(i > 1 ? failed : { score: 1 }) },
    }));
    const state = stateOf(many, noAnswers(rules, 1));
    const metrics = runFigures(state, runBasis(state, 1), figures, [], run);
    expect(metrics["passRate"]).toMatchObject({ value: 1 / 3, n: 6, coverage: 1 / 3 });
    expect(metrics["rate"]?.coverage).toBe(1 / 3);
  });

  it("give the cost an interval over samples, with each token at its own price", () => {
    const many = dozen.map((one, i) => {
      const tokens = {
        inputTokens: 100 + i,
        outputTokens: 10 * i,
        cachedTokens: i,
        reasoningTokens: i,
      };
      return { ...one, call: callOf({ ...emptyAnswer, ...tokens }) };
    });
    const state = stateOf(many.filter(({ seq }) => seq !== 7));
    const costOf = (prices: typeof run.prices | object) =>
      runFigures(state, runBasis(state, 1), figures, [], { ...run, prices: prices as null })[
        "costPer1kUsd"
      ];
    const cost = costOf({ inputPerMillion: 2, outputPerMillion: 8 });
    const [low, high] = cost?.interval ?? [];
    expect(low).toBeLessThan(cost!.value!);
    expect(high).toBeGreaterThan(cost!.value!);
    // Doubled prices double the interval.
    const dear = costOf({ inputPerMillion: 4, outputPerMillion: 16 });
    expect(dear?.interval).toEqual([expect.closeTo(2 * low!, 9), expect.closeTo(2 * high!, 9)]);
    // Free cached and reasoning tokens reduce the cost.
    const apart = { cachedPerMillion: 0, reasoningPerMillion: 0 };
    const cheap = costOf({ inputPerMillion: 2, outputPerMillion: 8, ...apart });
    expect(cheap!.interval![1]).toBeLessThan(high!);
    expect(costOf(null)).toMatchObject({ value: null, interval: null });
  });

  it.each([
    ["as one request if all or none fail", (sample: number) => sample < 2, 9],
    [
      "as independent requests if failures are spread evenly",
      (sample: number, k: number) => sample % 3 === k,
      30,
    ],
  ])("count the repeats of a sample in request rates %s", (_, fails, worth) => {
    const error = { class: "timeout", message: "" } as const;
    const answers = Array.from({ length: 30 }, (_, i) => {
      const [sample, repeat] = [Math.floor(i / 3), i % 3];
      const call = callOf({ ...emptyAnswer, ...(fails(sample, repeat) && { error }) });
      return scored(i, { hits: 1, of: 1, score: 1, level: 0 }, { id: `s${sample}`, call });
    });
    const basis = runBasis(stateOf(answers), 3);
    const { successRate } = runFigures(stateOf(answers), basis, figures, [], run);
    const expected = wilsonInterval(successRate!.value! * worth, worth)!;
    expect(successRate!.interval![0]).toBeCloseTo(expected[0], 9);
    expect(successRate!.n).toBe(30);
    const blocks = runBasis(stateOf(answers, inBlocks()), 3);
    expect(blocks.effects.successRate).toBe(3);
  });

  it("average repeats within the sample, and resample clusters whole", () => {
    const detail = (hits: number) => ({ hits, of: 2, score: 0, level: 0 });
    const repeats = stateOf([
      scored(0, detail(2), { id: "a" }),
      scored(1, detail(0), { id: "a" }),
      scored(2, detail(2), { id: "b" }),
    ]);
    const basis = runBasis(repeats, 2);
    expect([basis.samples, basis.answers, [...basis.columns[at.hits]!]]).toEqual([2, 3, [1, 2]]);
    const clustered = stateOf(
      dozen.map((one) => ({ ...one, tags: { cluster: `c${one.seq % 3}` } })),
    );
    expect(runBasis(clustered, 1).units).toEqual({ kind: "clusters", count: 3, strata: [3] });
  });

  it("resample strata separately, so differences between strata add no spread", () => {
    const state = stateOf(
      Array.from({ length: 10 }, (_, i) =>
        scored(i, { hits: 1 + (i % 2), of: 4, score: 0, level: i % 2 }),
      ),
    );
    const plain = runFigures(state, runBasis(state, 1), figures, [], run)["rate"];
    const basis = runBasis(state, 1, { stratumOf: (values) => values[at.level]! });
    expect(basis.units.strata).toEqual([5, 5]);
    expect(runFigures(state, basis, figures, [], run)["rate"]?.interval).toBeNull();
    expect(plain?.interval?.[0]).toBeLessThan(plain?.interval?.[1] ?? 0);
  });

  it("are the same if stored in blocks", () => {
    const rows = stateOf(dozen);
    const blocks = stateOf(dozen, inBlocks());
    const [a, b] = [rows, blocks].map((state) =>
      runFigures(state, runBasis(state, 1), figures, [], run),
    );
    expect(b?.["rate"]?.value).toBeCloseTo(a?.["rate"]?.value ?? 0, 12);
    expect(b?.["latencyP50"]?.value).toBeCloseTo(a?.["latencyP50"]?.value ?? 0, 1);
  });

  it("have parts by family, including tags, with figures for each", () => {
    const state = stateOf(dozen);
    const levels = partFigures(state, "level", figures, "run-1");
    expect(levels.map(({ name, n }) => [name, n])).toEqual([
      ["level 0", 6],
      ["level 1", 5],
    ]);
    expect(levels[0]?.figures["rate"]?.value).toBeCloseTo(6 / 18, 12);
    expect(partFigures(state, "tag half", figures, "run-1").map(({ name }) => name)).toEqual([
      "even",
      "odd",
    ]);
  });

  it("give null figures without answers", () => {
    const state = noAnswers(rules, null);
    const { rate } = runFigures(state, runBasis(state, 1), figures, [], run);
    expect(rate).toEqual({ value: null, interval: null, n: 0, coverage: 0 });
  });
});
