import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";

/** A problem the user can do something about: printed as one sentence, without a stack. */
export class UserError extends Error {}

/** Longest that a child gets to end by itself before it is killed. */
const GRACE_MS = 5_000;

/** Child processes that end with this one. */
export class Children {
  readonly #all: { name: string; child: ChildProcess }[] = [];
  #stopping = false;

  /** Starts a program in a process group of its own, its output in `log`. */
  start(name: string, command: string[], options: StartOptions): void {
    const [program = "", ...args] = command;
    const out = openSync(options.log, "a");
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", out, out],
      detached: true,
    });
    closeSync(out);
    this.#all.push({ name, child });
    child.on("exit", (code) => {
      if (!this.#stopping) options.onExit(`${name} ended (exit code ${code}); see ${options.log}`);
    });
    child.on("error", (error) => options.onExit(`${name} could not be started: ${error.message}`));
  }

  /** Ends every child and whatever it started; resolves when none is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = this.#all.filter(({ child }) => child.exitCode === null && child.pid);
    await Promise.all(running.map(({ child }) => endGroup(child)));
  }
}

export interface StartOptions {
  cwd: string;
  log: string;
  env: Record<string, string>;
  onExit: (reason: string) => void;
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Fails with a sentence when a port of this machine is taken. */
export async function requireFreePort(port: number, purpose: string): Promise<void> {
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  if (free) return;
  throw new UserError(
    `Port ${port} (${purpose}) is taken: stop what uses it, or start on another with --port ${port + 10}.`,
  );
}

/** Resolves once `url` answers 200; fails with a sentence after `timeoutMs`. */
export async function untilUp(url: string, timeoutMs: number, hint: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const up = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new UserError(`The service did not come up within ${timeoutMs / 1000} s; see ${hint}.`);
}
