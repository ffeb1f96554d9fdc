import { z } from "zod";
import { isPrintable } from "./well-formed.ts";

/** Text that boards and pages show next to other users' text, of at most `maxLength` characters. */
export const printableText = (maxLength: number) =>
  z.string().trim().max(maxLength).refine(isPrintable, {
    error:
      "must hold something visible, and no control, invisible, direction-changing or piled-up characters",
  });

/**
 * A file name that no shell, header or file system reads as anything else.
 * @example downloadName(["acme/receipts@1a2b", "board"], "csv") // "acme-receipts-1a2b-board.csv"
 */
export function downloadName(parts: readonly string[], extension: string): string {
  const name = parts
    .join("-")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 100)
    .replace(/-+$/, "");
  return `${name || "assay"}.${extension}`;
}
