import { createRoute, z } from "@hono/zod-openapi";
import {
  boardEntriesSchema,
  publishedBoardSchema,
  snapshotNewsSchema,
  snapshotPageSchema,
  snapshotRootSchema,
} from "#shared/contracts/boards/snapshot.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { boardEntriesKey } from "../boards/board-pages.ts";
import { FIVE_MINUTES } from "../http/response-cache.ts";
import { problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, openToAll } from "../http/router.ts";
import { emptyRoot, newsKey, pageKey } from "./publish.ts";
import { publishedBoardKey, publishedRunKey } from "./published-items.ts";

const shared = { method: "get" as const, tags: ["Results"], security: openToAll };

const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
  304: { description: "Not modified since If-None-Match" },
});

const newest = createRoute({
  ...shared,
  path: "/v1/snapshot",
  operationId: "getSnapshot",
  summary: "The root of all public results, from which the site is built",
  description:
    "It lists index pages by hash, and these list runs and boards. Objects never change, so cache them by hash and read only new ones. The `etag` is its `hash`, which changes when something public changes. An object that is no longer listed is kept for two hours; one of a hidden or deleted run is deleted at once.",
  responses: { ...json(snapshotRootSchema, "The newest root"), ...problemResponses("not-ready") },
});

const hash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/, { error: "must be the 64 hex digits of a hash" })
  .meta({ example: "0".repeat(64) });
const byHash = { params: z.object({ hash }) };
const byIdAndHash = { params: z.object({ id: nameSchema, hash }) };
const goneOr = problemResponses("gone", "invalid-request");

const root = createRoute({
  ...shared,
  path: "/v1/snapshots/{hash}",
  operationId: "getSnapshotByHash",
  summary: "The root of a hash",
  description: "Returned only while it is the newest, for clients that must not see two states.",
  request: byHash,
  responses: { ...json(snapshotRootSchema, "The root"), ...goneOr },
});

const page = createRoute({
  ...shared,
  path: "/v1/snapshot/pages/{hash}",
  operationId: "getSnapshotPage",
  summary: "A page of the snapshot's index",
  description:
    "Of runs (read each at `/v1/snapshot/runs/{id}/{hash}`), boards (at `/v1/snapshot/boards/{id}/{hash}`), datasets, sweeps of parameters (at `/v1/submissions/{submission}/sweep`), or parities.",
  request: byHash,
  responses: { ...json(snapshotPageSchema, "The page"), ...goneOr },
});

const run = createRoute({
  ...shared,
  path: "/v1/snapshot/runs/{id}/{hash}",
  operationId: "getPublishedRun",
  summary: "A run in the snapshot",
  request: byIdAndHash,
  responses: { ...json(runSchema, "The run"), ...goneOr },
});

const board = createRoute({
  ...shared,
  path: "/v1/snapshot/boards/{id}/{hash}",
  operationId: "getPublishedBoard",
  summary: "A board in the snapshot, with its first page of entries",
  request: byIdAndHash,
  responses: { ...json(publishedBoardSchema, "The board"), ...goneOr },
});

const entries = createRoute({
  ...shared,
  path: "/v1/snapshot/boards/{id}/entries/{hash}",
  operationId: "getPublishedBoardEntries",
  summary: "A further page of a board's entries",
  request: byIdAndHash,
  responses: { ...json(boardEntriesSchema, "The entries"), ...goneOr },
});

const news = createRoute({
  ...shared,
  path: "/v1/snapshot/news/{hash}",
  operationId: "getSnapshotNews",
  summary: "Drifts, changed datasets, re-publications and canaries of a snapshot",
  request: byHash,
  responses: { ...json(snapshotNewsSchema, "The news"), ...goneOr },
});

/** First publication takes seconds, or minutes after an upgrade with many runs. */
const FIRST_WAIT_SECONDS = 10;

export const snapshotRoutes = apiRouter()
  .openapi(newest, async (c) => {
    const { changes, root: text, hash: its } = await c.var.platform.publications.state();
    if (text === null && changes > 0) {
      c.header("retry-after", `${FIRST_WAIT_SECONDS}`);
      return problem(c, "not-ready", "the first snapshot is being written; ask again in a moment");
    }
    if (its === null || text === null) {
      return c.json(emptyRoot, 200, { etag: `"${emptyRoot.hash}"` });
    }
    return isHeld(c, its) ? c.body(null, 304) : sent(c, text, { etag: `"${its}"` });
  })
  .openapi(root, async (c) => {
    const its = c.req.valid("param").hash;
    const { root: text, hash: newestHash } = await c.var.platform.publications.state();
    if (newestHash === its && isHeld(c, its)) return c.body(null, 304);
    return named(c, its, Promise.resolve(newestHash === its ? text : null));
  })
  .openapi(page, (c) => {
    const its = c.req.valid("param").hash;
    return named(c, its, c.var.platform.objects.getText(pageKey(its)));
  })
  .openapi(run, async (c) => {
    const { id, hash: its } = c.req.valid("param");
    // A hidden or deleted run is withheld at once, even before the next publication.
    const isInView = (await c.var.platform.runs.inView([id])).has(id);
    const key = publishedRunKey(id, its);
    return named(c, its, isInView ? c.var.platform.objects.getText(key) : null);
  })
  .openapi(board, (c) => {
    const { id, hash: its } = c.req.valid("param");
    return named(c, its, c.var.platform.objects.getText(publishedBoardKey(id, its)));
  })
  .openapi(entries, (c) => {
    const { id, hash: its } = c.req.valid("param");
    return named(c, its, c.var.platform.objects.getText(boardEntriesKey(id, its)));
  })
  .openapi(news, (c) => {
    const its = c.req.valid("param").hash;
    return named(c, its, c.var.platform.objects.getText(newsKey(its)));
  });

/** Responds with the stored text of a hash. */
async function named(c: AppContext, its: string, read: Promise<string | null> | null) {
  const text = await read;
  if (text !== null) return sent(c, text, { etag: `"${its}"`, "cache-control": FIVE_MINUTES });
  const detail = `"${its}" is no longer stored: the snapshot has changed, or a run was withdrawn; start again at GET /v1/snapshot`;
  return problem(c, "gone", detail);
}

const sent = (c: AppContext, text: string, headers: Record<string, string>) =>
  c.body(text, 200, { "content-type": "application/json", ...headers }) as never;

/** Whether the caller has this version; checked before the text is read. */
function isHeld(c: AppContext, its: string): boolean {
  const held = c.req.header("if-none-match")?.split(",") ?? [];
  if (!held.some((tag) => tag.trim().replace(/^W\//, "") === `"${its}"`)) return false;
  c.header("etag", `"${its}"`);
  return true;
}
