import type { CommandHelp } from "#shared/contracts/submissions/command-help.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { markdownPath, paths } from "../paths.ts";
import { settings } from "../settings.ts";
import { guides } from "./guides.ts";

/** Texts in a table cell have no bars or line breaks. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const fenced = (lines: readonly string[]): string => ["```console", ...lines, "```"].join("\n");

/**
 * The help of a command as Markdown.
 * @example commandText({ name: "status", … }) // "## assay status\n\nShow …"
 */
export function commandText(help: CommandHelp): string {
  const { name, summary, usage, description, sections, notes, examples } = help;
  const tables = sections.map(({ title, rows }) =>
    [
      `### ${title}`,
      "",
      "| | |",
      "| --- | --- |",
      ...rows.map(([term, text]) => `| \`${cell(term)}\` | ${cell(text)} |`),
    ].join("\n"),
  );
  return [
    `## assay ${name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    fenced(usage),
    ...description,
    ...tables,
    ...notes,
    ...(examples.length > 0 ? [fenced(examples)] : []),
  ].join("\n\n");
}

/** A suite's metrics with their definitions, as Markdown. */
export const metricLines = ({ metrics }: Suite): string =>
  [
    "",
    "## Metrics",
    "",
    ...metrics.map(({ label, id, definition }) => `- ${label} (\`${id}\`): ${definition}`),
    "",
  ].join("\n");

/** `llms.txt`: a description of this site, with links to its documentation as Markdown. */
export function llmsText(): string {
  const link = (title: string, href: string, about: string) =>
    `- [${title}](${href}): ${about.trim()}`;
  return [
    "# Assay",
    "",
    "> Evaluates language models and publishes the results: leaderboards and reports in which every number has a definition and a 95% interval.",
    "",
    "Each page below is Markdown. The API answers without a key where data is public; errors are RFC 9457 problems that say what to do.",
    "",
    "## Guides",
    "",
    ...guides.map(({ slug, title, summary }) =>
      link(title, markdownPath(paths.guide(slug)), summary),
    ),
    "",
    "## Reference",
    "",
    link(
      "API",
      `${settings.apiOrigin}/v1/openapi.json`,
      "OpenAPI 3.1 of every call, with schemas and examples.",
    ),
    link(
      "Commands",
      markdownPath(paths.commands),
      "Every command of `assay` with its options and examples.",
    ),
    link(
      "Schema of run configs",
      "/schema/run-config.json",
      "JSON Schema of the config of `assay run`.",
    ),
    "",
    "## Methodology",
    "",
    ...suites.map(({ id, label, question }) =>
      link(label, markdownPath(paths.suite(id)), question),
    ),
    link(
      "Statistics",
      markdownPath(paths.statistics),
      "Intervals, tests, ranks, ties and coverage.",
    ),
    "",
    "## Optional",
    "",
    link(
      "Leaderboards",
      paths.leaderboards,
      "Every board, as pages; the API has the same as JSON and CSV.",
    ),
    link("New results", paths.feed, "Atom feed."),
    "",
  ].join("\n");
}
