import { createRoute, z } from "@hono/zod-openapi";
import {
  addedHostSchema,
  listedParitySchema,
  type Parity,
  parityRequestSchema,
  paritySchema,
  signedParitySchema,
} from "#shared/contracts/boards/parity.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { acceptedHeaders, idempotencyHeaders } from "../http/idempotency-key.ts";
import { pageOf, pageQuery, pageReply } from "../http/pagination.ts";
import { accepted, quotaProblem, refusalProblem } from "../http/refusal.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { UNSHARED } from "../http/response-cache.ts";
import {
  bodyProblems,
  chargeProblems,
  jsonBody,
  jsonContent,
  jsonReply,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { type AppContext, apiRouter, takesApiKey, wantsApiKey } from "../http/router.ts";
import { readerOf } from "../keys/account.ts";
import { signed } from "../publication/statement.ts";
import { acceptSubmission, submitterOf } from "../submissions/routes.ts";
import { type SubmissionRefusal, submit } from "../submissions/service.ts";
import {
  addAndStart,
  addRun,
  createParity,
  deleteParity,
  endpointHost,
  hostSubmission,
  openParity,
  removeHost,
} from "./parities.ts";
import { parityView } from "./parity-view.ts";

const tags = ["Results"];
const writes = { tags, security: wantsApiKey };
const reads = { method: "get" as const, tags, security: takesApiKey };
const params = z.object({
  owner: nameSchema.meta({ example: "acme" }),
  name: nameSchema.meta({ example: "extract-7b-hosts" }),
});
const parity = jsonContent(paritySchema);
const scope = requireScope("submit");

const create = createRoute({
  ...writes,
  method: "post",
  path: "/v1/parities",
  operationId: "createParity",
  summary: "Compare one model at several hosts",
  description:
    "The other hosts are compared with the host of the reference, on the same samples, by the metric that ranks its run. If the reference is a private run of yours, the parity is private, too, and accepts your private runs. State the margin before the other hosts are run: give the reference alone, and add hosts by `POST /v1/parities/{owner}/{name}/hosts`. Margin and reference can't be changed.",
  middleware: [scope, requireJson] as const,
  request: { body: jsonBody(parityRequestSchema) },
  responses: {
    201: {
      description: "The parity",
      headers: z.object({ location: z.string() }),
      content: parity,
    },
    ...problemResponses(...bodyProblems, "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

const list = createRoute({
  ...reads,
  path: "/v1/parities",
  operationId: "listParities",
  summary: "Parities, newest first",
  request: {
    query: pageQuery(z.tuple([z.int(), nameSchema])).extend({
      mine: z.enum(["true", "false"]).default("false").meta({
        description: "list the parities of the key's account instead, private ones included",
      }),
    }),
  },
  responses: {
    200: pageReply("A page of parities", "parities", listedParitySchema),
    ...problemResponses("invalid-request", "unauthorized"),
  },
});

const read = createRoute({
  ...reads,
  path: "/v1/parities/{owner}/{name}",
  operationId: "getParity",
  summary: "One model at several hosts, compared",
  description:
    "For each host: the difference to the reference on the same samples with its 95% interval, tests against the margin (non-inferiority, equivalence by two one-sided tests, worse), corrected by Holm over all runs that the same account ever added, and its metrics: schema accuracy, trigger F1 of tool calls, latency, speed, cost.",
  request: { params },
  responses: {
    200: { description: "The parity", content: parity },
    ...problemResponses("not-found"),
  },
});

const statement = createRoute({
  ...reads,
  path: "/v1/parities/{owner}/{name}/statement",
  operationId: "getParityStatement",
  summary: "The signed statement of a parity",
  description:
    "Its current state, signed in the same way as the results of runs; `assay verify OWNER/NAME` checks it and recomputes the differences. `asOf` is the time of signing; `assay verify FILE` says what has changed since.",
  request: { params },
  responses: {
    200: jsonReply("The statement and its signature", signedParitySchema),
    ...problemResponses("not-found"),
  },
});

const add = createRoute({
  ...writes,
  method: "post",
  path: "/v1/parities/{owner}/{name}/hosts",
  operationId: "addParityHost",
  summary: "Add a host to a parity",
  description:
    "With `endpoint`, starts a run of your account with the dataset, options and settings of the reference, and returns its submission; with `run`, adds a finished run of yours. It is a row of its own, marked with your account; in a parity of another account it is shown apart from the owner's rows, and does not change their verdicts. To run a host again, give its endpoint and the same label: the latest finished run counts, and the others remain shown.",
  middleware: [scope, requireJson] as const,
  request: { headers: idempotencyHeaders, params, body: jsonBody(addedHostSchema) },
  responses: {
    201: { description: "The run is added", content: parity },
    202: {
      description: "A run is queued",
      headers: acceptedHeaders,
      content: jsonContent(submissionSchema),
    },
    ...problemResponses(
      ...bodyProblems,
      "not-found",
      "not-ready",
      "conflict",
      "not-comparable",
      "gone",
      ...chargeProblems,
    ),
  },
});

const remove = createRoute({
  ...writes,
  method: "delete",
  path: "/v1/parities/{owner}/{name}",
  operationId: "deleteParity",
  summary: "Delete a parity; its runs are kept",
  middleware: requireScope("submit", "admin"),
  request: { params },
  responses: {
    204: { description: "The parity is deleted" },
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

const removeRun = createRoute({
  ...writes,
  method: "delete",
  path: "/v1/parities/{owner}/{name}/hosts/{run}",
  operationId: "removeParityHost",
  summary: "Remove a run from a parity",
  description:
    "The owner of the parity can remove every run except the reference; other accounts can remove the runs that they added. The run itself is kept. The parity shows how many runs were removed, and its tests are still corrected for them.",
  middleware: requireScope("submit", "admin"),
  request: { params: params.extend({ run: nameSchema.meta({ example: "run_01a2b3c4" }) }) },
  responses: {
    200: { description: "The parity", content: parity },
    ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
  },
});

/** Parities: one model at several hosts. */
export const parityRoutes = apiRouter()
  .openapi(create, async (c) => {
    const { platform } = c.var;
    accepted(await createParity(platform, callerOf(c), c.req.valid("json")));
    const { name } = c.req.valid("json");
    return c.json(await changedView(c, name), 201, { location: `/v1/parities/${name}` });
  })
  .openapi(list, async (c) => {
    const { platform } = c.var;
    const { cursor: after = null, limit, mine } = c.req.valid("query");
    const ownedBy = mine === "true" ? readerOf(c.var.account).owner : null;
    if (ownedBy === "") {
      const detail = "mine=true lists the parities of a key's account: send the key";
      return problem(c, "unauthorized", detail);
    }
    if (ownedBy !== null) c.header("cache-control", UNSHARED);
    const found = await platform.parities.list({ after, limit: limit + 1 }, ownedBy);
    const { items, nextCursor } = pageOf(found, limit, ({ createdAt, name }) => [createdAt, name]);
    const parities = items.map(({ model, createdAt, ...one }) => ({
      ...one,
      model: model.name,
      createdAt: new Date(createdAt).toISOString(),
    }));
    return c.json({ parities, nextCursor }, 200);
  })
  .openapi(read, async (c) => {
    const view = await viewOf(c, nameOf(c.req.valid("param")));
    return view === null ? notFound(c) : c.json(view, 200);
  })
  .openapi(statement, async (c) => {
    const { platform } = c.var;
    const view = await viewOf(c, nameOf(c.req.valid("param")));
    if (view === null) return notFound(c);
    const asOf = new Date(platform.now()).toISOString();
    const stated = { type: "assay-parity" as const, version: 1 as const, asOf, ...view };
    return c.json(await signed(platform, stated), 200);
  })
  .openapi(add, async (c) => {
    const { platform } = c.var;
    const account = callerOf(c);
    const name = nameOf(c.req.valid("param"));
    const { endpoint, ...given } = c.req.valid("json");
    if (endpoint === undefined) {
      accepted(await addRun(platform, account, name, given));
      return c.json(await changedView(c, name), 201);
    }
    const opened = accepted(await openParity(platform, account, name));
    const request = accepted(hostSubmission(opened, account, { ...given, endpoint }));
    const { label = endpointHost(endpoint) } = given;
    return acceptSubmission(
      c,
      account,
      (id) => {
        const added = { parity: opened.parity, submission: id, label };
        return addAndStart(platform, account, added, async (its) =>
          submit(its, request, await submitterOf(c, account), id),
        );
      },
      (refusal) => ("kind" in refusal ? notAccepted(c, refusal) : refusalProblem(c, refusal)),
    );
  })
  .openapi(remove, async (c) => {
    accepted(await deleteParity(c.var.platform, callerOf(c), nameOf(c.req.valid("param"))));
    return c.body(null, 204);
  })
  .openapi(removeRun, async (c) => {
    const { run, ...id } = c.req.valid("param");
    const name = nameOf(id);
    accepted(await removeHost(c.var.platform, callerOf(c), { name, run }));
    const view = await viewOf(c, name, "changed");
    return view === null ? notFound(c) : c.json(view, 200);
  });

const nameOf = ({ owner, name }: z.infer<typeof params>): string => `${owner}/${name}`;

const notFound = (c: AppContext) =>
  problem(c, "not-found", "there is no such parity, or its reference was withdrawn");

/** A parity as the caller sees it. A private one is never cached, and does not count as a published change. */
async function viewOf(c: AppContext, name: string, is?: "changed"): Promise<Parity | null> {
  const { platform, account } = c.var;
  const found = await parityView(platform, name, readerOf(account));
  if (found?.isPublic === false) c.header("cache-control", UNSHARED);
  else if (is === "changed") await platform.publications.markChanged();
  return found?.view ?? null;
}

async function changedView(c: AppContext, name: string): Promise<Parity> {
  const view = await viewOf(c, name, "changed");
  if (view === null) throw new Error(`parity ${name} was withdrawn while it was changed`);
  return view;
}

/** Problem of a submission whose endpoint is a field of this request. */
function notAccepted(c: AppContext, refusal: SubmissionRefusal) {
  if (refusal.kind === "full") return problem(c, "forbidden", refusal.detail);
  if (refusal.kind === "over-quota") {
    return quotaProblem(c, refusal, "this run", "wait, or use another key");
  }
  const errors = refusal.errors.map(({ pointer = "", ...error }) => ({
    ...error,
    pointer: pointer.replace(/^\/models\/0/, ""),
  }));
  return problem(c, "invalid-request", "nothing was stored: the host can't be run", { errors });
}
