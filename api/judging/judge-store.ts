import { and, desc, eq, inArray, isNotNull, isNull, lte, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { JudgeShift } from "#shared/contracts/judging/bridge.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { boards } from "../boards/schema.ts";
import { countItems } from "../publication/store.ts";
import { webhooks } from "../webhooks/schema.ts";
import { type BridgeRecord, bridges, type JudgeModelRecord, judgeModels } from "./schema.ts";

/** Boards whose judges are looked at. */
const MOST_BOARDS = 1_000;

export type JudgeStore = ReturnType<typeof judgeStore>;

/** The models that judge, and bridges between them, in D1. */
export function judgeStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    models: (): Promise<JudgeModelRecord[]> => db.select().from(judgeModels),

    /** Replaces what is known of the models; the boards `changed` are published again. */
    async saveModels(models: readonly JudgeModelRecord[], changed: readonly string[]) {
      await db.batch([
        db.delete(judgeModels),
        ...models.map((model) => db.insert(judgeModels).values(model)),
        countItems(d1, "boards", changed),
      ]);
    },

    /** Judged boards that take new runs, with their judges. */
    judgedBoards: (): Promise<{ id: string; judging: RunJudging | null }[]> =>
      db
        .select({ id: boards.id, judging: boards.judging })
        .from(boards)
        .where(and(isNotNull(boards.judging), isNull(boards.supersededBy)))
        .limit(MOST_BOARDS),

    /** Accounts with active webhooks. */
    async hookOwners(): Promise<string[]> {
      const active = eq(webhooks.status, "active");
      const found = await db.selectDistinct({ owner: webhooks.owner }).from(webhooks).where(active);
      return found.map(({ owner }) => owner);
    },

    async startBridge(bridge: BridgeRecord): Promise<void> {
      await db.insert(bridges).values(bridge);
    },

    bridge: async (id: string): Promise<BridgeRecord | null> =>
      (await db.select().from(bridges).where(eq(bridges.id, id)).limit(1))[0] ?? null,

    /** Bridges from a board, or from one that it replaced, newest first. */
    bridgesOf: (boardId: string, limit: number): Promise<BridgeRecord[]> => {
      const replaced = db.select({ id: boards.id }).from(boards);
      const former = replaced.where(eq(boards.supersededBy, boardId));
      return db
        .select()
        .from(bridges)
        .where(or(eq(bridges.boardId, boardId), inArray(bridges.boardId, former)))
        .orderBy(desc(bridges.startedAt), desc(bridges.id))
        .limit(limit);
    },

    /** Ids of unfinished bridges that nobody works on. */
    async waitingBridges(now: number): Promise<string[]> {
      const found = await db.select({ id: bridges.id }).from(bridges).where(isFree(now));
      return found.map(({ id }) => id);
    },

    /** The bridge, held until a time; null if it is finished or held by another message. */
    async takeBridge(id: string, now: number, until: number): Promise<BridgeRecord | null> {
      const taken = db.update(bridges).set({ heldUntil: until });
      const its = and(eq(bridges.id, id), isFree(now));
      return (await taken.where(its).returning())[0] ?? null;
    },

    async leaveBridge(id: string, heldUntil: number, done: number): Promise<void> {
      await db.update(bridges).set({ heldUntil, done }).where(eq(bridges.id, id));
    },

    /** Ends a bridge; its board is published again. */
    async endBridge(
      { id, boardId }: BridgeRecord,
      end: { done: number; shifts: JudgeShift[]; statusReason: string | null; finishedAt: number },
    ): Promise<void> {
      const status = end.statusReason === null ? "finished" : "failed";
      await db.batch([
        db
          .update(bridges)
          .set({ ...end, status })
          .where(eq(bridges.id, id)),
        countItems(d1, "boards", [boardId]),
      ]);
    },
  };
}

const isFree = (now: number) => and(eq(bridges.status, "judging"), lte(bridges.heldUntil, now));
