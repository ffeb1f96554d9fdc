import { createRoute, z } from "@hono/zod-openapi";
import { type Snapshot, snapshotSchema } from "#shared/contracts/snapshot.ts";
import { latestSnapshot, snapshotHash, snapshotOf } from "../pipeline/publish.ts";
import { type AppContext, apiRouter, openToAll } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const shared = { method: "get" as const, tags: ["Results"], security: openToAll };
const content = { "application/json": { schema: snapshotSchema } };

const newest = createRoute({
  ...shared,
  path: "/v1/snapshot",
  operationId: "getSnapshot",
  summary: "Everything public, as the site is built from it",
  description:
    "The `etag` is its `hash`, which is of its content: sent back as `if-none-match` it gets 304 until something public changes. With what it names a site can be built anywhere: runs whole by `/v1/runs/{id}` and `/v1/runs/{id}/highlights`, sweeps by `/v1/submissions/{id}/sweep`, boards in detail by `/v1/compare?runs=…`. The site of this project is, by `ASSAY_ORIGIN=https://… npx astro build --root site`.",
  responses: {
    200: { description: "The newest snapshot", content },
    304: { description: "Unchanged since the snapshot named in If-None-Match" },
  },
});

const byHash = createRoute({
  ...shared,
  path: "/v1/snapshots/{hash}",
  operationId: "getSnapshotByHash",
  summary: "The snapshot of a hash, which never changes",
  description:
    "For builds that must not see two states: what is served is that snapshot or 410. Only the newest is served, since a run that was hidden or deleted since stands in those before it.",
  request: {
    params: z.object({
      hash: z
        .string()
        .max(64)
        .regex(/^[0-9a-f]{64}$/, { error: "must be the 64 hex digits of a snapshot's hash" })
        .meta({ example: "0".repeat(64) }),
    }),
  },
  responses: {
    200: { description: "The snapshot", content },
    304: { description: "You have it" },
    ...problemResponses("gone", "invalid-request"),
  },
});

/** Long enough for a build; short, so that what is withdrawn does not stay in caches. */
const CACHED = "public, max-age=300, immutable";

/** What is served before anything was published. */
const emptySnapshot: Snapshot = {
  ...{ version: 1, hash: "0", createdAt: new Date(0).toISOString() },
  ...{ boards: [], datasets: [], runs: [], canaries: [], sweeps: [], drifts: [] },
  ...{ datasetChanges: [], republications: [] },
};

/** Reads of what is published. */
export const snapshotRoutes = apiRouter()
  .openapi(newest, async (c) => {
    if (isHeld(c, await snapshotHash(c.var.ports))) return c.body(null, 304);
    const snapshot = (await latestSnapshot(c.var.ports)) ?? emptySnapshot;
    c.header("etag", `"${snapshot.hash}"`);
    return c.json(snapshot, 200);
  })
  .openapi(byHash, async (c) => {
    const { hash } = c.req.valid("param");
    const isNewest = (await snapshotHash(c.var.ports)) === hash;
    if (isNewest && isHeld(c, hash)) return c.body(null, 304);
    const snapshot = isNewest ? await snapshotOf(c.var.ports, hash) : null;
    if (snapshot !== null) {
      return c.json(snapshot, 200, { etag: `"${hash}"`, "cache-control": CACHED });
    }
    const detail = `"${hash}" is not the newest snapshot, and only that one is served: GET /v1/snapshot has it`;
    return problem(c, "gone", detail);
  });

/** Whether the caller has it: said before it is read. */
function isHeld(c: AppContext, hash: string | null): boolean {
  if (hash === null) return false;
  const held = c.req.header("if-none-match")?.split(",") ?? [];
  if (!held.some((tag) => tag.trim().replace(/^W\//, "") === `"${hash}"`)) return false;
  c.header("etag", `"${hash}"`);
  return true;
}
