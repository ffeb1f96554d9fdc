import { join } from "node:path";
import { root } from "./root.ts";

/** The command that builds the site into a folder; run it in the project's. A page leaves much that is soon garbage. */
export const siteBuild = (outDir: string): string[] => [
  process.execPath,
  "--max-semi-space-size=128",
  join(root, "node_modules", "astro", "bin", "astro.mjs"),
  "build",
  "--root",
  "site",
  "--outDir",
  outDir,
];
