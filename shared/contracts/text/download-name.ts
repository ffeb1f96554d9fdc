/**
 * A file name without characters that are special in shells, headers or file systems.
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
