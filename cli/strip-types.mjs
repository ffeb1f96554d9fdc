// Node runs TypeScript by itself, but not below node_modules, where an installed package is. This does the same
// for the package's own files there.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const own = new URL("../", import.meta.url).href;
const { emitWarning } = process;

// Suppresses a warning about the function below, which users can't act on.
process.emitWarning = (warning, ...rest) => {
  if (!`${warning}`.startsWith("stripTypeScriptTypes")) emitWarning(warning, ...rest);
};

registerHooks({
  load(url, context, next) {
    const isOwn = url.startsWith(own) && !url.slice(own.length).startsWith("node_modules/");
    if (!isOwn || !url.endsWith(".ts")) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
    return { format: "module", source, shortCircuit: true };
  },
});
