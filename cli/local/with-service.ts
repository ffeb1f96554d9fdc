import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { BadInput } from "../errors.ts";
import { onStop } from "../files/on-termination.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { isServiceNamed, serviceOf, serviceOrigin, usualPort } from "../remote/service-flags.ts";
import { loadStock, localClient } from "./load-stock.ts";
import { waitUntilUp } from "./processes.ts";
import { isServing, serviceNote } from "./service-note.ts";
import { startStack } from "./stack.ts";
import { stateFolder } from "./state-folder.ts";

/** Maximum time of a start. */
const START_TIMEOUT_MS = 90_000;
const POLL_MS = 500;
/** Timeout of the check whether a service of Assay, or another program, uses the port. */
const PROBE_MS = 3_000;

interface ServiceRequest {
  server?: string | undefined;
  /** The scope that a key needs for the calls. */
  scope: string;
  stderr: Writable;
  /** Requires a local service, even if the environment names another one. */
  isHere?: boolean;
  /** Whether the key of the environment is for another service. */
  isKeyElsewhere?: boolean;
  /** Why the service must outlive the command; null if it need not. */
  lasting?: string | null;
  /** Folder for reused answers of a started service; null: in its data folder. */
  answersFolder?: string | null;
}

/** A local service that a command uses and may have started. */
interface LocalService {
  origin: string;
  /** Whether it was started for the command and ends with it. */
  isStarted: boolean;
  /** Stops what was started for the command; `isHasty`: without waiting for other users. */
  leave(isHasty: boolean): Promise<void>;
}

/**
 * Runs `work` with the named service, otherwise with a local service, which is started if none runs, and stopped
 * afterwards, even if the work fails or a signal ends the command. `work` gets whether the service was started.
 */
export async function withService<T>(
  request: ServiceRequest,
  work: (service: ServiceClient, isStarted: boolean) => Promise<T>,
): Promise<T> {
  const { server, scope, isHere, isKeyElsewhere } = request;
  const isNamed = isKeyElsewhere ? server !== undefined : isServiceNamed({ server });
  if (isNamed && isHere) return work(await clientOf(serviceOrigin({ server }), request), false);
  if (isNamed) return work(serviceOf({ server }, scope), false);
  // A signal during the start is handled as soon as there is something to stop.
  const starting: Promise<LocalService> = findOrStartService(request);
  const release = onStop(async () => (await starting).leave(true));
  try {
    const own = await starting;
    try {
      return await work(await clientOf(own.origin, request), own.isStarted);
    } finally {
      await own.leave(false);
    }
  } finally {
    release();
  }
}

/** The service gets a key only if it requires one: one that requires none refuses keys of other services. */
async function clientOf(origin: string, { server, scope, isKeyElsewhere }: ServiceRequest) {
  const ask = () => fetch(`${origin}/v1/account`, { method: "HEAD", redirect: "manual" });
  const reply = isKeyElsewhere ? null : await ask().catch(() => null);
  if (reply?.status !== 401) return localClient(origin);
  return serviceOf({ server: isServiceNamed({ server }) ? server : origin }, scope);
}

/**
 * The local service: the running one, or a service that is started without site and demo and ends with the command.
 * `lasting`: reason why it must outlive the command, which prevents a start. Reports on `stderr` in one line. Throws
 * BadInput.
 */
async function findOrStartService({
  stderr,
  lasting: why = null,
  answersFolder = null,
}: ServiceRequest): Promise<LocalService> {
  const folder = stateFolder();
  const note = serviceNote(folder);
  if (note !== null && isServing(note)) return joinRunning(folder, stderr, note.isTemporary);
  // Processes of a killed command may still listen; the next start ends them.
  const usual = `http://localhost:${usualPort()}`;
  if (note === null && (await isService(usual))) {
    return { origin: usual, isStarted: false, leave: async () => {} };
  }
  if (why !== null) {
    throw new BadInput(
      `no service runs on this machine, and ${why}: start one with npm start in a clone of Assay, or name one with --server`,
    );
  }
  return startService(folder, stderr, answersFolder);
}

/** Uses the service of another command with this folder, as soon as it is ready. */
async function joinRunning(
  folder: string,
  stderr: Writable,
  isTemporary: boolean,
): Promise<LocalService> {
  const user = join(usersOf(folder), `${process.pid}`);
  if (isTemporary) {
    mkdirSync(usersOf(folder), { recursive: true });
    writeFileSync(user, "");
  }
  const origin = await waitForOrigin(folder);
  await waitUntilUp(`${origin}/healthz`, START_TIMEOUT_MS, join(folder, "worker.log"));
  if (isTemporary) stderr.write(`using the service at ${origin} that another command started\n`);
  return { origin, isStarted: false, leave: async () => rmSync(user, { force: true }) };
}

const usersOf = (folder: string) => join(folder, "users");

async function waitForOrigin(folder: string): Promise<string> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; ) {
    const origin = serviceNote(folder)?.origin ?? null;
    if (origin !== null) return origin;
    await setTimeout(POLL_MS);
  }
  throw new BadInput(`the service in ${folder} did not start; see the logs there`);
}

/** Whether a service of Assay answers, and not another program on the port. */
async function isService(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const reply = await fetch(`${origin}/v1/suites`, { signal, redirect: "manual" });
    const body = (await reply.json()) as { suites?: { promptHash?: unknown }[] };
    return typeof body.suites?.[0]?.promptHash === "string";
  } catch {
    return false;
  }
}

async function startService(
  folder: string,
  stderr: Writable,
  answersFolder: string | null,
): Promise<LocalService> {
  const stack = await startStack({
    port: usualPort(),
    elsewhere: true,
    folder,
    fresh: false,
    site: false,
    isTemporary: true,
    ...(answersFolder !== null && { answersFolder }),
    env: process.env,
    print: (line) => void stderr.write(`${line}\n`),
  });
  try {
    await loadStock(stack.client);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  stderr.write(
    `started a service at ${stack.origin} that stops with this command; data: ${folder}\n`,
  );
  let stopping: Promise<void> | null = null;
  return {
    origin: stack.origin,
    isStarted: true,
    async leave(isHasty) {
      if (!isHasty) await waitUntilUnused(folder, stderr);
      stopping ??= stack.stop();
      await stopping;
    },
  };
}

/** Waits for other commands that use the service before stopping it. */
async function waitUntilUnused(folder: string, stderr: Writable): Promise<void> {
  for (let isAnnounced = false; ; ) {
    const users = existsSync(usersOf(folder)) ? readdirSync(usersOf(folder)) : [];
    if (!users.some((pid) => isRunning(Number(pid)))) return;
    if (!isAnnounced)
      stderr.write("another command still uses the service: waiting for it to end\n");
    isAnnounced = true;
    await setTimeout(POLL_MS);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
