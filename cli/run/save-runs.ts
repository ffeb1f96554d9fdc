import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Run } from "#shared/contracts/run.ts";
import { runReportSchema } from "#shared/contracts/run-report.ts";
import { BadInput } from "../bad-input.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import type { DrawReport } from "../report/load-report-page.ts";
import { fileProblem } from "../score/open-file.ts";
import type { ReportFormat } from "./report-format.ts";

/** What is written beside run.json of each run that finished. */
export interface Saved {
  samples: boolean;
  answers: boolean;
  report: ReportFormat | null;
  /** Draws the report's page; null where none is asked for. */
  draw: DrawReport | null;
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
  saved: Saved,
): Promise<void> {
  for (const run of runs) {
    const own = join(folder, run.id.replaceAll(/[^\w-]/g, "_"));
    prepareFolder(own);
    try {
      writeFileSync(join(own, "run.json"), `${JSON.stringify(run, null, 2)}\n`);
      if (run.status === "finished") await saveFinished(service, run.id, own, saved);
    } catch (error) {
      throw fileProblem(own, error);
    }
  }
}

async function saveFinished(
  service: ServiceClient,
  id: string,
  folder: string,
  { samples, answers, report, draw }: Saved,
): Promise<void> {
  const base = `/v1/runs/${encodeURIComponent(id)}`;
  if (samples) await save(service, `${base}/samples.jsonl`, join(folder, "samples.jsonl"));
  if (answers) await save(service, `${base}/answers.jsonl`, join(folder, "answers.jsonl"));
  if (report === "json") await save(service, `${base}/report`, join(folder, "report.json"));
  if (report === "md") await save(service, `${base}/report.md`, join(folder, "report.md"));
  if (draw === null) return;
  const { value } = await service.get(`${base}/report`, runReportSchema);
  writeFileSync(join(folder, "report.html"), draw(value, service.origin));
}

async function save(service: ServiceClient, path: string, file: string): Promise<void> {
  const body = await service.download(path);
  await pipeline(Readable.fromWeb(body as never), createWriteStream(`${file}.part`));
  await rename(`${file}.part`, file);
}
