import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type HostDifference,
  hostDifference,
  hostVerdicts,
  parityVerdicts,
} from "./host-verdicts.ts";
import { outcomesOf } from "./outcomes.ts";

const units = { kind: "samples" as const, count: 100 };
const host = (low: number, high: number): HostDifference => ({
  difference: (low + high) / 2,
  interval: [low, high],
  samples: 100,
  units,
});
const rule = { better: "higher" as const, margin: 0.05 };
const verdictOf = (low: number, high: number, more: object = {}) =>
  hostVerdicts([host(low, high)], { ...rule, ...more })[0]!.verdict;

describe("hostVerdicts()", () => {
  it.each([
    [-0.049, 0.049, "equivalent"],
    [-0.049, -0.01, "equivalent"],
    [-0.049, 0.051, "non-inferior"],
    [0.06, 0.2, "non-inferior"],
    [-0.051, 0.049, "not-shown"],
    [-0.051, -0.001, "worse"],
    [-0.3, -0.2, "worse"],
  ])("derives one host's verdict from its interval: %d to %d is %s", (low, high, verdict) => {
    expect(verdictOf(low, high)).toBe(verdict);
    expect(verdictOf(-high, -low, { better: "lower" })).toBe(verdict);
  });

  it("computes p-values from the normal distribution", () => {
    const [tested] = hostVerdicts([host(-0.0196, 0.0196)], { ...rule, margin: 0.02326 });
    // The standard error is 0.01, so the margin is 2.326 standard errors away: the 1% quantile.
    expect(tested!.noWorse).toBeCloseTo(0.01, 4);
    expect(tested!.same).toBeCloseTo(0.01, 4);
    expect(tested!.worse).toBeCloseTo(0.5, 12);
  });

  it("corrects each kind of test over the hosts by Holm's method", () => {
    const alone = hostVerdicts([host(-0.0499, 0.02)], rule)[0]!;
    const [same] = hostVerdicts([host(-0.0499, 0.02), host(-0.1, 0.05)], rule);
    expect([alone.verdict, same!.verdict]).toEqual(["equivalent", "not-shown"]);
    expect(same!.noWorse).toBeCloseTo(2 * alone.noWorse, 12);
  });

  it("treats an interval without width as certain", () => {
    expect(verdictOf(0, 0)).toBe("equivalent");
    expect(verdictOf(-0.05, -0.05)).toBe("worse");
  });

  it("never favours a host whose difference exceeds the margin", () => {
    const interval = fc.tuple(
      fc.double({ min: -0.5, max: 0.5, noNaN: true }),
      fc.double({ min: 0.001, max: 0.3, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 8 }), (given) => {
        const hosts = given.map(([middle, half]) => host(middle - half, middle + half));
        for (const { verdict, difference } of hostVerdicts(hosts, rule)) {
          if (difference <= -rule.margin) expect(["worse", "not-shown"]).toContain(verdict);
          if (difference >= 0) expect(verdict).not.toBe("worse");
        }
      }),
    );
  });
});

describe("parityVerdicts()", () => {
  // Equivalent as a single test, but not as one of two tests.
  const difference = host(-0.0499, 0.02);
  const added = (addedBy: string, more: object = {}) => ({
    addedBy,
    status: "finished" as const,
    difference: difference as HostDifference | null,
    ...more,
  });
  const first = (
    hosts: ReturnType<typeof added>[],
    gone: { addedBy: string; runs: number }[] = [],
  ) => parityVerdicts([added("acme"), ...hosts], gone, rule)[0]!.verdict;

  it.each<[string, ReturnType<typeof added>[], { addedBy: string; runs: number }[], string]>([
    ["alone", [], [], "equivalent"],
    ["with hosts of other accounts", [added("ada"), added("bob")], [], "equivalent"],
    ["with runs that others removed", [], [{ addedBy: "ada", runs: 9 }], "equivalent"],
    [
      "with a run that has not ended",
      [added("acme", { status: "running", difference: null })],
      [],
      "equivalent",
    ],
    ["with an earlier run", [added("acme", { difference: host(-0.3, -0.2) })], [], "not-shown"],
    [
      "with a run that failed",
      [added("acme", { status: "failed", difference: null })],
      [],
      "not-shown",
    ],
    ["with a removed run", [], [{ addedBy: "acme", runs: 1 }], "not-shown"],
  ])("judges one host %s", (_, hosts, gone, verdict) => {
    expect(first(hosts, gone)).toBe(verdict);
  });

  it("returns verdicts in the order of the hosts, null for a host without a difference", () => {
    const hosts = [
      added("ada"),
      added("acme", { difference: null }),
      added("acme", { difference: host(-0.3, -0.2) }),
    ];
    const verdicts = parityVerdicts(hosts, [], rule).map((one) => one?.verdict ?? null);
    expect(verdicts).toEqual(["equivalent", null, "worse"]);
  });

  it("does not depend on runs that other accounts add, remove or repeat", () => {
    const interval = fc.tuple(
      fc.double({ min: -0.1, max: 0.1, noNaN: true }),
      fc.double({ min: 0.001, max: 0.1, noNaN: true }),
    );
    const rows = (account: string) =>
      fc
        .array(interval, { maxLength: 6 })
        .map((intervals) =>
          intervals.map(([middle, half]) =>
            added(account, { difference: host(middle - half, middle + half) }),
          ),
        );
    fc.assert(
      fc.property(rows("acme"), rows("ada"), fc.nat(5), (own, others, runs) => {
        const alone = parityVerdicts(own, [], rule);
        const together = parityVerdicts(
          [...others, ...own],
          [{ addedBy: "ada", runs: runs + 1 }],
          rule,
        );
        expect(together.slice(others.length)).toEqual(alone);
      }),
    );
  });
});

it("hostDifference() is host minus reference, in either order of the pair", () => {
  const difference = { value: 0.1, interval: [0.05, 0.2] as [number, number] };
  const pair = { a: "one", b: "two", difference };
  const compared = { pairs: [pair as never], samples: 100, units };
  expect(hostDifference(compared, "one", "two")).toMatchObject({ interval: [0.05, 0.2] });
  const turned = hostDifference(compared, "two", "one");
  expect(turned).toMatchObject({ difference: -0.1, interval: [-0.2, -0.05] });
  expect(hostDifference(compared, "one", "three")).toBeNull();
});

it.each([
  [
    { answers: 9, refused: 1, empty: 2, truncated: 3 },
    { answers: 9, refused: 1, empty: 2, truncated: 3 },
  ],
  [
    { answers: 9, counts: { "status silent": 2, "status answered": 7, "from none": 2 } },
    { answers: 9, refused: 0, empty: 2, truncated: 0 },
  ],
  [{ answers: 9 }, { answers: 9, refused: null, empty: null, truncated: null }],
  [{ samples: 9 }, null],
  [null, null],
])("outcomesOf(%j) is %j", (breakdown, outcomes) => {
  expect(outcomesOf(breakdown)).toEqual(outcomes);
});
