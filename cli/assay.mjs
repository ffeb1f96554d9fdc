#!/usr/bin/env node
// Runs `assay` under the Node version it needs. Plain JavaScript, so that any Node from 20 on can
// start it: the command itself is TypeScript, which Node runs from version 24 on.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
const folder = dirname(fileURLToPath(import.meta.url));
const [running] = process.versions.node.split(".").map(Number);

if (running < NEEDED) runUnder(ownNode());
else {
  // Cached in the system's temporary folder: compilation is half of the start time.
  module.enableCompileCache();
  await import("./assay.ts");
}

/** The Node that is installed with the project's packages. */
function ownNode() {
  try {
    const packageJson = createRequire(import.meta.url).resolve("node/package.json");
    const name = process.platform === "win32" ? "node.exe" : "node";
    const path = join(dirname(packageJson), "bin", name);
    if (existsSync(path)) return path;
  } catch {
    // Not installed: reported below.
  }
  console.error(
    `assay needs Node ${NEEDED} or later, this is ${process.versions.node}: install it, or run npm ci in ${dirname(folder)}, which includes it.`,
  );
  process.exit(2);
}

function runUnder(node) {
  const script = join(folder, "assay.mjs");
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: "inherit" });
  // The child decides when to end: a signal only ends this process together with it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
