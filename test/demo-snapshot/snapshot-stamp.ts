import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

/** Inputs of the results. A change of only the site does not require new results. */
const folders = ["api", "migrations", "shared", "test/demo-snapshot", "simulator"];

/** Hash of the code, the data and the number of models that determine the results. */
export function stampOf(models: number): string {
  const hash = createHash("sha256").update(`${models}`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|jsonl|sql)$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name))
      .sort(),
  );
  for (const file of [...files, "package-lock.json"]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

const stampFile = (dir: string) => join(dir, "made-of.txt");

/** Whether a folder holds the complete results of this stamp. */
export const isStamped = (dir: string, stamp: string): Promise<boolean> =>
  readFile(stampFile(dir), "utf8").then(
    (text) => text === stamp,
    () => false,
  );

/** Marks a folder as holding the complete results of this stamp; null: removes the mark. */
export async function putStamp(dir: string, stamp: string | null): Promise<void> {
  if (stamp === null) await rm(stampFile(dir), { force: true });
  else await writeFile(stampFile(dir), stamp);
}
