#!/usr/bin/env node
// Starts `assay` in an installed package. Checks the version of Node before newer syntax is loaded.
import module from "node:module";

const NEEDED = 22;
const { emitWarning } = process;

const [running] = process.versions.node.split(".").map(Number);
if (running < NEEDED) {
  console.error(`assay needs Node ${NEEDED} or later, this is ${process.versions.node}.`);
  process.exit(2);
}
// Users cannot act on Node's warnings about experimental features.
process.emitWarning = (warning, ...rest) => {
  const type = typeof rest[0] === "object" ? rest[0]?.type : rest[0];
  if (type !== "ExperimentalWarning") emitWarning(warning, ...rest);
};
// Cached in the system's temporary folder: compilation is half of the start time.
module.enableCompileCache?.();
await import("./dist/assay.js");
