import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../api/runs/schema.ts";
import type { Service } from "./service.ts";

/** Writes what the site reads of a run into the snapshot's folder, as the API has it. */
export async function writeRun(service: Service, dir: string, run: RunRecord): Promise<void> {
  const write = async (folder: string, part: string) => {
    const shown = await service.read(`/v1/runs/${run.id}${part}`);
    writeFileSync(join(dir, folder, `${run.id}.json`), JSON.stringify(shown));
  };
  await write("runs", "");
  if (run.status === "finished") await write("highlights", "/highlights");
}
