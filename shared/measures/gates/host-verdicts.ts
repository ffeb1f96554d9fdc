import cdf from "@stdlib/stats-base-dists-normal-cdf";
import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import type { HostVerdict, ParityHost, RemovedRuns } from "../../contracts/boards/parity.ts";
import type { Metric } from "../../contracts/metric.ts";
import { holm } from "../../stats/significance/holm.ts";
import { z95 } from "../../stats/significance/wilson-interval.ts";

type Versus = NonNullable<ParityHost["versus"]>;
type Interval = readonly [number, number];
type Probabilities = Pick<Versus, "noWorse" | "same" | "worse">;

/** A host against the reference, before the tests. */
export type HostDifference = Pick<Versus, "difference" | "interval" | "samples" | "units">;

/** Level of each one-sided test: p is below it exactly if the 95% interval excludes the tested bound. */
const LEVEL = 0.025;

/**
 * The difference of a host's metric and the reference's, from a comparison of two runs. Null without an interval.
 * @example hostDifference(comparison.metrics[0]!, "run-b", "run-a")?.difference // -0.02
 */
export function hostDifference(
  { pairs, samples, units }: Pick<MetricComparison, "pairs" | "samples" | "units">,
  host: string,
  reference: string,
): HostDifference | null {
  const pair = pairs.find(({ a, b }) => [a, b].includes(host) && [a, b].includes(reference));
  if (!pair?.difference.interval) return null;
  const { value, interval } = pair.difference;
  if (pair.a === host) return { difference: value, interval, samples, units };
  const [low, high] = interval;
  return { difference: -value || 0, interval: [-high || 0, -low || 0], samples, units };
}

type Rule = Pick<Metric, "better"> & { margin: number };

/** A host of a parity with its difference; null: the host is not compared. */
interface AddedHost extends Pick<ParityHost, "addedBy" | "status"> {
  difference: HostDifference | null;
}

const open: ReadonlySet<string> = new Set(["queued", "running", "paused"]);

/**
 * The tests of a parity's hosts, in their order; null for a host that is not compared. The runs that one account added
 * are one family of tests. Every ended run of a family counts as a test, including earlier, failed and removed ones, so
 * repeated tries make a verdict harder, and no account changes the verdicts of another. Linear except for sorting.
 * @example parityVerdicts([{ addedBy: "acme", status: "finished", difference }], [], { better: "higher", margin: 0.05 })
 */
export function parityVerdicts(
  hosts: readonly AddedHost[],
  removed: readonly Pick<RemovedRuns, "addedBy" | "runs">[],
  rule: Rule,
): (Versus | null)[] {
  const verdicts = new Map<AddedHost, Versus>();
  for (const [account, its] of Map.groupBy(hosts, ({ addedBy }) => addedBy)) {
    const ended = its.filter(({ status }) => !open.has(status)).length;
    const gone = removed.filter(({ addedBy }) => addedBy === account);
    const tests = gone.reduce((sum, { runs }) => sum + runs, ended);
    const compared = its.filter(({ difference }) => difference !== null);
    const tested = hostVerdicts(
      compared.map(({ difference }) => difference!),
      rule,
      tests,
    );
    for (const [i, host] of compared.entries()) verdicts.set(host, tested[i]!);
  }
  return hosts.map((host) => verdicts.get(host) ?? null);
}

/**
 * Tests of hosts against one reference: whether each host is no worse by more than the margin, equivalent within it
 * (both one-sided tests), and worse at all. P-values treat the 95% interval of the difference as normal, so for a
 * single host p is below 0.025 exactly if the interval excludes the bound, as in gates. Each kind of test has Holm's
 * correction over `tests` hosts; hosts that are not given count as tests without a result. Linear in hosts except for
 * sorting.
 * Source: Schuirmann 1987; Holm 1979; Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority.
 * @example hostVerdicts([{ difference: 0, interval: [-0.01, 0.01], … }], { better: "higher", margin: 0.05 })[0]?.verdict // "equivalent"
 */
export function hostVerdicts(
  hosts: readonly HostDifference[],
  { better, margin }: Rule,
  tests = hosts.length,
): Versus[] {
  const raw = hosts.map(({ interval: [low, high] }): Probabilities => {
    const gain: Interval = better === "higher" ? [low, high] : [-high, -low];
    const noWorse = tailBelow(gain, -margin);
    const noBetter = 1 - tailBelow(gain, margin);
    return { noWorse, same: Math.max(noWorse, noBetter), worse: 1 - tailBelow(gain, 0) };
  });
  const others = new Array<number>(Math.max(0, tests - hosts.length)).fill(1);
  const corrected = (kind: keyof Probabilities) =>
    holm([...raw.map((its) => its[kind]), ...others]);
  const [noWorse, same, worse] = [corrected("noWorse"), corrected("same"), corrected("worse")];
  return hosts.map((host, i) => {
    const p = { noWorse: noWorse[i]!, same: same[i]!, worse: worse[i]! };
    return { ...host, ...p, verdict: verdictOf(p) };
  });
}

/** P-value against a true value of at most `bound`, if the 95% interval is normal. */
function tailBelow([low, high]: Interval, bound: number): number {
  const [middle, error] = [(low + high) / 2, (high - low) / 2 / z95];
  if (error === 0) return middle > bound ? 0 : 1;
  return cdf(bound, middle, error);
}

function verdictOf({ same, noWorse, worse }: Probabilities): HostVerdict {
  if (same < LEVEL) return "equivalent";
  if (noWorse < LEVEL) return "non-inferior";
  return worse < LEVEL ? "worse" : "not-shown";
}
