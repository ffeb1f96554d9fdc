import { scored, tableOf } from "../../shared/measures/comparison/__fixtures__/table-of.ts";
import { compareMetric } from "../../shared/measures/comparison/compare-metric.ts";
import {
  type HostDifference,
  hostDifference,
  hostVerdicts,
} from "../../shared/measures/gates/host-verdicts.ts";
import { rateDifferenceInterval } from "../../shared/stats/significance/rate-interval.ts";
import { type Check, Draws } from "./check.ts";

const group =
  "any of three hosts that are worse by the margin is shown to be no worse, or equivalent";
const SIMULATIONS = 10_000;
const MARGIN = 0.05;
const HOSTS = [1, 2, 3];

/** Scores of the reference and the hosts, by sample. */
type Scores = readonly (readonly number[])[];

interface Kind {
  sizes: readonly number[];
  /** Share of the simulations, below 1 where resampling takes time. */
  share: number;
  /** Draws the scores on a sample; each host is worse by the margin on average. */
  score(draws: Draws): number[];
  differenceOf(scores: Scores, host: number): HostDifference;
}

const kinds: Readonly<Record<string, Kind>> = {
  "scores with noise": {
    sizes: [50],
    share: 0.1,
    score(draws) {
      const easy = 0.4 + 0.3 * draws.uniform();
      return [easy, ...HOSTS.map(() => easy + 0.08 * draws.normal() - MARGIN)];
    },
    differenceOf(scores, host) {
      const runs = [0, host].map((run) =>
        scored(
          `${run}`,
          scores.map((onSample) => onSample[run]!),
        ),
      );
      const compared = compareMetric(tableOf(runs), { id: "eqs", better: "higher" }, `${host}`)!;
      return hostDifference(compared, `${host}`, "0")!;
    },
  },
  "right or wrong, 15% lost and 10% won": {
    sizes: [30, 100, 300],
    share: 1,
    score(draws) {
      const right = draws.isOne(0.5);
      return [+right, ...HOSTS.map(() => +(right !== draws.isOne(right ? 0.3 : 0.2)))];
    },
    // Like in comparisons, without resampling other metrics.
    differenceOf(scores, host) {
      const hits = scores.map((onSample) => onSample[host]! - onSample[0]!);
      const lost = hits.filter((one) => one < 0).length;
      const count = hits.length;
      return {
        difference: hits.reduce((sum, one) => sum + one, 0) / count,
        interval: [...rateDifferenceInterval({ hits, items: hits.map(() => 1) }, lost)!],
        samples: count,
        units: { kind: "samples", count },
      };
    },
  },
};

/** How often any host of a parity gets a wrong favourable verdict, with Holm's correction. */
export function* hostLevel(scale: number): Generator<Check> {
  for (const [name, { sizes, share, score, differenceOf }] of Object.entries(kinds)) {
    const of = Math.ceil(SIMULATIONS * scale * share);
    for (const n of sizes) {
      const what = `${name}, n = ${n}`;
      const draws = new Draws(`${what} hosts`);
      let happened = 0;
      for (let i = 0; i < of; i++) {
        const scores = draws.list(n, () => score(draws));
        const hosts = HOSTS.map((host) => differenceOf(scores, host));
        const verdicts = hostVerdicts(hosts, { better: "higher", margin: MARGIN });
        const isWrong = ({ verdict }: (typeof verdicts)[number]) =>
          verdict === "equivalent" || verdict === "non-inferior";
        if (verdicts.some(isWrong)) happened++;
      }
      yield { group, what, of, happened, most: 0.05 };
    }
  }
}
