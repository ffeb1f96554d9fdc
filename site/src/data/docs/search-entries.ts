import type { MarkdownInstance } from "astro";
import { type ProblemType, problemTypes } from "#shared/contracts/problem.ts";
import { suites } from "#shared/suites/registry.ts";
import { paths } from "../paths.ts";
import { commandPages, guides } from "./guides.ts";
import { openApi } from "./openapi.ts";
import { operationGroups } from "./operations.ts";
import { problemGuides } from "./problem-guides.ts";
import { methodologyOf, statisticsText } from "./references.ts";
import { type SearchEntry, sectionsOf } from "./search-sections.ts";

type Text = MarkdownInstance<Record<string, unknown>>;

const ofText = (text: Text, path: string, page: string): SearchEntry[] =>
  sectionsOf(text.rawContent(), text.getHeadings(), path).map((entry) => ({ ...entry, page }));

/** Each metric once, even if several suites have it: several entries with the same text would hide others. */
const metrics: SearchEntry[] = Array.from(
  Map.groupBy(
    suites.flatMap((suite) => suite.metrics.map((metric) => ({ suite, metric }))),
    ({ metric }) => `${metric.label}\n${metric.definition}`,
  ).values(),
  (its) => {
    const { suite, metric } = its[0]!;
    return {
      href: paths.metric(suite.id, metric.id),
      page: its.length === 1 ? suite.label : `Metric of ${its.length} suites`,
      title: metric.label,
      text: metric.definition,
    };
  },
);

const methodology: SearchEntry[] = [
  ...suites.flatMap(({ id, label }) => {
    const text = methodologyOf(id);
    return text ? ofText(text, paths.suite(id), label) : [];
  }),
  ...metrics,
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

/** Everything that the search of the site finds, except results. */
export const textEntries: readonly SearchEntry[] = [
  ...guides.flatMap(({ sections }) => sections),
  ...methodology,
  ...reference,
];
