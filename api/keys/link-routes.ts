import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { SHARE_HEADER } from "#shared/contracts/keys/access-names.ts";
import {
  linkRequestSchema,
  newLinkSchema,
  type OpenedThing,
  shareSchema,
} from "#shared/contracts/keys/share.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { ownBoard } from "../boards/own-board.ts";
import { judgedRuns } from "../comparisons/judgings.ts";
import { ownedParity } from "../comparisons/parities.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { noteAction } from "../http/record-actions.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { personManaging } from "../http/session.ts";
import type { Platform } from "../platform/platform.ts";
import { foreignRun, isOwner } from "../runs/access.ts";
import type { Account } from "./account.ts";
import { addShare, openedBy, sharedPage, shareView } from "./share-routes.ts";
import { MOST_SHARES, type ShareRecord } from "./share-schema.ts";

const shared = { tags: ["Shares"], security: [...wantsSession, ...wantsApiKey] };
const scope = requireScope("submit", "admin");

const create = createRoute({
  ...shared,
  method: "post",
  path: "/v1/shares",
  operationId: "createLink",
  summary: "Make a link that opens a private board, parity or study of judgings",
  description: `A board link opens \`GET /v1/leaderboard?mine=true\` of one suite and dataset, with the runs that the account has when it is read; a parity link the parity and its statement; a link of judgings their study and the runs. Clients send the token, which is in this reply only, in the header \`${SHARE_HEADER}\`.`,
  middleware: [scope, requireJson] as const,
  request: { body: jsonBody(linkRequestSchema) },
  responses: {
    201: jsonReply("The link", newLinkSchema),
    ...problemResponses(...bodyProblems, "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

const list = createRoute({
  ...shared,
  method: "get",
  path: "/v1/shares",
  operationId: "listLinks",
  summary: "All links of the key's account, newest first, without their tokens",
  middleware: scope,
  request: {
    query: newestFirstQuery.extend({
      owner: nameSchema
        .optional()
        .meta({ description: "an organisation whose admin you are; default: the key's account" }),
    }),
  },
  responses: {
    200: pageReply("A page of links", "shares", shareSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const revoke = createRoute({
  ...shared,
  method: "delete",
  path: "/v1/shares/{share}",
  operationId: "revokeLink",
  summary: "Revoke any link of the key's account",
  description:
    "Admins of an organisation can also revoke its links from their own account. Admins of the service can revoke all links.",
  middleware: scope,
  request: { params: z.object({ share: nameSchema }) },
  responses: {
    200: jsonReply("The link, which opens nothing any more", shareSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

export const linkRoutes = apiRouter()
  .openapi(create, async (c) => {
    const { expiresInDays, note, ...things } = c.req.valid("json");
    const thing = thingOf(things);
    const opened = await thingOpened(c.var.platform, callerOf(c), thing);
    if (!opened.ok) {
      const { type, detail, ...more } = opened.error;
      return problem(c, type, detail, more);
    }
    const { owner } = opened.value;
    const made = await addShare(
      c,
      { runId: "", opens: thing, ...opened.value },
      { expiresInDays, note },
    );
    if (made === null) {
      const detail = `"${owner}" has ${MOST_SHARES} such links that work, which is the limit: revoke one`;
      return problem(c, "conflict", detail);
    }
    return c.json({ ...made, link: sharedPage(pageOfThing(thing), made.token) }, 201);
  })
  .openapi(list, async (c) => {
    const { cursor: after = null, limit, owner = callerOf(c).owner } = c.req.valid("query");
    if (!(await managesLinksOf(c, owner))) {
      const detail = `you don't manage an organisation "${owner}" with this key or session: leave "owner" out, or sign in as one of its admins (assay login --scope organisations)`;
      return problem(c, "forbidden", detail);
    }
    const found = await c.var.platform.shares.page(owner, { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
    return c.json({ shares: items.map(shareView), nextCursor }, 200);
  })
  .openapi(revoke, async (c) => {
    const { share: id } = c.req.valid("param");
    const { platform } = c.var;
    const link = await platform.shares.get(id);
    const unknown = () => problem(c, "not-found", `"${callerOf(c).owner}" has no link "${id}"`);
    if (link === null || !(await managesLinksOf(c, link.owner))) return unknown();
    const entry = noteAction(c, { action: "share.revoke", target: id, before: openedBy(link) });
    const revoked = await platform.shares.revoke(link, id, platform.now(), entry);
    return revoked === null ? unknown() : c.json(shareView(revoked), 200);
  });

/** Whether the caller is the account, one of its admins in person, or an admin of the service. */
async function managesLinksOf(c: AppContext, owner: string): Promise<boolean> {
  const caller = callerOf(c);
  if (caller.owner === owner || caller.scopes.includes("admin")) return true;
  const person = personManaging(c);
  return person !== null && (await c.var.platform.organisations.role(owner, person)) === "admin";
}

type LinkRequest = z.infer<typeof linkRequestSchema>;

function thingOf({
  board,
  parity,
  judgings = [],
}: Pick<LinkRequest, "board" | "parity" | "judgings">) {
  if (board !== undefined) return { board };
  return parity === undefined ? { judgings } : { parity };
}

const ownPage = (query: Record<string, string>) =>
  `/leaderboards/own/?${new URLSearchParams(query)}`;

/** The page that shows the board or parity. */
function pageOfThing(thing: OpenedThing): string {
  if ("judgings" in thing) return `/compare/?submissions=${thing.judgings.map(encodeURIComponent)}`;
  if ("parity" in thing) return ownPage(thing);
  const { headline, ...board } = thing.board;
  return ownPage({ ...board, ...(headline !== undefined && { headline }) });
}

type Refusal = {
  type:
    | "not-found"
    | "forbidden"
    | "not-ready"
    | "conflict"
    | "not-comparable"
    | "invalid-request"
    | "quota-exceeded";
  detail: string;
};

/** What a link to a thing opens; refused unless the account can read it and may share it. */
async function thingOpened(
  platform: Platform,
  account: Account,
  thing: OpenedThing,
): Promise<Result<Pick<ShareRecord, "runs" | "owner">, Refusal>> {
  if ("board" in thing) {
    const board = await ownBoard(platform, account, thing.board);
    return board.ok ? ok({ runs: [], owner: account.owner }) : board;
  }
  if ("parity" in thing) {
    const parity = await ownedParity(platform, account, thing.parity);
    return parity.ok ? ok({ runs: [], owner: parity.value.owner }) : parity;
  }
  const judged = await judgedRuns(platform, account, thing.judgings);
  if (!judged.ok) return judged;
  const runs = judged.value.flatMap((its) => [...its.values()]);
  // A run of another account may become private later.
  const foreign = runs.find((run) => !isOwner(account, run));
  if (foreign !== undefined) return err(foreignRun(foreign.id));
  return ok({ runs: runs.map(({ id }) => id), owner: runs[0]?.owner ?? account.owner });
}
