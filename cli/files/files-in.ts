import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileProblem } from "./open-file.ts";

/**
 * Paths of a folder's files, however deep, sorted, with forward slashes. Links are left out; `readdir` by itself would
 * follow those to folders. Throws BadInput.
 * @example filesIn("receipts") // ["gold/a.json", "text/a.txt"]
 */
export function filesIn(folder: string): string[] {
  const paths: string[] = [];
  const within = [""];
  for (let at = within.pop(); at !== undefined; at = within.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      if (entry.isDirectory()) within.push(`${at}${entry.name}/`);
      else if (entry.isFile()) paths.push(`${at}${entry.name}`);
    }
  }
  return paths.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw fileProblem(folder, error);
  }
}
