import { createRoute, z } from "@hono/zod-openapi";
import {
  republicationSchema,
  republishRequestSchema,
} from "#shared/contracts/boards/republication.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { isUnseen } from "../datasets/service.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { accepted } from "../http/refusal.ts";
import { requireJsonIfAny, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonContent,
  optionalJsonBody,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { apiRouter, openToAll, wantsApiKey } from "../http/router.ts";
import { republicationViews } from "./republication-view.ts";
import { republishBoard } from "./republish-board.ts";
import type { RepublicationRecord } from "./schema.ts";

/** Re-publications per reply, each with up to a hundred entries. */
const MAX_LISTED = 50;

const content = jsonContent(republicationSchema);

const shared = { method: "get" as const, security: openToAll, tags: ["Results"] };

const list = createRoute({
  path: "/v1/republications",
  operationId: "listRepublications",
  ...shared,
  summary: "Boards whose answers were rescored, newest first",
  description:
    "When gold answers are corrected, or the scoring of a suite changes, the stored answers of a board are rescored into a new board, without calling a model. The old board does not change and takes no new runs. Each re-publication has the reason and the rank of each entry before and after.",
  request: {
    query: newestFirstQuery.extend({
      limit: z.coerce.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED),
      board: nameSchema.optional().describe("only re-publications from or to this board"),
    }),
  },
  responses: {
    200: pageReply("A page of re-publications", "republications", republicationSchema),
    ...problemResponses("invalid-request"),
  },
});

const one = createRoute({
  path: "/v1/republications/{id}",
  operationId: "getRepublication",
  ...shared,
  summary: "What a re-publication changed",
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: { description: "The re-publication", content },
    ...problemResponses("not-found"),
  },
});

const start = createRoute({
  method: "post",
  path: "/v1/boards/{id}/republish",
  operationId: "republishBoard",
  tags: ["Results"],
  summary: "Rescore the stored answers of a board into a new board",
  description:
    "Uses the current suite and judges, and the latest corrected gold answers. The service does this automatically after a correction, and for unjudged suites after a change of scoring. This call is for judged suites whose scoring changed, because calling their judges again costs money.",
  middleware: [requireScope("admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: {
    params: z.object({ id: nameSchema }),
    body: optionalJsonBody(republishRequestSchema),
  },
  responses: {
    202: { description: "Started", content },
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

export const republicationRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { platform } = c.var;
    const { cursor: after = null, limit, board = null } = c.req.valid("query");
    const found = await platform.republications.list(board, { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ startedAt, id }) => [startedAt, id]);
    return c.json({ republications: await republicationViews(platform, items), nextCursor }, 200);
  })
  .openapi(one, async (c) => {
    const { platform } = c.var;
    const { id } = c.req.valid("param");
    const record = await platform.republications.get(id);
    const isHidden = record !== null && (await isUnseen(platform, datasetOf(record)));
    const [view] = record === null || isHidden ? [] : await republicationViews(platform, [record]);
    if (view !== undefined) return c.json(view, 200);
    return problem(c, "not-found", `there is no re-publication "${id}"`);
  })
  .openapi(start, async (c) => {
    const { platform } = c.var;
    const { id } = c.req.valid("param");
    const board = await platform.boards.get(id);
    if (board === null) return problem(c, "not-found", `there is no board "${id}"`);
    const started = accepted(
      await republishBoard(platform, board, c.req.valid("json").reason ?? null),
    );
    const [view] = await republicationViews(platform, [started]);
    if (view === undefined) throw new Error("a record has a view");
    return c.json(view, 202);
  });

const datasetOf = ({ suite, datasetName: name, toDataset: version }: RepublicationRecord) => ({
  suite,
  name,
  version,
});
