import { z } from "zod";
import type { ServiceClient } from "./service-client.ts";

/** Entries asked for at once: the most that the service gives. */
const PAGE_ENTRIES = 200;

/** All entries of a list of the service, page by page. `name`: what the list is called in a page. */
export async function everyPage<T>(
  service: ServiceClient,
  path: string,
  name: string,
  entry: z.ZodType<T>,
): Promise<T[]> {
  const schema = z.object({ [name]: z.array(entry), nextCursor: z.string().nullish() });
  const entries: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: string[] = [`limit=${PAGE_ENTRIES}`];
    if (cursor !== null) query.push(`cursor=${encodeURIComponent(cursor)}`);
    const asked = `${path}${path.includes("?") ? "&" : "?"}${query.join("&")}`;
    const { value } = await service.get(asked, schema);
    entries.push(...(value[name] as T[]));
    cursor = (value["nextCursor"] as string | null | undefined) ?? null;
    if (cursor === null) return entries;
  }
}
