import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder with these files, a list of rows as JSONL, until `dispose` removes it. */
export function folderWith(files: Record<string, string | readonly unknown[]>) {
  const path = mkdtempSync(join(tmpdir(), "assay-test-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof content === "string" ? content : jsonl(content));
  }
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** Rows as JSONL. */
export function jsonl(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
