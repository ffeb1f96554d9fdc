import { Choice, RunChoice, type Selection } from "./Choice.tsx";
import { CompareHead } from "./CompareHead.tsx";
import { type Compared, rankedRuns, viewsOf } from "./compared.ts";
import { DifferingSamples } from "./DifferingSamples.tsx";
import { Overview } from "./Overview.tsx";
import { TestSection } from "./TestSection.tsx";
import { TradeOffs } from "./TradeOffs.tsx";

interface Props {
  compared: Compared;
  shown: Selection;
  jsonUrl: string;
}

const SampleSection = ({ compared }: Pick<Props, "compared">) => {
  const [first, second] = rankedRuns(compared.comparison);
  return (
    <section aria-labelledby="by-sample">
      <h2 id="by-sample">Sample by sample</h2>
      <div class="form-row">
        <RunChoice
          compared={compared}
          label="Horizontal axis"
          name="first"
          chosen={first?.run ?? null}
        />
        <RunChoice
          compared={compared}
          label="Vertical axis"
          name="second"
          chosen={second?.run ?? null}
        />
      </div>
      <div data-part="pairs" />
    </section>
  );
};

/** A comparison with controls to select what is shown. */
const CompareReport = ({ compared, shown, jsonUrl }: Props) => (
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

export const compareReportHtml = (part: Props): string => String(<CompareReport {...part} />);
