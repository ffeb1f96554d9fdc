import type { MarkdownInstance } from "astro";
import type { CommandHelp } from "#shared/contracts/submissions/command-help.ts";
import listed from "../../../../shared/contracts/commands.gen.json";
import { paths } from "../paths.ts";
import { forThisService } from "../settings.ts";
import { type SearchEntry, sectionsOf } from "./search-sections.ts";

/** A guide from the folder `docs` with its page. */
export interface Guide {
  slug: string;
  title: string;
  /** Its first sentence. */
  summary: string;
  contents: { id: string; title: string }[];
  /** HTML; links to other guides lead to their pages. */
  html: () => Promise<string>;
  /** The text itself, for readers of Markdown. */
  markdown: string;
  /** Its parts, for the search. */
  sections: SearchEntry[];
}

const files = import.meta.glob<MarkdownInstance<Record<string, unknown>>>(
  ["../../../../docs/*.md", "!../../../../docs/architecture.md"],
  {
    eager: true,
  },
);

/** Guides in the order of use; unlisted ones come last. */
const order = [
  "first-evaluation",
  "concepts",
  "reading-reports",
  "glossary",
  "accounts",
  "submitting",
  "private",
  "datasets",
  "command-line",
  "coming-from",
  "programs",
  "runners",
  "agents",
  "gates",
  "parity",
  "judging",
  "verifying",
  "deployment",
  "operating",
  "configuration",
];

const place = ({ slug }: Guide): number => order.indexOf(slug) + 1 || order.length + 1;

export const guides: readonly Guide[] = Object.entries(files)
  .map(([file, text]) => ({
    slug: file.split("/").at(-1)!.replace(/\.md$/, ""),
    title: text.getHeadings().find(({ depth }) => depth === 1)?.text ?? "",
    summary: firstSentence(text.rawContent()),
    contents: contentsOf(text.getHeadings()),
    html: async () => rewriteLinks(await text.compiledContent()),
    markdown: forReaders(text.rawContent()),
    sections: sectionsOf(
      text.rawContent(),
      text.getHeadings(),
      paths.guide(file.split("/").at(-1)!.replace(/\.md$/, "")),
    ),
  }))
  .sort((a, b) => place(a) - place(b) || a.slug.localeCompare(b.slug));

/** The sections of a text, by its headings of the second level. */
export function contentsOf(
  headings: readonly { depth: number; slug: string; text: string }[],
): Guide["contents"] {
  return headings
    .filter(({ depth }) => depth === 2)
    .map(({ slug, text }) => ({ id: slug, title: text.replaceAll("`", "") }));
}

function firstSentence(markdown: string): string {
  const paragraph = markdown.split("\n\n").find((one) => /^[A-Z]/.test(one)) ?? "";
  const plain = paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  return /^.*?[.?!](?= |$)/.exec(plain)?.[0] ?? plain;
}

/** In the repository, guides link to each other by file and use the address of the default service. */
export const rewriteLinks = (html: string): string =>
  html
    .replaceAll(/href="(?:docs\/)?([\w-]+)\.md(#[\w-]+)?"/g, (_, slug: string, anchor = "") => {
      return `href="${paths.guide(slug)}${anchor}"`;
    })
    .replaceAll(/(src|srcset)="([\w-]+\.webp)"/g, (_, name: string, file: string) => {
      return `${name}="${paths.picture(file)}"`;
    })
    // Files that the site does not have.
    .replaceAll(/<a href="\.\.\/[^"]*">(.*?)<\/a>/g, "$1")
    // In other places this address is the default value of a setting.
    .replaceAll(/<pre[\s>].*?<\/pre>|<a href="http:.*?<\/a>/gs, forThisService);

/**
 * A text of the repository for the site: links to files that the site lacks become plain text, and commands name this
 * service.
 */
export function forReaders(markdown: string): string {
  return markdown
    .trimStart()
    .replaceAll(/\[([^\]]+)\]\((?!https?:|[#/]|[\w-]+\.md)[^)]*\)/g, "$1")
    .replaceAll(/```.*?```/gs, forThisService);
}

export interface CommandPage extends CommandHelp {
  /** Path of its page: words joined by hyphens. */
  slug: string;
}

/** Every command, in the order in which `assay --help` lists them. */
export const commandPages: readonly CommandPage[] = (listed as unknown as CommandHelp[]).map(
  (help) => ({
    ...help,
    slug: help.name.replaceAll(" ", "-"),
  }),
);
