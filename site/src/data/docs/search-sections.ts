/** A part of a page that the search finds. */
export interface SearchEntry {
  href: string;
  page: string;
  /** Heading of the section; for the first one, that of the page. */
  title: string;
  text: string;
}

interface Heading {
  slug: string;
  text: string;
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*_|#>]+|-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/**
 * The sections of a Markdown text, each from its heading to the next one of any depth. `headings`: in the same order.
 * Headings are lines that begin with `#`, except in fenced code.
 * @example sectionsOf("# A\n\ntext", [{ slug: "a", text: "A" }], "/a/") // [{ href: "/a/", page: "A", title: "A", text: "text" }]
 */
export function sectionsOf(
  markdown: string,
  headings: readonly Heading[],
  path: string,
): SearchEntry[] {
  const parts: string[][] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^(```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  const page = headings[0]?.text ?? "";
  return parts.map((lines, i) => ({
    href: i === 0 ? path : `${path}#${headings[i]?.slug ?? ""}`,
    page,
    title: headings[i]?.text ?? page,
    text: plain(lines.join("\n")),
  }));
}
