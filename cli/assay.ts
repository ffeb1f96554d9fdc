import { FAILED, runAssay } from "./command-line/run-assay.ts";
import { fileProblem } from "./files/open-file.ts";
import { loadEnvFile } from "./remote/env-file.ts";

loadEnvFile(".env", process.env);

// A reader that stops early, such as head, is not an error, and the command's checks still decide its exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode === FAILED) return;
  process.exitCode = FAILED;
  process.stderr.write(`${fileProblem("standard output", error).message}\n`);
});
// An error of standard error cannot be reported anywhere.
process.stderr.on("error", () => {});

const code = await runAssay(process.argv.slice(2), process);
process.exitCode ??= code;
