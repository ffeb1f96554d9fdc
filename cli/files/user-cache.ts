import { homedir } from "node:os";
import { join } from "node:path";

/**
 * A folder of the user's cache: in `XDG_CACHE_HOME`, by default `~/.cache`.
 * @example userCache("runtime") // "/home/ada/.cache/assay/runtime"
 */
export const userCache = (...path: string[]): string =>
  join(process.env["XDG_CACHE_HOME"]?.trim() || join(homedir(), ".cache"), "assay", ...path);
