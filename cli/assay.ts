import { existsSync } from "node:fs";
import { runAssay } from "./run-assay.ts";

// What the environment has already is left as it is.
if (existsSync(".env")) process.loadEnvFile();

// A reader that has seen enough, such as head, is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runAssay(process.argv.slice(2), process);
