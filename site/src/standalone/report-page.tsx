import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/page.css";
import "../styles/tables.css";
import "../styles/prose.css";
import "../styles/marks.css";
import "../styles/charts.css";
import "../styles/report.css";
import "../styles/forms.css";
import "../styles/print.css";
import { raw } from "hono/html";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReportHtml } from "../report/RunReport.tsx";

interface Props {
  report: RunReport;
  /** Address of the run's service, for links; null: no links. */
  origin: string | null;
  /** The styles that this module imports, as text. */
  styles: string;
}

/** The page loads nothing, so the content of an answer can't send requests. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const Page = ({ report, origin, styles }: Props) => {
  const { run, suite } = report;
  const place = {
    apiOrigin: origin,
    siteOrigin: origin,
    isWhole: true,
    sweep: null,
    dataset: null,
  };
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <title>{`${run.model.name} on ${suite.label} · Assay`}</title>
        <style>{raw(styles)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <main class="frame" id="content" tabindex={-1}>
          {raw(runReportHtml({ ...report, place }))}
        </main>
        <footer class="site-footer">
          <div class="frame">
            <p>
              Made by Assay{origin === null ? "" : ` from ${origin}`}. Scores are measurements: read
              them with their intervals.
            </p>
          </div>
        </footer>
      </body>
    </html>
  );
};

/** A run's report as one HTML file, with styles and charts, which works without a network. */
export const reportPage = (props: Props): string => `<!doctype html>${<Page {...props} />}\n`;
