import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * Moves the files of folder `from` that are new or differ to folder `to`, each of them at once. Gives
 * the paths of those that only `to` has: they stay, since whoever is listing the folder just then
 * must find each file that it has listed.
 */
export function replaceFiles(from: string, to: string): string[] {
  mkdirSync(to, { recursive: true });
  const wanted = files(from);
  for (const file of wanted) {
    if (!isSame(join(from, file), join(to, file))) moveFile(join(from, file), join(to, file));
  }
  const isWanted = new Set(wanted);
  return files(to)
    .filter((file) => !isWanted.has(file))
    .map((file) => join(to, file));
}

const isSame = (a: string, b: string) => existsSync(b) && readFileSync(a).equals(readFileSync(b));

function moveFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    copyFileSync(from, to);
  }
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
