import type { Comparison, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { Caution, View } from "#shared/contracts/suite.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { paths } from "../../data/paths.ts";
import { metricIn, type ReportPlace } from "../shown-run.ts";

interface ComparedSuite {
  id: string;
  label: string;
  headline: string;
  metrics: readonly Metric[];
  views: readonly View[];
  caution?: Caution | null;
}

/** A comparison and the facts shown with it. */
export interface Compared {
  comparison: Comparison;
  suite: ComparedSuite;
  /** Metrics of whole runs by run; missing for runs whose metrics could not be read. */
  figures: ReadonlyMap<string, Readonly<Record<string, Estimate>>>;
  /** Whether Assay timed all runs with the same number of concurrent requests; missing if unknown. */
  isTimedAlike?: boolean;
  /** Where it is shown; missing: on the site. */
  place?: Pick<ReportPlace, "siteOrigin">;
}

export type ComparedRun = Comparison["runs"][number];

/** The model name of each run, with the run's id if several models have the same name. */
export function runNames({ runs }: Pick<Comparison, "runs">): Map<string, string> {
  const count = (name: string) => runs.filter(({ model }) => model.name === name).length;
  return new Map(
    runs.map(({ run, model: { name } }) => [run, count(name) > 1 ? `${name} (${run})` : name]),
  );
}

/** Characters of 12 px text that fit on a line of a chart next to a figure. */
const longestName = 30;

const cut = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;

/** Whether simulated runs are marked: if all are, the page says it once. */
export const marksSimulated = ({ runs }: Pick<Comparison, "runs">): boolean =>
  runs.some(({ model }) => !model.simulated);

/** Marks of a run as text, for places without marks next to its name. */
function markOf({ model, provenance }: ComparedRun, marked: boolean): string {
  const marks = [
    ...(marked && model.simulated ? ["simulated"] : []),
    ...(provenance.kind === "called" ? [] : [provenanceText(provenance)]),
  ];
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}

/** The name of each run with its marks in words; long names are cut if there is little room. */
export function markedNames(
  comparison: Pick<Comparison, "runs">,
  { isShort = false } = {},
): Map<string, string> {
  const names = runNames(comparison);
  const marked = marksSimulated(comparison);
  return new Map(
    comparison.runs.map((run) => {
      const name = names.get(run.run) ?? run.run;
      return [run.run, `${isShort ? cut(name) : name}${markOf(run, marked)}`];
    }),
  );
}

/** The runs by the headline over their common samples, the best first. */
export function rankedRuns({ runs, metrics: [headline] }: Comparison): ComparedRun[] {
  const places = new Map(headline?.standings.map(({ run }, place) => [run, place]));
  const placeOf = ({ run }: ComparedRun) => places.get(run) ?? runs.length;
  return runs.toSorted((a, b) => placeOf(a) - placeOf(b));
}

export const metricOf = ({ suite }: Pick<Compared, "suite">, id: string): Metric =>
  metricIn(suite.metrics, id);

/** The default view: every metric that is tested sample by sample. */
const wholeView = ({ metrics }: Comparison): View => ({
  id: "",
  label: "Every tested metric",
  purpose: "Which differ significantly, sample by sample?",
  metrics: metrics.map(({ metric }) => metric),
});

/** The views of a comparison; the first is the default. */
export const viewsOf = ({ comparison, suite }: Compared): View[] => [
  wholeView(comparison),
  ...suite.views,
];

export const viewNamed = (compared: Compared, id: string | null): View =>
  viewsOf(compared).find((view) => view.id === id) ?? wholeView(compared.comparison);

/** The comparison of a metric, or else of the headline; null without common samples. */
export const testedMetric = (
  { comparison: { metrics } }: Compared,
  id: string | null,
): MetricComparison | null => metrics.find(({ metric }) => metric === id) ?? metrics[0] ?? null;

export const runPath = (run: string): string => `${paths.viewer}?id=${encodeURIComponent(run)}`;

/** The page of a sample of a run; `rival`: the run whose answer is shown next to it. */
export const samplePath = (run: string, sample: string, rival?: string): string =>
  `${paths.samples}?${new URLSearchParams({ run, sample, ...(rival && { with: rival }) })}`;
