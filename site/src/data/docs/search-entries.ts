import type { MarkdownInstance } from "astro";
import { type ProblemType, problemTypes } from "#shared/contracts/problem.ts";
import { boardPages } from "../boards/boards.ts";
import { allDatasets } from "../datasets.ts";
import { suiteLabel } from "../metrics.ts";
import { modelsWithPage } from "../page-files.ts";
import { paths } from "../paths.ts";
import { suites } from "../suites.ts";
import { commandPages, guides } from "./guides.ts";
import { openApi } from "./openapi.ts";
import { operationGroups } from "./operations.ts";
import { problemGuides } from "./problem-guides.ts";
import { methodologyOf, statisticsText } from "./references.ts";
import { type SearchEntry, sectionsOf } from "./search-sections.ts";

/** Models and datasets in the index: a few thousand names are as large as all texts. */
const MOST_NAMES = 2000;

type Text = MarkdownInstance<Record<string, unknown>>;

const ofText = (text: Text, path: string, page: string): SearchEntry[] =>
  sectionsOf(text.rawContent(), text.getHeadings(), path).map((entry) => ({ ...entry, page }));

const results: SearchEntry[] = [
  ...boardPages.map(({ board, path }) => ({
    href: path,
    page: "Leaderboards",
    title: `${suiteLabel(board.suite)}: ${board.dataset.name}`,
    text: `${board.entries.length} models`,
  })),
  ...modelsWithPage.slice(0, MOST_NAMES).map(({ model }) => ({
    href: paths.model(model.slug),
    page: "Models",
    title: model.name,
    text: model.slug,
  })),
  ...allDatasets.slice(0, MOST_NAMES).map(({ suite, name }) => ({
    href: paths.dataset(suite, name),
    page: "Datasets",
    title: name,
    text: suiteLabel(suite),
  })),
];

const methodology: SearchEntry[] = [
  ...suites.flatMap((suite) => {
    const text = methodologyOf(suite.id);
    const path = paths.suite(suite.id);
    const metrics = suite.metrics.map(({ id, label, definition }) => ({
      href: paths.metric(suite.id, id),
      page: suite.label,
      title: label,
      text: definition,
    }));
    return [...(text ? ofText(text, path, suite.label) : []), ...metrics];
  }),
  ...ofText(statisticsText, paths.statistics, "Statistics"),
];

const reference: SearchEntry[] = [
  ...commandPages.map(({ slug, name, summary, description }) => ({
    href: paths.command(slug),
    page: "Commands",
    title: `assay ${name}`,
    text: [summary, ...description].join(" "),
  })),
  ...(openApi ? operationGroups(openApi) : []).flatMap(({ operations }) =>
    operations.map(({ method, path, anchor, operation }) => ({
      href: `${paths.docs}#${anchor}`,
      page: "API",
      title: operation.summary ?? `${method} ${path}`,
      text: `${method.toUpperCase()} ${path} ${operation.description ?? ""}`,
    })),
  ),
  ...Object.entries(problemTypes).map(([type, { title }]) => ({
    href: paths.error(type),
    page: "Errors",
    title,
    text: Object.values(problemGuides[type as ProblemType]).join(" "),
  })),
];

/** Everything that the search of the site finds. */
export const searchEntries: readonly SearchEntry[] = [
  ...guides.flatMap(({ sections }) => sections),
  ...methodology,
  ...reference,
  ...results,
];
