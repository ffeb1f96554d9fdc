import { loadEnvFile } from "./remote/env-file.ts";
import { runAssay } from "./run-assay.ts";

loadEnvFile(".env", process.env);

// A reader that has seen enough, such as head, is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runAssay(process.argv.slice(2), process);
