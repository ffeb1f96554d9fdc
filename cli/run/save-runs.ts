import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Run } from "#shared/contracts/run.ts";
import { BadInput } from "../bad-input.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { fileProblem } from "../score/open-file.ts";

/** What is written beside run.json of each run that finished. */
export interface Saved {
  samples: boolean;
  report: boolean;
}

/** Makes the folder, before anything is run for it. Throws BadInput where that can't be done. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw isFile
      ? new BadInput(`${folder}: it is a file, not a folder`)
      : fileProblem(folder, error);
  }
}

/** Writes each run into a folder of its own, named by its id; a file is there only when it is complete. */
export async function saveRuns(
  service: ServiceClient,
  runs: readonly Run[],
  folder: string,
  { samples, report }: Saved,
): Promise<void> {
  for (const run of runs) {
    const own = join(folder, run.id.replaceAll(/[^\w-]/g, "_"));
    prepareFolder(own);
    const base = `/v1/runs/${encodeURIComponent(run.id)}`;
    try {
      writeFileSync(join(own, "run.json"), `${JSON.stringify(run, null, 2)}\n`);
      const isFinished = run.status === "finished";
      if (samples && isFinished)
        await save(service, `${base}/samples.jsonl`, join(own, "samples.jsonl"));
      if (report && isFinished) await save(service, `${base}/report`, join(own, "report.json"));
    } catch (error) {
      throw fileProblem(own, error);
    }
  }
}

async function save(service: ServiceClient, path: string, file: string): Promise<void> {
  const body = await service.download(path);
  await pipeline(Readable.fromWeb(body as never), createWriteStream(`${file}.part`));
  await rename(`${file}.part`, file);
}
