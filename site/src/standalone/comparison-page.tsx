import "./StandalonePage.tsx";
import "../styles/compare.css";
import "../styles/win-map.css";
import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import { drawsAgainstOne } from "../report/compare/Choice.tsx";
import { CompareHead } from "../report/compare/CompareHead.tsx";
import {
  type Compared,
  markedNames,
  metricOf,
  rankedRuns,
  viewsOf,
} from "../report/compare/compared.ts";
import { DifferingSamples } from "../report/compare/DifferingSamples.tsx";
import { Overview } from "../report/compare/Overview.tsx";
import { SamplePairs } from "../report/compare/SamplePairs.tsx";
import { samplePairs } from "../report/compare/sample-pairs.ts";
import { Tests } from "../report/compare/TestSection.tsx";
import { TradeOffs } from "../report/compare/TradeOffs.tsx";
import { standalonePage } from "./StandalonePage.tsx";

/** More dots can't be distinguished. */
const mostSamples = 2_000;

/** Headline scores of answers, by run. */
type Samples = ReadonlyMap<string, readonly { id: string; score: number | null }[]>;

interface Props {
  compared: Compared;
  /** Null: not known. */
  samples: Samples | null;
  /** Address of the runs' service, for links; null: no links. */
  origin: string | null;
  /** The styles that this module imports, as text. */
  styles: string;
}

/** The tables that readers of the site can choose from, with the first one open. */
const Overviews = ({ compared }: { compared: Compared }) => {
  const [first, ...others] = viewsOf(compared);
  return (
    <section aria-labelledby="overview">
      <h2 id="overview">Overview</h2>
      {first && <Overview compared={compared} view={first} />}
      {others.map((view) => (
        <details>
          <summary>{view.label}</summary>
          <Overview compared={compared} view={view} />
        </details>
      ))}
    </section>
  );
};

const TestsBy = ({ compared, tested }: { compared: Compared; tested: MetricComparison }) => {
  const against = drawsAgainstOne(compared)
    ? (rankedRuns(compared.comparison)[0]?.run ?? null)
    : null;
  const shown = { view: viewsOf(compared)[0]!, tested, against, margin: tested.margin ?? null };
  return <Tests compared={compared} shown={shown} />;
};

/** The tests of the headline, and the tests of all other metrics, folded. */
const AllTests = ({ compared }: { compared: Compared }) => {
  const [headline, ...others] = compared.comparison.metrics;
  if (headline === undefined) return null;
  return (
    <section aria-labelledby="tests">
      <h2 id="tests">Ranks and differences</h2>
      <TestsBy compared={compared} tested={headline} />
      {others.map((tested) => (
        <details>
          <summary>{metricOf(compared, tested.metric).label}</summary>
          <TestsBy compared={compared} tested={tested} />
        </details>
      ))}
    </section>
  );
};

const BestTwo = ({ compared, samples }: { compared: Compared; samples: Samples }) => {
  const { comparison, suite, place } = compared;
  const [first, second] = rankedRuns(comparison);
  if (first === undefined || second === undefined) return null;
  const names = markedNames(comparison);
  const named = ({ run }: { run: string }) => ({ run, name: names.get(run) ?? run });
  const pairs = samplePairs(samples.get(first.run) ?? [], samples.get(second.run) ?? []);
  return (
    <section aria-labelledby="by-sample">
      <h2 id="by-sample">Sample by sample</h2>
      <SamplePairs
        metric={metricOf(compared, suite.headline)}
        first={named(first)}
        second={named(second)}
        pairs={pairs.slice(0, mostSamples)}
        isPart={pairs.length > mostSamples}
        {...(place && { place })}
      />
    </section>
  );
};

/** A comparison as one HTML file, with the charts and tables of the site, which works without a network. */
export function comparisonPage({ compared: given, samples, origin, styles }: Props): string {
  const compared = { ...given, place: { siteOrigin: origin } };
  const { comparison, suite } = compared;
  const runs = comparison.runs.map(({ run }) => encodeURIComponent(run)).join(",");
  const jsonUrl = origin === null ? null : `${origin}/v1/compare?runs=${runs}`;
  return standalonePage({
    title: `${comparison.runs.length} runs on ${suite.label}`,
    origin,
    styles,
    children: (
      <div class="result">
        <CompareHead compared={compared} jsonUrl={jsonUrl} isPage />
        <Overviews compared={compared} />
        <AllTests compared={compared} />
        <TradeOffs compared={compared} />
        <DifferingSamples compared={compared} />
        {samples !== null && <BestTwo compared={compared} samples={samples} />}
      </div>
    ),
  });
}
