import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a group and others may do. */
const OTHERS = 0o077;
const FOLDER = 0o700;
const FILE = 0o600;

/**
 * Makes a folder that only its owner can open, whatever the umask. One that others could open, from an older version,
 * is closed with all that it holds. Links are left as they are.
 */
export function ownerFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER });
  if ((lstatSync(folder).mode & OTHERS) !== 0) close(folder);
}

function close(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    chmodSync(path, FOLDER);
    for (const name of readdirSync(path)) close(join(path, name));
  } else if (found?.isFile()) chmodSync(path, FILE);
}

/** Writes a file that only its owner can read, also if there was one that others could read. */
export function writeOwnerFile(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: FILE });
  chmodSync(path, FILE);
}

/** From now on, only the owner can read what this process and its children create. */
export const createForOwner = (): void => void process.umask(OTHERS);
