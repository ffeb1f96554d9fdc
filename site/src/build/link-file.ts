import { copyFileSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a file appear at another path, too, without copying where the file system allows. Whoever changes one of them
 * later removes it first. A file that is there is replaced.
 */
export function linkFile(from: string, to: string): void {
  if (isLinked(from, to)) return;
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true });
  if (!isLinked(from, to)) copyFileSync(from, to);
}

/** False if a folder is missing, the file is there, or the file system has no links. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
