import type { Metric } from "#shared/contracts/metric.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import type { Verdict } from "#shared/measures/comparison/words/verdict.ts";
import { formatCount } from "../format/number.ts";

export interface RunStanding {
  board: string;
  rank: number;
  rankInterval: readonly [number, number] | null;
  /** Number of ranked models. */
  ranked: number;
  /** The run it is compared with: the first, or if it is the first, the second; null if it is the only one. */
  rival: { run: string; name: string } | null;
  /** The verdict of the board's tests on both; null if unknown. */
  verdict: Verdict | null;
}

/** "95% interval 3–7"; undefined without one. */
export const rankNote = (interval: readonly [number, number] | null): string | undefined =>
  interval === null
    ? undefined
    : `95% interval ${[...new Set(interval.map(formatCount))].join("–")}`;

/** What a page knows in addition to the report. */
export interface ReportPlace {
  /** Address of the API without a final slash; null: the report is not connected to a service. */
  apiOrigin: string | null;
  /** Prefix of the site's paths: empty on the site itself; null: there is no site. */
  siteOrigin: string | null;
  /** Whether all selected samples are drawn on the page, because there are no links. */
  isWhole: boolean;
  /** Page of the sweep of which the run is a variant; null if unknown. */
  sweep: string | null;
  /** Page of its dataset; null if unknown. */
  dataset: string | null;
  /** Null if the run is not ranked, or its rank is unknown. */
  standing: RunStanding | null;
  /** The board that ranks it, if the page itself does not know the rank. */
  rankedOn?: { id: string; path: string };
  /** Address to share; null: none. */
  url: string | null;
  /** Page of its samples; missing if it has none of its own. */
  samples?: string;
}

/** The same for every page of the site. */
export const onSite = { siteOrigin: "", isWhole: false, standing: null } as const;

/** A report with the place where it is shown. */
export interface ShownRun extends RunReport {
  place: ReportPlace;
}

/** An address of the API; links in results may be absolute or start with a slash. */
export const apiUrl = (apiOrigin: string, link: string): string =>
  new URL(link, `${apiOrigin}/`).href;

/** The address of a path of the site, from the report; undefined without a site. */
export const siteUrl = (
  { siteOrigin }: Pick<ReportPlace, "siteOrigin">,
  path: string,
): string | undefined => (siteOrigin === null ? undefined : `${siteOrigin}${path}`);

/** The signed statement of a run; undefined without one, or without a service. */
export const statementUrl = ({ run, place }: ShownRun): string | undefined =>
  run.links.statement === null || place.apiOrigin === null
    ? undefined
    : apiUrl(place.apiOrigin, run.links.statement);

/** Metrics on every board, the same two in all catalogues. */
export const latencyMetric = "latencyP95";
export const costMetric = "costPer1kUsd";

/** The catalogue entry of the ranking metric. */
export const headlineMetric = ({ run, suite }: Pick<RunReport, "run" | "suite">): Metric =>
  metricIn(suite.metrics, run.headline);

/** A metric's catalogue entry; a plain one for a metric that is not in the catalogue. */
export function metricIn(catalogue: readonly Metric[], id: string): Metric {
  return (
    catalogue.find((metric) => metric.id === id) ?? {
      id,
      label: id,
      unit: "ratio",
      better: "higher",
      format: "score",
      definition: "",
    }
  );
}

const estimated: ReadonlySet<Metric["unit"]> = new Set(["ratio", "level", "ms"]);

/** Sums, extremes and shares of this run only, which do not generalise to other samples. */
const counted: ReadonlySet<string> = new Set([
  "latencyMin",
  "latencyMax",
  "firstTokenMin",
  "firstTokenMax",
  "firstByteMin",
  "firstByteMax",
  "generationMin",
  "generationMax",
  "generationTime",
  "evaluationTime",
  "totalTime",
  "latencyTotal",
  "p95Source",
  "judgeCachedRate",
  "unjudgedRate",
]);

/** Whether other samples would give another value, so that it has an interval; other costs are amounts spent. */
export const isEstimated = ({ id, unit }: Pick<Metric, "id" | "unit">): boolean =>
  id === "costPer1kUsd" || (estimated.has(unit) && !counted.has(id));
