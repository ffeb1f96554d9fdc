import type { ReportSection } from "#shared/contracts/report.ts";
import { blockLines } from "./block-lines.ts";

/** What a suite says in brief of a run, block by block with an empty line before each. */
export function reportText(
  sections: readonly ReportSection[],
  paint: (style: "bold" | "dim", text: string) => string,
): string[] {
  const blocks = sections.flatMap((section) => section.blocks).filter(({ brief }) => brief);
  return blocks.flatMap((block) => {
    const [title, ...lines] = blockLines(block);
    if (title === undefined) return [];
    return [
      "",
      paint("bold", title),
      ...lines.map((line, k) => (k > 0 || block.kind !== "table" ? line : paint("dim", line))),
    ];
  });
}
