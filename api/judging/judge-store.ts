import { and, desc, eq, inArray, isNotNull, isNull, lte, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { JudgeShift } from "#shared/contracts/judging/bridge.ts";
import { boards } from "../boards/schema.ts";
import { countItems } from "../publication/store.ts";
import { webhooks } from "../webhooks/schema.ts";
import { type BridgeRecord, bridges, type JudgeModelRecord, judgeModels } from "./schema.ts";

const BOARD_MODELS = `
  SELECT DISTINCT route.value ->> 'provider' AS provider, route.value ->> 'model' AS model
  FROM boards, json_each(judging, '$.judges') AS judge, json_each(judge.value, '$.routes') AS route
  WHERE superseded_by IS NULL`;

export type JudgeStore = ReturnType<typeof judgeStore>;

/** Judge models, and bridges between judges, in D1. */
export function judgeStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    models: (): Promise<JudgeModelRecord[]> => db.select().from(judgeModels),

    /** Replaces the information about models. If warnings have changed, judged boards are published again. */
    async saveModels(models: readonly JudgeModelRecord[], haveChanged: boolean): Promise<void> {
      await db.batch([
        db.delete(judgeModels),
        ...models.map((model) => db.insert(judgeModels).values(model)),
      ]);
      if (!haveChanged) return;
      const judged = db.select({ id: boards.id }).from(boards).where(isNotNull(boards.judging));
      const ids = (await judged).map(({ id }) => id);
      await countItems(d1, "boards", ids);
    },

    /** Judge models of boards that accept new runs. */
    async boardModels(): Promise<Pick<JudgeModelRecord, "provider" | "model">[]> {
      const found = await d1.prepare(BOARD_MODELS).all<{ provider: string; model: string }>();
      return found.results;
    },

    async hookOwners(): Promise<string[]> {
      const active = eq(webhooks.status, "active");
      const found = await db.selectDistinct({ owner: webhooks.owner }).from(webhooks).where(active);
      return found.map(({ owner }) => owner);
    },

    async startBridge(bridge: BridgeRecord): Promise<void> {
      await db.insert(bridges).values(bridge);
    },

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

    async leaveBridge(id: string, heldUntil: number): Promise<void> {
      await db.update(bridges).set({ heldUntil }).where(eq(bridges.id, id));
    },

    /** Ends a bridge; its board is published again. */
    async endBridge({ id, boardId }: BridgeRecord, shifts: JudgeShift[], finishedAt: string) {
      const end = db.update(bridges).set({ shifts, finishedAt });
      await db.batch([end.where(eq(bridges.id, id)), countItems(d1, "boards", [boardId])]);
    },
  };
}

const isFree = (now: number) => and(isNull(bridges.finishedAt), lte(bridges.heldUntil, now));
