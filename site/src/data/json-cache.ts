import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileOf = (dir: string, name: string): string =>
  join(dir, `${name.replace(/[^A-Za-z0-9._-]/g, "_")}.json`);

/** What was kept under a name between builds; null where nothing is that fits its schema. */
export async function keptJson<T>(
  dir: string,
  name: string,
  schema: { parse(value: unknown): T },
): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(fileOf(dir, name), "utf8")));
  } catch {
    // Missing, cut short by a killed build, or of an older contract: fetched again.
    return null;
  }
}

/** Whether anything is kept under a name, whatever it is. */
export const hasJson = (dir: string, name: string): Promise<boolean> =>
  access(fileOf(dir, name)).then(
    () => true,
    () => false,
  );

/** Keeps a value for the next build. */
export async function keepJson(dir: string, name: string, value: unknown): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = fileOf(dir, name);
  await writeFile(`${file}.part`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Forgets what is kept under a name, if anything is. */
export const dropJson = (dir: string, name: string): Promise<void> =>
  rm(fileOf(dir, name), { force: true });

/** Forgets whatever is kept under names that begin so, but for some of them. */
export async function dropOthers(
  dir: string,
  prefix: string,
  names: ReadonlySet<string>,
): Promise<void> {
  const wanted = new Set([...names].map((name) => fileOf(dir, name)));
  const begin = fileOf(dir, prefix).slice(0, -".json".length);
  const files = (await readdir(dir).catch(() => [])).map((file) => join(dir, file));
  const others = files.filter((file) => file.startsWith(begin) && !wanted.has(file));
  await Promise.all(others.map((file) => rm(file, { force: true })));
}
