import { USER_TABLES } from "../../support/user-tables.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { databaseOf } from "./scene.ts";

/** The contents of a deployment's stores, read without its Worker, to find data that must not be there. */

/** Every row of every table, as one text. */
export async function allRows(cloud: Cloud): Promise<string> {
  const rows = async (sql: string) => {
    const [found] = await cloud.workers.query(databaseOf(cloud), sql, []);
    return (found as { results: { name: string }[] }).results;
  };
  const contents: unknown[] = [];
  for (const { name } of await rows(USER_TABLES)) {
    contents.push(name, await rows(`SELECT * FROM "${name}"`));
  }
  return JSON.stringify(contents);
}

/** Keys and contents of the objects with matching keys, as one text. */
export async function allObjects(
  cloud: Cloud,
  isWanted: (key: string) => boolean = () => true,
): Promise<string> {
  const [bucket = ""] = cloud.account.buckets.keys();
  const texts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const options = { prefix: "", ...(cursor !== undefined && { cursor }) };
    const page = await cloud.workers.listObjects(bucket, options);
    for (const key of page.keys.filter(isWanted)) {
      const content = await cloud.workers.getObject(bucket, key);
      texts.push(key, new TextDecoder().decode(content ?? undefined));
    }
    cursor = page.cursor;
  }
  return texts.join("\n");
}

/** The inputs of the site: the snapshot and files of public runs. */
export const published = (cloud: Cloud): Promise<string> =>
  allObjects(cloud, (key) => key.startsWith("snapshot/") || key.includes("/published/"));
