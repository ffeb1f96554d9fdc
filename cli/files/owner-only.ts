import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Permissions of the group and others. */
const OTHERS = 0o077;
const FOLDER = 0o700;
const FILE = 0o600;

/**
 * Creates a folder that only its owner can open, independent of the umask. An existing one that others could open,
 * from an older version, is restricted with all its content. Links do not change.
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

/** Writes a file that only its owner can read, also if it replaces one that others could read. */
export function writeOwnerFile(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: FILE });
  chmodSync(path, FILE);
}

/** From now on, only the owner can read what this process and its children create. */
export const createForOwner = (): void => void process.umask(OTHERS);
