import { raw } from "hono/html";
import type { Child } from "hono/jsx";
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

interface Props {
  title: string;
  /** Address of the service that has the results; null: none. */
  origin: string | null;
  /** The styles of the page, as text. */
  styles: string;
  children?: Child;
}

/** The page may load nothing, so that the content of an answer can't send requests. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const Page = ({ title, origin, styles, children }: Props) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <title>{`${title} · Assay`}</title>
      <style>{raw(styles)}</style>
    </head>
    <body>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <main class="frame" id="content" tabindex={-1}>
        {children}
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

/** One HTML file with styles and charts, which works without a network. */
export const standalonePage = (props: Props): string => `<!doctype html>${<Page {...props} />}\n`;
