import { and, asc, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunStore } from "../pipeline/ports.ts";
import { samples } from "./schema.ts";

/** Reads of sample rows, by their key alone. */
export function sampleReads(d1: D1Database): Pick<RunStore, "samples" | "sample"> {
  const db = drizzle(d1);
  return {
    samples: (runId, after, limit) =>
      db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), gt(samples.seq, after)))
        .orderBy(asc(samples.seq))
        .limit(limit),

    async sample(runId, seq) {
      const rows = await db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), eq(samples.seq, seq)))
        .limit(1);
      return rows[0] ?? null;
    },
  };
}
