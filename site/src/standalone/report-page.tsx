import "./StandalonePage.tsx";
import { raw } from "hono/html";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReportHtml } from "../report/RunReport.tsx";
import { standalonePage } from "./StandalonePage.tsx";

interface Props {
  report: RunReport;
  /** Address of the run's service, for links; null: no links. */
  origin: string | null;
  /** The styles that this module imports, as text. */
  styles: string;
}

/** A run's report as one HTML file, with styles and charts, which works without a network. */
export function reportPage({ report, origin, styles }: Props): string {
  const { run, suite } = report;
  const place = {
    apiOrigin: origin,
    siteOrigin: origin,
    isWhole: true,
    sweep: null,
    dataset: null,
    standing: null,
    url: null,
  };
  return standalonePage({
    title: `${run.model.name} on ${suite.label}`,
    origin,
    styles,
    children: raw(runReportHtml({ ...report, place })),
  });
}
