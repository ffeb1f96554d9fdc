import { createRoute, z } from "@hono/zod-openapi";
import { type Leaderboard, leaderboardSchema } from "#shared/contracts/boards/leaderboard.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { datasetRefSchema } from "#shared/contracts/datasets/dataset.ts";
import { textStream } from "../exports/write-rows.ts";
import { fileHeaders, fileResponse } from "../http/download.ts";
import { accepted } from "../http/refusal.ts";
import { UNSHARED } from "../http/response-cache.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, openToAll, takesApiKey } from "../http/router.ts";
import { boardFacts } from "../judging/bridge.ts";
import type { Account } from "../keys/account.ts";
import { nobody } from "../keys/share.ts";
import type { Platform } from "../platform/platform.ts";
import { boardView } from "../runs/view.ts";
import { boardCsv } from "./board-csv.ts";
import { entriesFrom, entryPages, findBoard, type NamedBoard, shownBoard } from "./board-pages.ts";
import { ownBoard } from "./own-board.ts";
import type { BoardRecord } from "./schema.ts";

const boardQuery = z.object({
  suite: nameSchema.meta({ example: "extraction" }),
  dataset: datasetRefSchema,
  headline: z.string().max(200).optional().meta({
    description:
      "id of the ranking metric. In the suite tools, endpoints are ranked by `avgF1`; hybrid targets and answers from several sources have their own boards, ranked by `total`. Default: the suite's headline, if there is such a board",
  }),
});

const cursor = z.coerce
  .number({ error: "must be a nextCursor of this list" })
  .int()
  .min(0)
  .default(0);

const shared = { method: "get" as const, security: openToAll, tags: ["Results"] };

const leaderboard = createRoute({
  path: "/v1/leaderboard",
  operationId: "getLeaderboard",
  ...shared,
  security: takesApiKey,
  summary: "The leaderboard of a suite and dataset",
  description:
    "Runs over the full dataset with the suite's standard prompt, scoring, judges, repeats and structured-output mode; the newest run of each model, ranked by the headline metric. `attempts` counts all runs of the model in this configuration, in any state. Runs below 95% coverage are listed unranked, with the reason. `entries` is a page of at most 100; `nextCursor` is the cursor of the next page.",
  request: {
    query: boardQuery.extend({
      cursor,
      mine: z.enum(["true", "false"]).default("false").meta({
        description:
          "`true`: the board of the key's own runs, including private and unlisted ones, of at most 100 models; with a share link, of its account's runs, without ids",
      }),
    }),
  },
  responses: {
    200: jsonReply("The board", leaderboardSchema),
    ...problemResponses("not-found", "invalid-request", "unauthorized"),
  },
});

const leaderboardCsv = createRoute({
  path: "/v1/leaderboard.csv",
  operationId: "exportLeaderboardCsv",
  ...shared,
  summary: "The leaderboard of a suite and dataset as CSV",
  description:
    "One record per model, best first, with all fields of the model on the JSON board; each record repeats the fields of the board.",
  request: { query: boardQuery },
  responses: {
    ...fileResponse(
      "csv",
      "The board",
      "rank,rankLow,rankHigh,best,tieGroup,model,name,simulated\r\n1,1,2,0.845,1,acme/large,Large,false\r\n",
    ),
    ...problemResponses("not-found", "invalid-request"),
  },
});

const byId = createRoute({
  path: "/v1/boards/{id}",
  operationId: "getBoard",
  ...shared,
  summary: "Any board, by its id",
  description:
    "A board with the standard options or with others. For a board whose answers were re-published, `supersededBy` is the board that replaced it.",
  request: { params: z.object({ id: nameSchema }), query: z.object({ cursor }) },
  responses: {
    200: leaderboard.responses[200],
    ...problemResponses("not-found", "invalid-request"),
  },
});

export const boardRoutes = apiRouter()
  .openapi(byId, async (c) => {
    const { id } = c.req.valid("param");
    const found = await c.var.platform.boards.get(id);
    const board = found && (await shownBoard(c.var.platform, found));
    if (board === null) return problem(c, "not-found", `there is no board "${id}"`);
    return c.json(await boardPage(c.var.platform, board, c.req.valid("query").cursor), 200);
  })
  .openapi(leaderboard, async (c) => {
    const { cursor: place, mine, ...named } = c.req.valid("query");
    if (mine === "true") return own(c, named);
    const board = accepted(await findBoard(c.var.platform, named));
    return c.json(await boardPage(c.var.platform, board, place), 200);
  })
  .openapi(leaderboardCsv, async (c) => {
    const { platform } = c.var;
    const board = accepted(await findBoard(platform, c.req.valid("query")));
    const view = boardView(board, null);
    const { id, updatedAt, supersededAt } = board;
    const state = [id, updatedAt, supersededAt ?? 0];
    const headers = fileHeaders(c, "csv", [view.suite, view.dataset.name], state);
    return c.body(textStream(boardCsv(view, entryPages(platform, board))), 200, headers) as never;
  });

/** The board of the caller's runs, or of those that a link opens. Never cached, because it is for one reader. */
async function own(c: AppContext, named: NamedBoard) {
  const { platform } = c.var;
  const linked = byLink(c.var.account, named);
  const account = linked ?? c.var.account;
  if (account === null || account.owner === "") {
    return problem(c, "unauthorized", "mine=true ranks the runs of a key's account: send the key");
  }
  const board = accepted(await ownBoard(platform, account, named));
  const shown = linked === null ? board : withoutIds(board);
  return c.json(shown, 200, { "cache-control": UNSHARED });
}

/** The id of an unlisted run is its address: whoever has it could read the run even after the link has ended. */
const withoutIds = (board: Leaderboard): Leaderboard => ({
  ...board,
  entries: board.entries.map((entry, i) => ({ ...entry, run: `entry_${i + 1}` })),
});

/** The account as which a link reads the named board; null if no link opens it. */
function byLink(account: Account | null, named: NamedBoard): Account | null {
  const { owner = "", thing = null } = account?.opened ?? {};
  if (thing === null || !("board" in thing)) return null;
  const isIt = (["suite", "dataset", "headline"] as const).every(
    (part) => thing.board[part] === named[part],
  );
  return isIt ? { ...nobody, owner, scopes: ["submit"] } : null;
}

const boardPage = async (platform: Platform, board: BoardRecord, place: number) =>
  boardView(board, await boardFacts(platform, board), await entriesFrom(platform, board, place));
