import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder with these files, a list of rows as JSONL, until `dispose` removes it. */
export function folderWith(files: Record<string, string | Buffer | readonly unknown[]>) {
  const path = mkdtempSync(join(tmpdir(), "assay-test-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    const isRows = typeof content !== "string" && !Buffer.isBuffer(content);
    writeFileSync(join(path, name), isRows ? jsonl(content) : content);
  }
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** An empty temporary folder that is deleted after the test. */
export function aFolder(): string {
  const { path, dispose } = folderWith({});
  onTestFinished(dispose);
  return path;
}

/** Rows as JSONL. */
export function jsonl(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
