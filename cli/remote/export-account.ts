import { createReadStream, existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { makeZip } from "client-zip";
import {
  type AccountExport,
  accountExportSchema,
  type ExportedFile,
  exportedRowsSchema,
} from "#shared/contracts/keys/account-data.ts";
import { BadInput } from "../errors.ts";
import { filesIn } from "../files/open-file.ts";
import { saveStream } from "../files/output-file.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

/** The result of an export, with missing files and the reasons. */
export interface SavedExport {
  owner: string;
  files: number;
  missing: { path: string; reason: string }[];
}

/**
 * Saves all data of an account as one zip file. Files are first saved in a folder next to it, so that the same
 * command continues after an interruption. Throws BadInput if that folder belongs to another account.
 */
export async function exportAccount(service: ServiceClient, zip: string): Promise<SavedExport> {
  const folder = `${zip}.parts`;
  const saved: SavedExport = { owner: "", files: 0, missing: [] };
  for (let after: string | null = ""; after !== null; ) {
    const value: AccountExport = await pageAt(service, after);
    saved.owner = value.owner;
    await claimFolder(folder, value.owner);
    for (const file of value.files) await saveFile(service, folder, file, saved);
    after = value.next;
  }
  await writeFile(join(folder, "missing.json"), JSON.stringify(saved.missing, null, 2));
  await saveStream(Readable.fromWeb(makeZip(entriesOf(folder)) as never), zip);
  await rm(folder, { recursive: true });
  return saved;
}

const pageAt = (service: ServiceClient, after: string) =>
  service.get(`/v1/account/export?after=${encodeURIComponent(after)}`, accountExportSchema);

const OWNER = ".owner";

async function claimFolder(folder: string, owner: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, OWNER);
  if (!existsSync(file)) return writeFile(file, owner);
  const exported = await readFile(file, "utf8");
  if (exported === owner) return;
  throw new BadInput(
    `${folder} has a part of the export of "${exported}": delete it, or name another file`,
  );
}

/** Statuses that concern a single file: answers were deleted, the run has not ended, the file is gone. */
const OF_FILE = [403, 404, 409, 410];

async function saveFile(
  service: ServiceClient,
  folder: string,
  { path, url, isPaged }: ExportedFile,
  saved: SavedExport,
): Promise<void> {
  const target = placeIn(folder, path);
  await mkdir(dirname(target), { recursive: true });
  try {
    if (isPaged) await saveRows(service, url, target);
    else if (!existsSync(target)) {
      await saveStream(Readable.fromWeb((await service.download(url)) as never), target);
    }
    saved.files++;
  } catch (error) {
    const status = error instanceof ServiceError ? error.prospects.status : null;
    if (status === null || !OF_FILE.includes(status)) throw error;
    saved.missing.push({ path, reason: (error as Error).message });
  }
}

/** File name of a page of rows: `usage.json`, `usage-2.json` and so on. */
async function saveRows(service: ServiceClient, url: string, target: string): Promise<void> {
  let number = 1;
  for (let after: string | null = "0"; after !== null; number++) {
    const path = number === 1 ? target : target.replace(/\.json$/, `-${number}.json`);
    const page: { rows: object[]; next: string | null } = await service.get(
      `${url}?after=${after}`,
      exportedRowsSchema,
    );
    await writeFile(path, JSON.stringify(page.rows, null, 2));
    after = page.next;
  }
}

/** The path for a file. Names come from the service and must not lead out of the folder. */
function placeIn(folder: string, path: string): string {
  const names = path.split("/");
  if (names.every((name) => /^[^\\:\0]+$/.test(name) && name !== ".." && name !== ".")) {
    return join(folder, ...names);
  }
  throw new BadInput(`the service names a file that this command does not write: "${path}"`);
}

function* entriesOf(folder: string) {
  for (const name of filesIn(folder)) {
    if (name === OWNER) continue;
    yield { name, lastModified: new Date(), input: createReadStream(join(folder, name)) };
  }
}
