import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../local/root.ts";
import { buildPackage } from "./build-package.ts";

/** `npm run pack`: creates the npm package in `dist/`, as a folder and as the file for `npm publish`. */
const folder = join(root, "dist", "assay-evals");
await buildPackage(folder);
const args = ["pack", "--ignore-scripts", "--pack-destination", join(root, "dist")];
const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
process.exitCode = status ?? 1;
