import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ListedSweep } from "#shared/contracts/snapshot.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/sweep.ts";

/** A sweep whose runs have ended is immutable until one is asked or scored again: the hash says so. */
function fileOf(dir: string, { submission, hash }: ListedSweep): string {
  return join(dir, `sweep-${submission}-${hash}`.replace(/[^A-Za-z0-9._-]/g, "_").concat(".json"));
}

export async function keptSweep(dir: string, listed: ListedSweep): Promise<Sweep | null> {
  try {
    return sweepSchema.parse(JSON.parse(await readFile(fileOf(dir, listed), "utf8")));
  } catch {
    // Missing, cut short by a killed build, or of an older contract: fetched again.
    return null;
  }
}

export async function keepSweep(dir: string, listed: ListedSweep, sweep: Sweep): Promise<void> {
  await mkdir(dir, { recursive: true });
  const file = fileOf(dir, listed);
  await writeFile(`${file}.part`, JSON.stringify(sweep));
  await rename(`${file}.part`, file);
}
