import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { root } from "../../cli/local/root.ts";

const source = join(root, "test", "worker", "quick-storage", "storage-worker.ts");
const scriptName = "quick-storage";
const className = "QuickDatabase";

/** Miniflare options of the storage Worker for the Worker's tests, and of bindings to it. */
export const quickStorage = {
  database: { className, scriptName, useSQLite: true },
  bucket: { name: scriptName, entrypoint: "QuickBucket" },
  worker: {
    name: scriptName,
    modules: true,
    script: transformSync(readFileSync(source, "utf8"), { loader: "ts", format: "esm" }).code,
    compatibilityDate: "2026-11-02",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { [className]: { className, useSQLite: true } },
  },
};
