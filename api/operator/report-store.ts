import { and, count, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { runs } from "../runs/schema.ts";
import { type ReportOfRun, type ReportRecord, readerReports } from "./schema.ts";

/** Limits: reports of one reader since a time, and open reports of one run. */
export interface ReportLimits {
  since: number;
  ofReader: number;
  ofRun: number;
}

/** Parameters: ?1 id, ?2 now, ?3 run, ?4 kind, ?5 message, ?6 reader, ?7 account, ?8 to ?10 limits. */
const ADD = `
  INSERT INTO reader_reports (id, at, run_id, kind, message, reporter, account, state)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'open'
  WHERE (SELECT count(*) FROM (SELECT 1 FROM reader_reports
      WHERE reporter = ?6 AND at > ?8 LIMIT ?9)) < ?9
    AND (SELECT count(*) FROM (SELECT 1 FROM reader_reports
      WHERE run_id = ?3 AND state = 'open' LIMIT ?10)) < ?10
  ON CONFLICT DO NOTHING`;

type Decided = Pick<ReportRecord, "state" | "decidedAt" | "decidedBy" | "reason">;

export type ReportStore = ReturnType<typeof reportStore>;

export function reportStore(d1: D1Database) {
  const db = drizzle(d1);
  const joined = () =>
    db
      .select({
        report: readerReports,
        run: { owner: runs.owner, model: runs.modelSlug, hiddenReason: runs.hiddenReason },
      })
      .from(readerReports)
      .leftJoin(runs, eq(runs.id, readerReports.runId));
  return {
    /** `again`: the reader has reported the run before; `too-many`: a limit is reached. */
    async add(
      report: Pick<
        ReportRecord,
        "id" | "at" | "runId" | "kind" | "message" | "reporter" | "account"
      >,
      { since, ofReader, ofRun }: ReportLimits,
    ): Promise<"added" | "again" | "too-many"> {
      const { id, at, runId, kind, message, reporter, account } = report;
      const values = [id, at, runId, kind, message, reporter, account, since, ofReader, ofRun];
      const added = await d1
        .prepare(ADD)
        .bind(...values)
        .run();
      if (added.meta.changes > 0) return "added";
      const its = and(eq(readerReports.runId, runId), eq(readerReports.reporter, reporter));
      const [known] = await db.select().from(readerReports).where(its).limit(1);
      // After a lost reply, the same report is sent again.
      if (known?.id === id) return "added";
      return known === undefined ? "too-many" : "again";
    },
    async get(id: string): Promise<ReportOfRun | null> {
      return (await joined().where(eq(readerReports.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first. */
    list: (state: ReportRecord["state"], { after, limit }: ListPage): Promise<ReportOfRun[]> =>
      joined()
        .where(
          and(eq(readerReports.state, state), olderThan(readerReports.at, readerReports.id, after)),
        )
        .orderBy(desc(readerReports.at), desc(readerReports.id))
        .limit(limit),
    /** Number of open reports, at most `most`. */
    async countOpen(most: number): Promise<number> {
      const open = db
        .select({ id: readerReports.id })
        .from(readerReports)
        .where(eq(readerReports.state, "open"))
        .limit(most)
        .as("open");
      return (await db.select({ count: count() }).from(open))[0]?.count ?? 0;
    },
    async decide(id: string, decided: Decided): Promise<void> {
      await db.update(readerReports).set(decided).where(eq(readerReports.id, id));
    },
    /** Changes all reports of a run that have a state. */
    async decideAll(runId: string, from: ReportRecord["state"], decided: Decided): Promise<void> {
      const its = and(eq(readerReports.runId, runId), eq(readerReports.state, from));
      await db.update(readerReports).set(decided).where(its);
    },
  };
}
