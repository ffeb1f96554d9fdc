// Starts build.ts with a cache of compiled modules: on before the first of them is loaded, it spares removing their types.
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

enableCompileCache(resolve(process.env.ASSAY_CACHE_DIR || ".cache/site-runs", "compiled"));
await import("./build.ts");
