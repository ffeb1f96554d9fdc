import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { orientedPairs, starsOf } from "#shared/measures/comparison/words/oriented-pairs.ts";
import { testFamily } from "../../format/difference.ts";
import { WinMap, type WinRate, winIntervalNote } from "./WinMap.tsx";

interface Props {
  tested: MetricComparison;
  metric: Metric;
  names: ReadonlyMap<string, string>;
}

/** With more runs, the map is too wide to fit next to another chart. */
const mostBeside = 8;

/** By row and column in the order of the standings, how often the row's run is better. */
export function winCells(tested: Props["tested"]): (WinRate | null)[][] {
  const pairs = orientedPairs(tested);
  const cellOf = (row: string, column: string): WinRate | null => {
    const won = pairs.find(({ first, second }) => first === row && second === column);
    const lost = pairs.find(({ first, second }) => first === column && second === row);
    const pair = won ?? lost;
    if (!pair) return null;
    return { rate: won ? pair.winRate : 1 - pair.winRate, mark: starsOf(pair.significantAt) };
  };
  return tested.standings.map(({ run }) => tested.standings.map((other) => cellOf(run, other.run)));
}

/** How often each run beats every other one. */
export const Wins = ({ tested, metric, names }: Props) => {
  const cells = winCells(tested);
  const shown = tested.standings.map(({ run }) => names.get(run) ?? run);
  const isLarge = shown.length > mostBeside;
  return (
    <figure class={isLarge ? "block block-wide" : "block"}>
      <h3>Wins in {metric.label}, pair by pair</h3>
      <WinMap names={shown} cells={cells} samples={tested.samples} units={tested.units} />
      <p class="small soft">
        In how many of 100 samples the run of the row is better than that of the column, ties
        counted half; {winIntervalNote(tested)} * and **: significant at p &lt; 0.05 and p &lt; 0.01
        by paired t-tests, {testFamily(tested.pairs.length)}.
      </p>
    </figure>
  );
};
