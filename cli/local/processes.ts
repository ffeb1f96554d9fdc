import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { BadInput } from "../errors.ts";
import { root } from "./root.ts";

/** How long a child may take to end after SIGTERM before it is killed. */
const GRACE_MS = 5_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Settings for running a program. */
export interface RunOptions {
  cwd: string;
  log: string;
  env: Record<string, string>;
}

/**
 * Programs that end with this process. They are listed in a file, so that a later start can end processes that a killed
 * start left running: process groups as negative ids, single processes as positive ids.
 */
export class Children {
  readonly #list: string;
  readonly #groups = new Map<ChildProcess, Promise<number | null>>();
  #singles: readonly number[] = [];
  /** Whether the programs are being ended. */
  isStopping = false;

  constructor(list: string) {
    this.#list = list;
    endListed(list);
  }

  /**
   * Runs a program as the leader of a process group, with its output in `log`. Returns its exit code, or null after a
   * signal.
   */
  async run([program = "", ...args]: string[], { cwd, log, env }: RunOptions) {
    if (this.isStopping) return null;
    const out = openSync(log, "a", 0o600);
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", out, out],
      detached: true,
    });
    closeSync(out);
    const ended = new Promise<number | null>((resolve) => {
      child.once("exit", resolve);
      child.once("error", () => resolve(null));
    });
    this.#groups.set(child, ended);
    this.#writeList();
    const code = await ended;
    this.#groups.delete(child);
    this.#writeList();
    return code;
  }

  /** Replaces the list of processes that other code starts and ends. */
  note(processes: readonly number[]): void {
    this.#singles = processes;
    this.#writeList();
  }

  /** Leaders of the process groups. */
  get leaders(): number[] {
    return [...this.#groups.keys()].flatMap(({ pid }) => pid ?? []);
  }

  #writeList(): void {
    if (this.isStopping) return;
    const groups = this.leaders.map((leader) => -leader);
    writeFileSync(this.#list, JSON.stringify([...groups, ...this.#singles]));
  }

  /** Kills every program and its children, as a crash would; resolves when none is left. */
  async kill(): Promise<void> {
    this.isStopping = true;
    for (const leader of this.leaders) signal(-leader, "SIGKILL");
    await Promise.all(this.#groups.values());
    rmSync(this.#list, { force: true });
  }

  /** Ends every program and its children; resolves when none is left. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.#groups].map(([{ pid }, ended]) => endGroup(pid, ended)));
    rmSync(this.#list, { force: true });
  }
}

/** Ends processes that a killed start left running; a process id that was reused by another program is ignored. */
function endListed(list: string): void {
  for (const target of listed(list)) {
    const mark = target < 0 ? root : "workerd serve";
    if (!runningProcesses(target).some((args) => args.includes(mark))) continue;
    signal(target, "SIGKILL");
    const deadline = Date.now() + GRACE_MS;
    while (runningProcesses(target).length > 0 && Date.now() < deadline)
      Atomics.wait(pause, 0, 0, 50);
  }
}

/** Empty if the file is incomplete, because the start was killed while it wrote. */
function listed(list: string): number[] {
  const text = existsSync(list) ? readFileSync(list, "utf8") : "";
  return text.match(/^\[.*\]$/) ? (text.match(/-?\d+/g)?.map(Number) ?? []) : [];
}

/** Command lines of a process or group, without zombies, unless their threads still run (Zl) and hold ports. */
export function runningProcesses(target: number): string[] {
  const which = target < 0 ? ["-g", `${-target}`] : ["-p", `${target}`];
  const { stdout } = spawnSync("ps", ["-o", "stat=,args=", ...which], { encoding: "utf8" });
  return (stdout ?? "").split("\n").filter((line) => line !== "" && !/^Z[^l\s]*\s/.test(line));
}

/** Ignores a process or group that has already ended. */
function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // The process has already ended.
  }
}

/** Ends a process group, even if its leader has ended, because children may still run. */
async function endGroup(leader: number | undefined, ended: Promise<unknown>): Promise<void> {
  if (leader === undefined) return;
  signal(-leader, "SIGTERM");
  const timer = setTimeout(() => signal(-leader, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  signal(-leader, "SIGKILL");
}

/** Child processes of this process whose command lines contain a text. */
export function ownProcesses(named: string): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = (stdout ?? "").split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return rows.flatMap((row) =>
    Number(row?.[2]) === process.pid && row?.[3]?.includes(named) ? Number(row[1]) : [],
  );
}

/** Whether a port of this machine is free. */
export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Fails with a message if a port of this machine is taken. */
export async function requireFreePort(port: number, purpose: string): Promise<void> {
  if (await isFreePort(port)) return;
  throw new BadInput(
    `Port ${port} (${purpose}) is in use: stop the other program, or use another port with --port ${port + 10}.`,
  );
}

/** Resolves when `url` answers 200; fails with a message after `timeoutMs`. */
export async function waitUntilUp(url: string, timeoutMs: number, hint: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const up = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new BadInput(`The service did not start within ${timeoutMs / 1000} s; see ${hint}.`);
}
