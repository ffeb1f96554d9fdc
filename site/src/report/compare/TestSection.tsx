import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { orientedPairs, starsOf } from "#shared/measures/comparison/words/oriented-pairs.ts";
import { testFamily } from "../../format/number.ts";
import { Choice, drawsAgainstOne, margins, RunChoice, type Selection } from "./Choice.tsx";
import { type Compared, markedNames, metricOf, runNames } from "./compared.ts";
import { Differences, PairTests } from "./Differences.tsx";
import { MarginTable } from "./MarginTable.tsx";
import { Standings } from "./Standings.tsx";
import { WinMap, type WinRate, winIntervalNote } from "./WinMap.tsx";

interface Props {
  compared: Compared;
  shown: Selection;
}

/** The rank of each run by one metric, and significant differences. */
export const Tests = ({ compared, shown: { tested, against, margin } }: Props) => {
  if (tested === null) return null;
  const metric = metricOf(compared, tested.metric);
  const names = markedNames(compared.comparison);
  const shortNames = markedNames(compared.comparison, { isShort: true });
  return (
    <>
      <Standings tested={tested} metric={metric} names={names} />
      <div class="blocks">
        <Differences tested={tested} metric={metric} names={shortNames} against={against} />
        {tested.standings.length > 2 && (
          <Wins tested={tested} metric={metric} names={runNames(compared.comparison)} />
        )}
      </div>
      <PairTests tested={tested} metric={metric} names={names} />
      {typeof margin === "string" && <p role="status">{margin}</p>}
      {margin !== null && typeof margin !== "string" && (
        <MarginTable tested={tested} metric={metric} names={names} margin={margin} />
      )}
    </>
  );
};

/** Ranks and differences by a metric, with controls to select it. */
export const TestSection = ({ compared, shown }: Props) => (
  <section aria-labelledby="tests">
    <h2 id="tests">Ranks and differences</h2>
    <div class="form-row">
      <Choice
        label="Metric"
        name="metric"
        options={compared.comparison.metrics.map(({ metric: id }) => ({
          value: id,
          label: metricOf(compared, id).label,
        }))}
        chosen={shown.tested?.metric ?? null}
      />
      {drawsAgainstOne(compared) && (
        <RunChoice
          compared={compared}
          label="Differences from"
          name="against"
          chosen={shown.against}
        />
      )}
      <Choice
        label="The same within"
        name="margin"
        options={[
          { value: "", label: "not tested" },
          ...margins.map((margin) => ({ value: `${margin}`, label: `${margin}` })),
        ]}
        chosen=""
      />
      <button type="button" data-csv="pairs">
        CSV of all pairs
      </button>
    </div>
    <div data-part="tests">
      <Tests compared={compared} shown={shown} />
    </div>
  </section>
);

interface WinsProps {
  tested: MetricComparison;
  metric: Metric;
  names: ReadonlyMap<string, string>;
}

/** Maximum runs for which the map fits next to another chart. */
const mostBeside = 8;

/** How often the row's run is better, by row and column in the order of the standings. */
export function winCells(tested: WinsProps["tested"]): (WinRate | null)[][] {
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
const Wins = ({ tested, metric, names }: WinsProps) => {
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
