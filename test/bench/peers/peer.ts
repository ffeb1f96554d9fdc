import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import { processTree } from "../../support/process-tree.ts";

/** The same samples for another tool. */
export interface AskedOfPeer {
  /** Empty, for its files. */
  folder: string;
  baseUrl: string;
  model: string;
  concurrency: number;
  /** Requests as the service sends them, and the expected outputs. */
  bodies: readonly JsonObject[];
  expected: readonly unknown[];
}

/** What a run took: wall time, and the most memory that its processes held together. */
export interface PeerCost {
  wallMs: number;
  peakMb: number;
}

/** Another tool that evaluates models. */
export interface Peer {
  /** With the version. */
  name: string;
  /** Installs it unless it is there. Throws `NotHere`. */
  install(): void;
  run(asked: AskedOfPeer): Promise<PeerCost>;
}

/** Between two looks at memory. */
const LOOK_MS = 250;

/** Most memory that a process and all that it starts hold together, MB, until `work` is done. */
export async function peakMbDuring(root: number, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let peakMb = 0;
  while (!isDone) {
    const heldMb = processTree(root).reduce((sum, { rssMb }) => sum + rssMb, 0);
    peakMb = Math.max(peakMb, heldMb);
    await Promise.race([done, sleep(LOOK_MS)]);
  }
  return peakMb;
}

/** Runs a tool's command in a folder. Throws with the beginning of its output unless it ends with one of these codes. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { folder, env, codes }: { folder: string; env: Record<string, string>; codes: readonly number[] },
): Promise<PeerCost> {
  const log = join(folder, "output.log");
  const out = openSync(log, "a");
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  const ended = once(child, "exit");
  const peakMb = await peakMbDuring(child.pid ?? 0, ended);
  const wallMs = performance.now() - begun;
  const [code] = await ended;
  if (codes.includes(code as number)) return { wallMs, peakMb };
  throw new Error(`${program} ended with ${code}: ${readFileSync(log, "utf8").slice(0, 2_000)}`);
}
