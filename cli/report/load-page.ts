import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";

/** Renders a report as one HTML file; `origin` is the service for links, null for none. */
export type DrawReport = (report: RunReport, origin: string | null) => string;

/** Metrics of whole runs, by run. */
export type ComparedFigures = ReadonlyMap<string, Readonly<Record<string, Estimate>>>;

/** Headline scores of answers in the order of the run, by run. */
export type SampleScores = ReadonlyMap<string, readonly { id: string; score: number | null }[]>;

/** Data for the page of a comparison. */
export interface PageOfComparison {
  comparison: Comparison;
  /** Includes metrics that runs define, and the headline of the comparison. */
  suite: Suite;
  figures: ComparedFigures;
  /** Null if unknown. */
  samples: (() => SampleScores) | null;
  /** Address of the service, for links; null if no service has these runs. */
  origin: string | null;
}

/** The pages, by the names of their modules. */
export const pageNames = ["report-page", "comparison-page"] as const;
type PageName = (typeof pageNames)[number];

/** Path of a page's module in the project; an installed package has JavaScript and a style sheet instead. */
export const pageModule = (name: PageName): string => `site/src/standalone/${name}.tsx`;
export const packedPage = (name: PageName): string => `site/${name}`;

/** How esbuild compiles the site's components. */
export const componentOptions = {
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "hono/jsx",
  charset: "utf8",
  define: { "import.meta.env.SSR": "true" },
} as const;

/** The functions of the site that render a page, by the name of their module. */
type PageModule = Record<string, (props: object) => string>;

interface LoadedPage {
  module: PageModule;
  /** The imported styles, as text. */
  styles: string;
}

const loaded = new Map<PageName, Promise<LoadedPage>>();

/**
 * A page of the site, which is JSX with styles, bundled in the package or in memory on first use. Throws
 * BadInput if the site is not installed.
 */
function loadPage(name: PageName): Promise<LoadedPage> {
  const page = loaded.get(name) ?? load(name);
  loaded.set(name, page);
  return page;
}

/** The page of a run's report. Throws BadInput if the site is not installed. */
export async function loadReportPage(): Promise<DrawReport> {
  const { module, styles } = await loadPage("report-page");
  return (report, origin) => module["reportPage"]!({ report, origin, styles });
}

/** The page of a comparison. Throws BadInput if the site is not installed. */
export async function loadComparisonPage(): Promise<(shown: PageOfComparison) => string> {
  const { module, styles } = await loadPage("comparison-page");
  return ({ comparison, suite, figures, samples, origin }) => {
    const compared = { comparison, suite: { ...suite, views: suite.views ?? [] }, figures };
    return module["comparisonPage"]!({ compared, samples: samples?.() ?? null, origin, styles });
  };
}

async function load(name: PageName): Promise<LoadedPage> {
  const packed = join(root, packedPage(name));
  const { url, styles } = existsSync(`${packed}.js`)
    ? { url: pathToFileURL(`${packed}.js`).href, styles: readFileSync(`${packed}.css`, "utf8") }
    : await bundle(name);
  return { module: (await import(url)) as PageModule, styles };
}

async function bundle(name: PageName): Promise<{ url: string; styles: string }> {
  const entry = join(root, pageModule(name));
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
