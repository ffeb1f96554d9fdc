import { type ExecFileOptions, execFile } from "node:child_process";

/** Runs a program; whoever waited without reading would find its connections closed by the other side. */
export function ran(program: string, args: readonly string[], options: ExecFileOptions = {}) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(program, args, { ...options, encoding: "utf8" }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}
