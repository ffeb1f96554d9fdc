import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { winInterval } from "#shared/measures/comparison/tie-groups.ts";
import {
  type OrientedPair,
  orientedPairs,
  starsOf,
} from "#shared/measures/comparison/words/oriented-pairs.ts";
import { testNotes } from "#shared/measures/comparison/words/test-notes.ts";
import { pText } from "#shared/measures/report/figures/figure-text.ts";
import { differenceDotsSvg } from "../../charts/difference-dots.ts";
import {
  formatCount,
  formatDifference,
  formatDifferenceInterval,
  formatInterval,
  formatShare,
  formatSigned,
  formatValue,
} from "../../format/number.ts";
import { ChartFigure } from "../blocks/ChartFigure.tsx";
import { ScrollTable } from "../ScrollTable.tsx";
import { Stars } from "./Overview.tsx";

interface Props {
  tested: MetricComparison;
  metric: Metric;
  names: ReadonlyMap<string, string>;
  /** Only pairs with this run; null: all. */
  against: string | null;
}

/** More rows than this are folded. */
const mostOpenRows = 15;

const columns = [
  "Pair",
  { num: "Difference, 95% interval" },
  { num: "t" },
  { num: "p" },
  { num: "p (Holm)" },
  { num: "p (Wilcoxon, Holm)" },
  { num: "Cohen's d" },
  { num: "dz" },
  { num: "Wins, 95% interval" },
  { num: "Samples needed" },
  { num: "Detectable" },
];

const PairTable = ({
  pairs,
  tested,
  metric,
  names,
}: Omit<Props, "against"> & { pairs: readonly OrientedPair[] }) => (
  <ScrollTable label={`Tests of ${metric.label} by pair`} wide look="pair-tests" columns={columns}>
    <tbody>
      {pairs.map((pair) => (
        <PairRow pair={pair} tested={tested} metric={metric} names={names} />
      ))}
    </tbody>
  </ScrollTable>
);

/** Omits a number of samples that no dataset has, because it is no useful plan. */
function neededText({ samplesToSeparate }: OrientedPair, { samples }: MetricComparison): string {
  if (samplesToSeparate === null) return "–";
  const most = 100 * samples;
  return samplesToSeparate > most ? `over ${formatCount(most)}` : formatCount(samplesToSeparate);
}

function PairRow({ pair, tested, metric, names }: Omit<Props, "against"> & { pair: OrientedPair }) {
  const wins = winInterval(pair.winRate, tested);
  return (
    <tr>
      <th scope="row" class="pair">
        {names.get(pair.first)} − {names.get(pair.second)}
      </th>
      <td class="num starred">
        {formatDifference(pair.difference.value, metric.format)}
        <Stars text={starsOf(pair.significantAt)} />
        <span class="small soft below">
          {formatDifferenceInterval(pair.difference.interval, metric.format)}
        </span>
      </td>
      <td class="num">{formatSigned(pair.t, 2)}</td>
      <td class="num">{pText(pair.p)}</td>
      <td class="num">{pText(pair.pHolm)}</td>
      <td class="num">{pText(pair.wilcoxonPHolm)}</td>
      <td class="num">
        {formatSigned(pair.cohensD, 2)}
        <span class="small soft below">{pair.effectSize}</span>
      </td>
      <td class="num">{formatSigned(pair.dz, 2)}</td>
      <td class="num">
        {formatShare(pair.winRate)}
        <span class="small soft below">
          {wins ? formatInterval(wins, "percent") : "no interval"}
        </span>
      </td>
      <td class="num">{neededText(pair, tested)}</td>
      <td class="num">{formatValue(pair.detectableDifference, metric.format)}</td>
    </tr>
  );
}

export const Differences = ({ tested, metric, names, against }: Props) => {
  const all = orientedPairs(tested);
  const isShown = ({ first, second }: OrientedPair) =>
    against === null || first === against || second === against;
  const rows = all.filter(isShown).map(({ first, second, difference, significantAt }) => ({
    first: names.get(first) ?? first,
    second: names.get(second) ?? second,
    value: difference.value,
    interval: difference.interval,
    stars: starsOf(significantAt),
  }));
  return (
    <ChartFigure
      title={`Differences in ${metric.label}, with 95% intervals`}
      svg={differenceDotsSvg({ metric, rows })}
      below={
        <p class="small soft">
          For each pair: the run with the higher rank minus the other. A filled dot: a significant
          difference, * at p &lt; 0.05, ** at p &lt; 0.01, by a t-test after Holm over{" "}
          {formatCount(all.length)} {all.length === 1 ? "pair" : "pairs"}.
        </p>
      }
    />
  );
};

export const PairTests = ({ tested, metric, names }: Omit<Props, "against">) => {
  const pairs = orientedPairs(tested);
  const asListed = pairs.map((pair) => ({ ...pair, a: pair.first, b: pair.second }));
  const table = <PairTable pairs={pairs} tested={tested} metric={metric} names={names} />;
  return (
    <>
      <h3>Tests by pair</h3>
      {pairs.length <= mostOpenRows ? (
        table
      ) : (
        <details>
          <summary>{formatCount(pairs.length)} pairs</summary>
          {table}
        </details>
      )}
      {testNotes({ ...tested, pairs: asListed }, (run) => names.get(run) ?? run).map((note) => (
        <p class="small prose">{note}</p>
      ))}
      <p class="small soft prose">
        Tests are paired and two-sided. Wins: share of samples on which the first is better, ties
        half, with Wilson's interval
        {tested.units.kind === "clusters" && ", which is omitted if samples share sources"}. Samples
        needed: the number with which a difference like this is found in 80% of cases. Detectable:
        the smallest difference found in 80% of cases with {formatCount(tested.units.count)}{" "}
        {tested.units.kind === "clusters" ? "sources of samples" : "samples"}.
        {pairs.length > 1 && " Both are of a single test; the corrected tests need more samples."}
      </p>
    </>
  );
};
