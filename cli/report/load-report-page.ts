import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";

let loaded: Promise<DrawReport> | null = null;

/** Renders a report as one HTML file; `origin` is the service for links, null for none. */
export type DrawReport = (report: RunReport, origin: string | null) => string;

/** The module of the page, from the project's folder; an installed package has it as JavaScript with a style sheet. */
export const PAGE = "site/src/standalone/report-page.tsx";
export const PACKED_PAGE = "site/report-page";

/** How esbuild compiles the site's components. */
export const componentOptions = {
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "hono/jsx",
  charset: "utf8",
  define: { "import.meta.env.SSR": "true" },
} as const;

/**
 * The site's page of a report, which is JSX with styles: bundled when the package was made, or on first use, in memory.
 * Throws BadInput if the site is not installed.
 */
export function loadReportPage(): Promise<DrawReport> {
  loaded ??= load();
  return loaded;
}

interface ReportPage {
  reportPage(props: { report: RunReport; origin: string | null; styles: string }): string;
}

async function load(): Promise<DrawReport> {
  const packed = join(root, PACKED_PAGE);
  const { url, styles } = existsSync(`${packed}.js`)
    ? { url: pathToFileURL(`${packed}.js`).href, styles: readFileSync(`${packed}.css`, "utf8") }
    : await bundle();
  const { reportPage } = (await import(url)) as ReportPage;
  return (report, origin) => reportPage({ report, origin, styles });
}

async function bundle(): Promise<{ url: string; styles: string }> {
  const entry = join(root, PAGE);
  const esbuild = existsSync(entry) ? await import("esbuild").catch(() => null) : null;
  if (esbuild === null) {
    throw new BadInput(
      "HTML pages need the site, which is not installed here: write Markdown (a name that ends in .md), or run assay in a clone of the project",
    );
  }
  const { outputFiles } = await esbuild.build({
    ...componentOptions,
    entryPoints: [entry],
    outdir: root,
    absWorkingDir: root,
    write: false,
    bundle: true,
    minify: true,
    logLevel: "silent",
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const source = Buffer.from(textOf(".js")).toString("base64");
  return { url: `data:text/javascript;base64,${source}`, styles: textOf(".css") };
}
