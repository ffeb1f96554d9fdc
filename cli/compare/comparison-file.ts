import { extname } from "node:path";
import type { Comparison } from "#shared/contracts/comparison.ts";
import { BadInput } from "../bad-input.ts";
import { htmlDocument } from "../documents/html-document.ts";
import { markdownDocument } from "../documents/markdown-document.ts";
import { type OutputFile, openOutput } from "../score/output-file.ts";
import { comparisonCsv } from "./comparison-csv.ts";
import type { PartedText } from "./text-part.ts";

/** A comparison in every form. */
export interface ShownComparison {
  comparison: Comparison;
  json: object;
  text: PartedText;
}

const writers: Record<string, (shown: ShownComparison) => string> = {
  ".html": ({ text }) => htmlDocument(text),
  ".md": ({ text }) => markdownDocument(text),
  ".json": ({ json }) => `${JSON.stringify(json, null, 2)}\n`,
  ".csv": ({ comparison }) => comparisonCsv(comparison),
};

/** A file for a comparison, in the form that its name's ending says. */
export interface ComparisonFile {
  write(shown: ShownComparison): void;
  /** Leaves what stood there before; does nothing once it is written. */
  abandon(): void;
}

/** Opens the file, before anything is compared. Throws BadInput where it can't be written. */
export function comparisonFile(path: string, inputs: readonly string[]): ComparisonFile {
  const write = writers[extname(path).toLowerCase()];
  if (write === undefined) {
    const known = Object.keys(writers).join(", ");
    throw new BadInput(`--output takes a file that ends in ${known}, not "${path}"`);
  }
  let file: OutputFile | null = openOutput(path, inputs);
  return {
    write(shown) {
      // A line break follows what is added.
      file?.add(write(shown).replace(/\n$/, ""));
      file?.complete();
      file = null;
    },
    abandon: () => file?.abandon(),
  };
}
