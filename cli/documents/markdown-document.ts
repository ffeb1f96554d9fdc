import type { PartedText, PartTable } from "../compare/comparison-parts.ts";
import { printable } from "../printable.ts";

/** A document in GitHub's Markdown. */
export function markdownDocument({ title, about, parts }: PartedText): string {
  const sections = parts.flatMap((part) => [
    `## ${escaped(part.title)}`,
    tableOf(part.table),
    ...part.notes.map(escaped),
  ]);
  return `${[`# ${escaped(title)}`, ...about.map(escaped), ...sections].join("\n\n")}\n`;
}

function tableOf({ head, rows, isText }: PartTable): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escaped(cell.trim())).join(" | ")} |`;
  const rule = head.map((_, k) => (isText(k) ? ":--" : "--:"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Names of models and samples are text, whatever they hold. */
const escaped = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>|#]/g, "\\$&");
