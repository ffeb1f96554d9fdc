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

/** What is noted of a built site, next to its folder. */
interface BuiltNote {
  /** Identifies the folder: another one may be in its place since. */
  folder: string;
  /** Code and settings. */
  code: string;
  /** Names of kept pages, and "" for others, by file. */
  files: [file: string, name: string][];
}

/** The folder of a site, which is written only once all changed files are there. */
export interface Output {
  dir: string;
  /** Digest of the code that it is of. */
  code: string;
  /** Where changed files are written first. */
  stage: string;
  /** Files of an earlier build of the same code that is still there; null: all are written. */
  before: ReadonlyMap<string, string> | null;
}

const noteOf = (dir: string): string => `${dir}.built.json`;

const withSettings = (code: string): string =>
  [code, settings.apiOrigin, settings.siteOrigin].join(" ");

/** The same after a file in it has changed, unlike after it was replaced. */
function folderId(dir: string): string {
  const { ino, birthtimeMs } = statSync(dir);
  return `${ino} ${birthtimeMs}`;
}

/**
 * Opens the folder of a site. Until it is closed, it is noted as incomplete. `isWhole`: whether all files are written,
 * whatever is there.
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
    // There is none, or no such site.
    return null;
  }
}

/**
 * Puts the files of `stage` into their places, removes those that are not among `files`, and notes the site. `files`:
 * names of kept pages, and "" for others.
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

/** With the folders that are empty then. */
function removeFile(dir: string, file: string): void {
  rmSync(join(dir, file), { force: true });
  const folder = dirname(file);
  if (folder === "." || readdirSync(join(dir, folder)).length > 0) return;
  rmdirSync(join(dir, folder));
}

/** Paths of all files in a folder. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

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
