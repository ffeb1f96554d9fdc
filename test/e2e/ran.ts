import { type ExecFileOptions, execFile } from "node:child_process";

/** Runs a program without blocking, since servers close connections that are not read while this process waits. */
export function ran(program: string, args: readonly string[], options: ExecFileOptions = {}) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(program, args, { ...options, encoding: "utf8" }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}
