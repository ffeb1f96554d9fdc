import { join, sep } from "node:path";
import { root } from "./root.ts";

/** The variable of the environment that names the folder. */
const FOLDER_VARIABLE = "ASSAY_FOLDER";

/**
 * Where a service of this machine keeps its data, and commands what they have begun: `.assay` in the project's
 * folder, or in the working folder where Assay is installed as a package, whose own folder may be replaced.
 */
export function stateFolder(): string {
  const named = process.env[FOLDER_VARIABLE]?.trim();
  if (named) return named;
  const isInstalled = root.split(sep).includes("node_modules");
  return join(isInstalled ? process.cwd() : root, ".assay");
}
