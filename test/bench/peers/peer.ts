import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import { processTree } from "../../support/process-tree.ts";

/** A task for another tool, with the same samples. */
export interface AskedOfPeer {
  /** Empty folder for the tool's files. */
  folder: string;
  baseUrl: string;
  model: string;
  concurrency: number;
  /** Requests as the service sends them, and the expected outputs. */
  bodies: readonly JsonObject[];
  expected: readonly unknown[];
}

/** Wall time of a run, and peak memory of its processes together. */
export interface PeerCost {
  wallMs: number;
  peakMb: number;
}

/** Another tool that evaluates models. */
export interface Peer {
  /** Name and version. */
  name: string;
  /** Installs the tool unless it is installed. Throws `NotHere`. */
  install(): void;
  run(asked: AskedOfPeer): Promise<PeerCost>;
}

/** Interval of memory readings. */
const LOOK_MS = 250;

/** Peak memory of a process and its descendants together during `work`, MB. */
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

/** Runs a tool's command in a folder. Throws with the start of its output unless the exit code is one of `codes`. */
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
