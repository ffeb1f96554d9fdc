import type { MetricComparison } from "#shared/contracts/comparison.ts";
import type { View } from "#shared/contracts/suite.ts";
import { CompareHead } from "./CompareHead.tsx";
import { type Compared, markedNames, metricOf, rankedRuns, runNames, viewsOf } from "./compared.ts";
import { Differences, PairTests } from "./Differences.tsx";
import { DifferingSamples } from "./DifferingSamples.tsx";
import { Overview } from "./Overview.tsx";
import { Standings } from "./Standings.tsx";
import { TradeOffs } from "./TradeOffs.tsx";
import { Wins } from "./Wins.tsx";

/** What of a comparison is shown. */
export interface Shown {
  view: View;
  /** Null where no sample is common. */
  tested: MetricComparison | null;
  /** Only differences from this run are drawn; null: of all pairs. */
  against: string | null;
}

/** More pairs than this are too many to draw at once: those of one run are. */
const mostDrawnPairs = 15;

/** Whether differences are drawn for one run at a time. */
export const isAgainstOne = ({ comparison: { runs } }: Compared): boolean =>
  (runs.length * (runs.length - 1)) / 2 > mostDrawnPairs;

const Choice = ({
  label,
  name,
  options,
  chosen,
}: {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  chosen: string | null;
}) => (
  <label class="field">
    {label}
    <select data-shows={name} autocomplete="off">
      {options.map((option) => (
        <option value={option.value} selected={option.value === chosen}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);

const runOptions = ({ comparison }: Compared) => {
  const names = markedNames(comparison);
  return rankedRuns(comparison).map(({ run }) => ({ value: run, label: names.get(run) ?? run }));
};

/** Where each run stands by one metric, and which differ. */
export const Tests = ({ compared, shown: { tested, against } }: Part) => {
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
    </>
  );
};

interface Part {
  compared: Compared;
  shown: Shown;
}

const TestSection = ({ compared, shown }: Part) => (
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
      {isAgainstOne(compared) && (
        <Choice
          label="Differences from"
          name="against"
          options={runOptions(compared)}
          chosen={shown.against}
        />
      )}
      <button type="button" data-csv="pairs">
        CSV of all pairs
      </button>
    </div>
    <div data-part="tests">
      <Tests compared={compared} shown={shown} />
    </div>
  </section>
);

const SampleSection = ({ compared }: Pick<Part, "compared">) => {
  const options = runOptions(compared);
  return (
    <section aria-labelledby="by-sample">
      <h2 id="by-sample">Sample by sample</h2>
      <div class="form-row">
        <Choice label="Across" name="first" options={options} chosen={options[0]?.value ?? null} />
        <Choice label="Up" name="second" options={options} chosen={options[1]?.value ?? null} />
      </div>
      <div data-part="pairs" />
    </section>
  );
};

/** A comparison with the controls that say what of it is shown. */
const CompareReport = ({ compared, shown, jsonUrl }: Part & { jsonUrl: string }) => (
  <>
    <CompareHead compared={compared} jsonUrl={jsonUrl} />
    <section aria-labelledby="overview">
      <h2 id="overview">Overview</h2>
      <div class="form-row">
        <Choice
          label="View"
          name="view"
          options={viewsOf(compared).map(({ id, label }) => ({ value: id, label }))}
          chosen={shown.view.id}
        />
        <button type="button" data-csv="overview">
          CSV of this table
        </button>
      </div>
      <div data-part="overview">
        <Overview compared={compared} view={shown.view} />
      </div>
    </section>
    {shown.tested !== null && <TestSection compared={compared} shown={shown} />}
    <TradeOffs compared={compared} />
    <DifferingSamples compared={compared} />
    <SampleSection compared={compared} />
  </>
);

/** A comparison as HTML. */
export const compareReportHtml = (part: Part & { jsonUrl: string }): string =>
  String(<CompareReport {...part} />);
