import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "../../cli/local/root.ts";

/** A fresh clone of the repository, as on a machine that has never deployed. It shares this folder's packages. */
export interface Checkout {
  folder: string;
  /** Runs a script of package.json. Resolves to its exit code and everything that it printed. */
  run(script: string, args: readonly string[], env: Record<string, string>): Run;
  /** Runs a shell command. Resolves like `run`. */
  shell(line: string, env: Record<string, string>): Run;
  remove(): void;
}

interface Run {
  ended: Promise<{ code: number | null; text: string; ms: number }>;
  interrupt(): void;
}

/** Clones the last commit and copies uncommitted changes. */
export function checkout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "assay-checkout-"));
  execFileSync("git", ["clone", "--quiet", root, folder]);
  for (const file of changedFiles()) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
    else rmSync(join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    run: (script, args, env) =>
      started(folder, ["npm", "run", "--silent", script, "--", ...args], env),
    shell: (line, env) => started(folder, ["sh", "-c", line], env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function started(
  folder: string,
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
): Run {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
    });
  }
  const ended = new Promise<{ code: number | null; text: string; ms: number }>((resolve) => {
    child.on("close", (code) => {
      const ms = performance.now() - begun;
      resolve({ code, text: stripVTControlCharacters(text), ms });
    });
  });
  // Signals the whole process group, like Ctrl-C in a terminal.
  return { ended, interrupt: () => void process.kill(-child.pid!, "SIGINT") };
}

/** Files with uncommitted changes, including new files. */
export function changedFiles(): string[] {
  const listed = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  return [
    ...listed("diff", "--name-only", "HEAD"),
    ...listed("ls-files", "--others", "--exclude-standard"),
  ];
}
