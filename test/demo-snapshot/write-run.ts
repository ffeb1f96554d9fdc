import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../api/runs/schema.ts";
import type { Service } from "./service.ts";

/** Writes the API's answers about a run that the site reads into the snapshot's folder. */
export async function writeRun(service: Service, dir: string, run: RunRecord): Promise<void> {
  const write = async (folder: string, part: string) => {
    const shown = await service.read(`/v1/runs/${run.id}${part}`);
    writeFileSync(join(dir, folder, `${run.id}.json`), JSON.stringify(shown));
  };
  await write("runs", "");
  if (run.status === "finished") await write("highlights", "/highlights");
}
