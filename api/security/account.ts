import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { textHash } from "#shared/contracts/content-hash.ts";
import { apiKeys } from "../db/schema.ts";

/** Who asks: the owner of what is submitted, and what the key may do. */
export interface Account {
  owner: string;
  scopes: readonly string[];
}

/** The account of requests without a key where the deployment asks for none. */
export const localAccount: Account = { owner: "local", scopes: ["submit", "admin"] };

/** Finds accounts by API key: keys are kept as SHA-256 only. */
export function accountFinder(d1: D1Database) {
  const db = drizzle(d1);
  return async (key: string, now: number): Promise<Account | null> => {
    const hash = textHash(key);
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.hash, hash)).limit(1);
    if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return null;
    return { owner: row.owner, scopes: row.scopes };
  };
}
