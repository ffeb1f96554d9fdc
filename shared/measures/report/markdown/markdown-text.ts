import type { AdviceBlock } from "../../../contracts/report.ts";

/** What Markdown and the HTML in it would take for markup; a dot or sign only where a line begins with it. */
const markup = /[\\`*_{}[\]<>|~#$]/g;
const lineStart = /^(\s*\d*)([-+=.)])(?=\s|$)/;
/** What would be taken for an address, and made a link. */
const address = /(https?|ftp):\/\/|www\./gi;

/**
 * Text that shows as it is in Markdown (CommonMark, GitHub's tables), on one line: nothing in it is markup, a link
 * or HTML.
 * @example markdownText("a*b*") // "a\\*b\\*"
 */
export function markdownText(text: string): string {
  return text
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ")
    .replace(/&/g, "&amp;")
    .replace(markup, "\\$&")
    .replace(address, (start) => start.replace(/[:.]/, (sign) => `${sign}\u200b`))
    .replace(lineStart, (_, before, sign) => `${before}\\${sign}`);
}

/**
 * Text in a block of its own, as it is, with a fence that the text does not have.
 * @example fencedText("x") // "```\nx\n```"
 */
export function fencedText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** What advice says to change, in words. */
export const changeWords: Readonly<Record<AdviceBlock["items"][number]["change"], string>> = {
  prompt: "Prompt",
  mode: "Output mode",
  parameters: "Parameters",
  model: "Model",
  data: "Data",
  judges: "Judges",
};
