import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, runSchema } from "#shared/contracts/run.ts";

type RunKey = Pick<Run, "id" | "finishedAt" | "scoringVersion">;

/** A finished run is immutable until it is scored anew, so both name its file. */
function fileOf(dir: string, { id, finishedAt, scoringVersion }: RunKey): string {
  const name = `${id}-${finishedAt}-${scoringVersion}`.replace(/[^A-Za-z0-9._-]/g, "_");
  return join(dir, `${name}.json`);
}

export async function keptRun(dir: string, key: RunKey): Promise<Run | null> {
  if (!key.finishedAt) return null;
  try {
    return runSchema.parse(JSON.parse(await readFile(fileOf(dir, key), "utf8")));
  } catch {
    // Missing, cut short by a killed build, or of an older contract: fetched again.
    return null;
  }
}

export async function keepRun(dir: string, run: Run): Promise<void> {
  if (!run.finishedAt) return;
  await mkdir(dir, { recursive: true });
  const file = fileOf(dir, run);
  await writeFile(`${file}.part`, JSON.stringify(run));
  await rename(`${file}.part`, file);
}
