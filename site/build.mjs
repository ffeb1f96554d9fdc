// Starts build.ts with a cache of compiled modules, enabled before the first of them is loaded, to avoid removing their
// types in every build.
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

enableCompileCache(resolve(process.env.ASSAY_CACHE_DIR || ".cache/site-runs", "compiled"));
await import("./build.ts");
