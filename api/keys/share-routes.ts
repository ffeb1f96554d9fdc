import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import { SHARE_HEADER } from "#shared/contracts/keys/access-names.ts";
import {
  newShareSchema,
  type Share,
  shareRequestSchema,
  shareSchema,
} from "#shared/contracts/keys/share.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJsonIfAny, requireScope } from "../http/require-scope.ts";
import { jsonReply, optionalJsonBody, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import { ownedRun } from "../runs/access.ts";
import type { RunRecord } from "../runs/schema.ts";
import { tokenOf } from "./share.ts";
import { MOST_SHARES, type ShareRecord } from "./share-schema.ts";

const shared = { tags: ["Shares"], security: wantsApiKey };
const params = z.object({ id: nameSchema });
const refusals = problemResponses("unauthorized", "forbidden", "not-found");
const DAY_MS = 86_400_000;

const create = createRoute({
  ...shared,
  method: "post",
  path: "/v1/runs/{id}/shares",
  operationId: "createShare",
  summary: "Make a link that opens a private run",
  description: `For its owner and admins. Whoever has the link reads the run with report, samples and exports, until the link expires or is revoked; with further runs in \`with\`, also their comparison. Clients send the token in the header \`${SHARE_HEADER}\`. It is in this reply only.`,
  middleware: [requireScope("submit", "admin"), requireJsonIfAny] as const,
  request: { params, body: optionalJsonBody(shareRequestSchema) },
  responses: {
    201: jsonReply("The link", newShareSchema),
    ...refusals,
    ...problemResponses("invalid-request", "malformed-json", "unsupported-media-type", "conflict"),
  },
});

const list = createRoute({
  ...shared,
  method: "get",
  path: "/v1/runs/{id}/shares",
  operationId: "listShares",
  summary: "The links of a run, newest first, without their tokens",
  middleware: requireScope("submit", "admin"),
  request: { params },
  responses: {
    200: jsonReply("The links", z.object({ shares: z.array(shareSchema) })),
    ...refusals,
  },
});

const revoke = createRoute({
  ...shared,
  method: "delete",
  path: "/v1/runs/{id}/shares/{share}",
  operationId: "revokeShare",
  summary: "Revoke a link",
  middleware: requireScope("submit", "admin"),
  request: { params: params.extend({ share: nameSchema }) },
  responses: { 200: jsonReply("The link, which opens nothing any more", shareSchema), ...refusals },
});

const iso = (ms: number) => new Date(ms).toISOString();

/** A link as its owner sees it. */
export const shareView = ({ createdAt, expiresAt, revokedAt, ...its }: ShareRecord): Share => ({
  id: its.id,
  runs: its.runs,
  opens: its.opens,
  note: its.note,
  createdBy: its.createdBy,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
  revokedAt: revokedAt === null ? null : iso(revokedAt),
});

/**
 * The owner of a link and what it opens, for the audit log. Members that begin with an account's name are renamed with
 * the account.
 */
export function openedBy({
  owner,
  runs,
  opens,
}: Pick<ShareRecord, "owner" | "runs" | "opens">): JsonObject {
  if (opens === null) return { owner, kind: "run", runs };
  if ("board" in opens) {
    const { suite, dataset } = opens.board;
    return { owner, kind: "board", suite, dataset };
  }
  if ("parity" in opens) return { owner, kind: "parity", ...opens };
  return { owner, kind: "judgings", submissions: opens.judgings, runs };
}

/** Stores a link; null if the maximum is reached. */
export async function addShare(
  c: AppContext,
  its: Pick<ShareRecord, "runId" | "runs" | "opens" | "owner">,
  { expiresInDays, note }: { expiresInDays: number; note?: string | undefined },
) {
  const { platform } = c.var;
  const createdAt = platform.now();
  const expiresAt = createdAt + expiresInDays * DAY_MS;
  const id = platform.newId("share");
  const createdBy = callerOf(c).person ?? null;
  const made = { id, note: note ?? null, createdBy, createdAt, expiresAt, revokedAt: null };
  const share = { ...its, ...made };
  const after = { ...openedBy(its), expiresAt: iso(expiresAt) };
  const entry = noteAction(c, { action: "share.create", target: id, after }, 201);
  if (!(await platform.shares.add(share, entry))) return null;
  return { ...shareView(share), token: await tokenOf(platform, id, "share") };
}

export const shareRoutes = apiRouter()
  .openapi(create, async (c) => {
    const { platform } = c.var;
    const { id: runId } = c.req.valid("param");
    const { with: others, metric, ...given } = shareRequestSchema.parse(c.req.valid("json") ?? {});
    const runs = [...new Set([runId, ...others])];
    const its: RunRecord[] = [];
    for (const run of runs) {
      const owned = accepted(await ownedRun(platform, callerOf(c), run));
      its.push(owned);
    }
    const [{ owner, metrics } = { owner: "", metrics: null }] = its;
    if (metric !== undefined && metrics !== null && !Object.hasOwn(metrics, metric)) {
      const detail = `run "${runId}" has no metric "${metric}": its metrics are ${Object.keys(metrics).join(", ")}`;
      return problem(c, "invalid-request", detail, { errors: [{ pointer: "/metric", detail }] });
    }
    const made = await addShare(c, { runId, runs, opens: null, owner }, given);
    if (made === null) {
      const detail = `run "${runId}" has ${MOST_SHARES} links that work, which is the limit: revoke one`;
      return problem(c, "conflict", detail);
    }
    const shown = new URLSearchParams({ token: await tokenOf(platform, made.id, "badge", metric) });
    const badge = `/badge/shared.svg?${shown}`;
    return c.json({ ...made, link: linkOf(runs, made.token), badge }, 201);
  })
  .openapi(list, async (c) => {
    const { id } = c.req.valid("param");
    accepted(await ownedRun(c.var.platform, callerOf(c), id));
    return c.json({ shares: (await c.var.platform.shares.ofRun(id)).map(shareView) }, 200);
  })
  .openapi(revoke, async (c) => {
    const { id, share } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await ownedRun(platform, callerOf(c), id));
    const link = await platform.shares.get(share);
    const before = link === null ? {} : openedBy(link);
    const entry = noteAction(c, { action: "share.revoke", target: share, before });
    const revoked = await platform.shares.revoke({ runId: id }, share, platform.now(), entry);
    if (revoked === null) return problem(c, "not-found", `run "${id}" has no link "${share}"`);
    return c.json(shareView(revoked), 200);
  });

/** The page that shows one run, or compares several. */
const linkOf = (runs: readonly string[], token: string): string =>
  sharedPage(
    runs.length === 1 ? `/run/?id=${runs[0]}` : `/compare/?runs=${runs.map(encodeURIComponent)}`,
    token,
  );

/** A page that reads by a link's token. */
export const sharedPage = (path: string, token: string): string =>
  `${path}#share=${encodeURIComponent(token)}`;
