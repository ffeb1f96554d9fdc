import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";

let loaded: Promise<DrawReport> | null = null;

/** Renders a report as one HTML file; `origin` is the service for links, null for none. */
export type DrawReport = (report: RunReport, origin: string | null) => string;

/**
 * The site's page of a report, which is JSX with styles: bundled on first use, in memory. Throws BadInput if the
 * site is not installed.
 */
export function loadReportPage(): Promise<DrawReport> {
  loaded ??= bundle();
  return loaded;
}

type Drawn = {
  reportPage(props: { report: RunReport; origin: string | null; styles: string }): string;
};

async function bundle(): Promise<DrawReport> {
  const entry = join(root, "site", "src", "standalone", "report-page.tsx");
  const esbuild = existsSync(entry) ? await import("esbuild").catch(() => null) : null;
  if (esbuild === null) {
    throw new BadInput(
      "HTML pages need the site, which is not installed here: write Markdown (a name that ends in .md), or run assay in a clone of the project",
    );
  }
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    outdir: root,
    absWorkingDir: root,
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    minify: true,
    logLevel: "silent",
    charset: "utf8",
    define: { "import.meta.env.SSR": "true" },
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const source = Buffer.from(textOf(".js")).toString("base64");
  const { reportPage } = (await import(`data:text/javascript;base64,${source}`)) as Drawn;
  const styles = textOf(".css");
  return (report, origin) => reportPage({ report, origin, styles });
}
