import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { BadInput } from "../bad-input.ts";
import { root } from "./root.ts";

/** Longest that a child gets to end by itself before it is killed. */
const GRACE_MS = 5_000;
/** What made a child end may take a moment to pass. */
const AGAIN_AFTER_MS = 1_000;
/** A child that lived so long was in order: the times it was started before count no more. */
const STEADY_MS = 60_000;

interface Child {
  process: ChildProcess;
  /** Resolves when it is gone: how that came. */
  ended: Promise<string>;
}

/**
 * Child processes that end with this one. Each leads a process group, so that what it starts ends
 * with it; the groups are listed in a file, so that a later start can end what a killed one left.
 */
export class Children {
  readonly #all: Child[] = [];
  readonly #list: string;
  #stopping = false;

  constructor(list: string) {
    this.#list = list;
    endListed(list);
  }

  /** Starts a program, its output in `log`. */
  start(name: string, command: string[], options: StartOptions): void {
    const child = launch(command, options);
    this.#all.push(child);
    this.#writeList();
    void this.#watch(child, name, command, options);
  }

  /** Starts a child that ends by itself again, if that is wanted, and says so. */
  async #watch(child: Child, name: string, command: string[], options: StartOptions) {
    const { again = noMore } = options;
    let tried = 0;
    for (;;) {
      const startedAt = Date.now();
      const how = `${name} ${await child.ended}`;
      if (this.#stopping) return;
      if (Date.now() - startedAt >= STEADY_MS) tried = 0;
      if (tried === again.tries) return options.onExit(how);
      tried += 1;
      again.tell(`${how}. It is started again (${tried} of ${again.tries}).`);
      // What it has left behind may hold its port.
      signalGroup(child.process.pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      if (this.#stopping) return;
      again.before();
      Object.assign(child, launch(command, options));
      this.#writeList();
    }
  }

  #writeList(): void {
    writeFileSync(this.#list, JSON.stringify(this.groups));
  }

  /** Their process groups. */
  get groups(): number[] {
    return this.#all.flatMap(({ process }) => process.pid ?? []);
  }

  /** Kills every child and whatever it started, as a crash would; resolves when none is left. */
  async kill(): Promise<void> {
    this.#stopping = true;
    for (const { process } of this.#all) signalGroup(process.pid, "SIGKILL");
    await Promise.all(this.#all.map(({ ended }) => ended));
    rmSync(this.#list, { force: true });
  }

  /** Ends every child and whatever it started; resolves when none is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#all.map(endGroup));
    rmSync(this.#list, { force: true });
  }
}

export interface StartOptions {
  cwd: string;
  log: string;
  env: Record<string, string>;
  /** Told when it has ended by itself and is not started again. */
  onExit: (reason: string) => void;
  /** How often in a row it is started again, who is told each time, and what is to be done before. */
  again?: { tries: number; tell: (line: string) => void; before: () => void };
}

const noMore = { tries: 0, tell: () => {}, before: () => {} };

function launch([program = "", ...args]: string[], options: StartOptions): Child {
  const out = openSync(options.log, "a");
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", out, out],
    detached: true,
  });
  closeSync(out);
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      resolve(`ended (${how}); see ${options.log}`);
    });
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
  });
  return { process: child, ended };
}

/** Also for a child that is gone: what it started may still be there. */
async function endGroup({ process: child, ended }: Child): Promise<void> {
  signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  signalGroup(child.pid, "SIGKILL");
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal);
  } catch {
    // The group is gone already.
  }
}

/** Ends the groups of an earlier start that was killed; a number used anew is not ours. */
function endListed(list: string): void {
  if (!existsSync(list)) return;
  for (const leader of JSON.parse(readFileSync(list, "utf8")) as number[]) {
    const { stdout } = spawnSync("ps", ["-o", "args=", "-g", `${leader}`], { encoding: "utf8" });
    if (!stdout?.includes(root)) continue;
    signalGroup(leader, "SIGKILL");
    const deadline = Date.now() + GRACE_MS;
    while (groupLives(leader) && Date.now() < deadline) Atomics.wait(pause, 0, 0, 50);
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function groupLives(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

/** Whether nothing on this machine listens there. */
export const isFreePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Fails with a sentence when a port of this machine is taken. */
export async function requireFreePort(port: number, purpose: string): Promise<void> {
  if (await isFreePort(port)) return;
  throw new BadInput(
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
  throw new BadInput(`The service did not come up within ${timeoutMs / 1000} s; see ${hint}.`);
}
