import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { type AuditEntry, auditEntrySchema } from "#shared/contracts/operator/audit.ts";
import { csvRows, jsonLines, type Pages, textStream } from "../exports/write-rows.ts";
import { fileHeaders, fileResponse } from "../http/download.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { requireScope } from "../http/require-scope.ts";
import { problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import type { AuditFilter, AuditRecord } from "./schema.ts";

const filterQuery = z.object({
  actor: nameSchema.optional().meta({ description: "account that acted" }),
  target: nameSchema.optional().meta({ description: "id of the changed object, such as a run" }),
  since: z.iso.datetime({ offset: true }).optional().describe("only entries from this time on"),
});

/** Shared parts of routes that only admins may read. */
export const adminReads = {
  method: "get" as const,
  tags: ["Operation"],
  middleware: requireScope("admin"),
  security: wantsApiKey,
};
const refusals = problemResponses("unauthorized", "forbidden", "invalid-request");

const list = createRoute({
  ...adminReads,
  path: "/v1/operator/audit",
  operationId: "listActions",
  summary: "The audit log, newest first",
  description:
    "Every change by an account with the scope `admin`, and every change of rights or visibility by anyone: who, what, when and why, with the state before and after where it is small. An action's reason is its body's `reason`, or the query parameter `reason` of any request. Entries are never changed or deleted.",
  request: { query: newestFirstQuery.extend(filterQuery.shape) },
  responses: { 200: pageReply("A page of entries", "entries", auditEntrySchema), ...refusals },
});

const file = (format: "csv" | "jsonl", operationId: string) =>
  createRoute({
    ...adminReads,
    path: `/v1/operator/audit.${format}`,
    operationId,
    summary: `The audit log as ${{ csv: "CSV", jsonl: "JSON lines" }[format]}, newest first`,
    description: "`since` continues an earlier export.",
    request: { query: filterQuery },
    responses: { ...fileResponse(format, "One action per row", examples[format]), ...refusals },
  });

const entry: AuditEntry = {
  id: "act_01a2b3c4",
  at: "2026-11-21T12:00:00.000Z",
  actor: "operator",
  keyId: null,
  action: "run.hide",
  target: "run_01a2b3c4",
  reason: "copied answers",
  before: { hidden: null },
  after: { hidden: "copied answers" },
  status: 200,
  requestId: "7d444840-9dc0-11d1-b245-5ffdce74fad2",
};
const columns = Object.keys(auditEntrySchema.shape);
const examples = { jsonl: `${JSON.stringify(entry)}\n`, csv: `${columns}\r\n` };

const viewOf = ({ at, ...record }: AuditRecord): AuditEntry => ({
  ...record,
  at: new Date(at).toISOString(),
});

const filterOf = (query: z.infer<typeof filterQuery>): AuditFilter => ({
  actor: query.actor ?? null,
  target: query.target ?? null,
  since: query.since === undefined ? null : Date.parse(query.since),
});

/** Entries per query of an export. */
const PAGE = 1_000;

async function* pagesOf(c: AppContext, filter: AuditFilter): Pages<AuditEntry> {
  for (let after: AuditPlace = null; ; ) {
    const found = await c.var.platform.audit.list(filter, { after, limit: PAGE });
    yield found.map(viewOf);
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    after = [last.at, last.id];
  }
}

type AuditPlace = [at: number, id: string] | null;

async function* linesOf(pages: Pages<AuditEntry>): Pages<string> {
  for await (const page of pages) yield page.map((one) => JSON.stringify(one));
}

const textOf = {
  csv: (pages: Pages<AuditEntry>) => csvRows(pages, () => columns),
  jsonl: (pages: Pages<AuditEntry>) => jsonLines(linesOf(pages)),
};

function sendFile(c: AppContext, format: "csv" | "jsonl", query: z.infer<typeof filterQuery>) {
  const text = textOf[format](pagesOf(c, filterOf(query)));
  return c.body(textStream(text), 200, fileHeaders(c, format, ["audit"])) as never;
}

export const auditRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { cursor: after = null, limit, ...query } = c.req.valid("query");
    const found = await c.var.platform.audit.list(filterOf(query), { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ at, id }) => [at, id]);
    return c.json({ entries: items.map(viewOf), nextCursor }, 200);
  })
  .openapi(file("csv", "exportActionsCsv"), (c) => sendFile(c, "csv", c.req.valid("query")))
  .openapi(file("jsonl", "exportActionsJsonl"), (c) => sendFile(c, "jsonl", c.req.valid("query")));
