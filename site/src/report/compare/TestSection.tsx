import { Choice, RunChoice } from "./Choice.tsx";
import { type Compared, markedNames, metricOf, runNames } from "./compared.ts";
import { Differences, PairTests } from "./Differences.tsx";
import { MarginTable } from "./MarginTable.tsx";
import { Standings } from "./Standings.tsx";
import { drawsAgainstOne, margins, type Selection } from "./selection.ts";
import { Wins } from "./Wins.tsx";

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
