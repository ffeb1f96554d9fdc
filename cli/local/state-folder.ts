import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { ownerFolder } from "../files/owner-only.ts";
import { root } from "./root.ts";

/** Environment variable for the folder. */
const FOLDER_VARIABLE = "ASSAY_FOLDER";

/**
 * Folder for the data of a local service and for commands' notes on runs: `.assay` in the project's
 * folder, or in the working folder if Assay is installed as a package, whose own folder may be replaced.
 */
export function stateFolder(): string {
  const named = process.env[FOLDER_VARIABLE]?.trim();
  if (named) return named;
  const isInstalled = root.split(sep).includes("node_modules");
  return join(isInstalled ? process.cwd() : root, ".assay");
}

/** Creates the folder, which git ignores, because it contains keys. */
export function makeStateFolder(folder: string): void {
  ownerFolder(folder);
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/**
 * A folder of the user's cache: in `XDG_CACHE_HOME`, by default `~/.cache`.
 * @example userCache("runtime") // "/home/ada/.cache/assay/runtime"
 */
export const userCache = (...path: string[]): string =>
  join(process.env["XDG_CACHE_HOME"]?.trim() || join(homedir(), ".cache"), "assay", ...path);
