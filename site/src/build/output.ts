import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { settings } from "../data/settings.ts";

/** Record about a built site, stored next to its folder. */
interface BuiltNote {
  /** Identifies the folder, because another one may have taken its place. */
  folder: string;
  /** Digest of code and settings. */
  code: string;
  /** Names of kept pages, and "" for others, by file. */
  files: [file: string, name: string][];
}

/** The folder of a site; it is changed only once all changed files exist. */
export interface Output {
  dir: string;
  code: string;
  /** Where changed files are written first. */
  stage: string;
  /** Files of an earlier build of the same code that still exists; null if all files must be written. */
  before: ReadonlyMap<string, string> | null;
}

const noteOf = (dir: string): string => `${dir}.built.json`;

const withSettings = (code: string): string =>
  [code, settings.apiOrigin, settings.siteOrigin].join(" ");

/** Id of a folder: it stays the same when files in it change, but not when the folder is replaced. */
function folderId(dir: string): string {
  const { ino, birthtimeMs } = statSync(dir);
  return `${ino} ${birthtimeMs}`;
}

/**
 * Opens the folder of a site, which is recorded as incomplete until it is closed. `isWhole`: writes all files, whatever
 * exists.
 */
export function openOutput(dir: string, code: string, isWhole: boolean): Output {
  const stage = `${dir}.new`;
  rmSync(stage, { recursive: true, force: true });
  const before = isWhole ? null : noted(dir, code);
  rmSync(noteOf(dir), { force: true });
  return { dir, code, stage, before: before && new Map(before.files) };
}

function noted(dir: string, code: string): BuiltNote | null {
  try {
    const note = JSON.parse(readFileSync(noteOf(dir), "utf8")) as BuiltNote;
    return note.folder === folderId(dir) && note.code === withSettings(code) ? note : null;
  } catch {
    // There is no site, or not this one.
    return null;
  }
}

/**
 * Moves the files of `stage` into place, removes files that are not among `files`, and records the site. `files`: names
 * of kept pages, and "" for other files.
 */
export function closeOutput({ dir, code, stage, before }: Output, files: BuiltNote["files"]): void {
  if (before === null) {
    rmSync(dir, { recursive: true, force: true });
    renameSync(stage, dir);
  } else {
    for (const file of filesIn(stage)) {
      mkdirSync(dirname(join(dir, file)), { recursive: true });
      renameSync(join(stage, file), join(dir, file));
    }
    const wanted = new Set(files.map(([file]) => file));
    const gone = [...before.keys()].filter((file) => !wanted.has(file));
    for (const file of gone) removeFile(dir, file);
    rmSync(stage, { recursive: true, force: true });
  }
  const note: BuiltNote = { folder: folderId(dir), code: withSettings(code), files };
  writeFileSync(noteOf(dir), JSON.stringify(note));
}

/** Removes a file, and folders that become empty. */
function removeFile(dir: string, file: string): void {
  rmSync(join(dir, file), { force: true });
  const folder = dirname(file);
  if (folder === "." || readdirSync(join(dir, folder)).length > 0) return;
  rmdirSync(join(dir, folder));
}

export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/**
 * Makes a file also available at another path, with a hard link if the file system supports it. To change either of
 * them later, remove it first. Replaces an existing file.
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
