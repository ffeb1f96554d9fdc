import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isThisMachine } from "../remote/service-access.ts";

/** The process that serves from a folder. */
export interface ServiceNote {
  pid: number;
  /** Start time of the process according to the system, because process ids are reused; another text if unknown. */
  startedAt: string;
  /** Null while the service starts. */
  origin: string | null;
  /** Whether the service ends with the command that started it. */
  isTemporary: boolean;
}

/**
 * The note on the service of a folder; null without a note. A note that names another machine is ignored: the folder
 * may be from someone else, and keys must not be sent there.
 */
export function serviceNote(folder: string): ServiceNote | null {
  if (!existsSync(pathOf(folder))) return null;
  try {
    const note = JSON.parse(readFileSync(pathOf(folder), "utf8")) as ServiceNote;
    return note.origin === null || isThisMachine(new URL(note.origin).hostname) ? note : null;
  } catch {
    // The note is incomplete, because the process was killed.
    return null;
  }
}

const pathOf = (folder: string) => join(folder, "service.json");

/** Whether the process of a note still runs. */
export const isServing = ({ pid, startedAt }: ServiceNote): boolean =>
  startedAt !== "" && startOf(pid) === startedAt;

/** The address of the running service of a folder; null if there is none or it is still starting. */
export function runningOrigin(folder: string): string | null {
  const note = serviceNote(folder);
  return note !== null && isServing(note) ? note.origin : null;
}

/** Start time of a process; empty if it does not exist. Slim container images have no ps. */
function startOf(pid: number): string {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8" });
  if (stdout?.trim()) return stdout.trim();
  try {
    process.kill(pid, 0);
    return "unknown";
  } catch {
    return "";
  }
}

/** Records that this process serves from the folder; false if another process does. */
export function noteService(
  folder: string,
  note: Pick<ServiceNote, "origin" | "isTemporary">,
): boolean {
  const before = serviceNote(folder);
  if (before !== null && before.pid !== process.pid && isServing(before)) return false;
  if (before?.pid !== process.pid) rmSync(pathOf(folder), { force: true });
  const { pid } = process;
  const text = JSON.stringify({ ...note, pid, startedAt: startOf(pid) });
  try {
    // If two processes start at the same time, one is refused.
    writeFileSync(pathOf(folder), text, { flag: before?.pid === pid ? "w" : "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the note of this process. */
export function forgetService(folder: string): void {
  if (serviceNote(folder)?.pid === process.pid) rmSync(pathOf(folder), { force: true });
}
