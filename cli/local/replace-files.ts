import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Makes folder `to` equal to folder `from`, writing only files that differ. */
export function replaceFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const wanted = new Set(files(from));
  for (const file of wanted) {
    const target = join(to, file);
    const same = existsSync(target) && readFileSync(target).equals(readFileSync(join(from, file)));
    if (!same) cpSync(join(from, file), target, { recursive: true });
  }
  for (const file of files(to)) {
    if (!wanted.has(file)) rmSync(join(to, file));
  }
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
