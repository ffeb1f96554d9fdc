import { runAssay } from "./command-line/run-assay.ts";
import { loadEnvFile } from "./remote/env-file.ts";

loadEnvFile(".env", process.env);

// A reader that stops early, such as head, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runAssay(process.argv.slice(2), process);
