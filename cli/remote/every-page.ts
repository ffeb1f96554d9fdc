import { z } from "zod";
import type { ServiceClient } from "./service-client.ts";

/** Entries per request: the service's maximum. */
const PAGE_ENTRIES = 200;

/** All entries of a list of the service, page by page. `name`: the list's key in a page. */
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
    const value = await service.get(asked, schema);
    entries.push(...(value[name] as T[]));
    cursor = (value["nextCursor"] as string | null | undefined) ?? null;
    if (cursor === null) return entries;
  }
}
