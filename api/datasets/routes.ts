import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  datasetNameSchema,
  datasetRefSchema,
  datasetSchema,
  datasetVisibilityChangeSchema,
  deletedDatasetSchema,
  listedDatasetSchema,
} from "#shared/contracts/datasets/dataset.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { visibilityRequestSchema } from "#shared/contracts/submissions/run-requests.ts";
import { fileHeaders, fileResponse } from "../http/download.ts";
import { pageOf, pageQuery, pageReply } from "../http/pagination.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import {
  type AppContext,
  apiRouter,
  parameterErrors,
  takesApiKey,
  wantsApiKey,
} from "../http/router.ts";
import { ownsAll, readerOf } from "../keys/account.ts";
import { datasetView, listedDataset } from "../runs/view.ts";
import { changeDatasetVisibility, planDatasetVisibility } from "./change-visibility.ts";
import { datasetJsonl, deleteDataset, noSuchDataset } from "./service.ts";

/** Hex digits of a full version. */
const VERSION_LENGTH = 64;

/** A position in the list: suite, name, time and version. */
const placeSchema = z.tuple([
  z.string().max(100),
  z.string().max(200),
  z.int(),
  z.string().max(VERSION_LENGTH),
]);

const list = createRoute({
  method: "get",
  path: "/v1/datasets",
  operationId: "listDatasets",
  security: takesApiKey,
  tags: ["Datasets"],
  summary: "Datasets, by suite and name, newest version first",
  description:
    "Shows the number of notes on rows; `GET /v1/datasets/{suite}/{dataset}` returns the notes. Lists public datasets, and private ones that public runs are on. With `mine=true`: all datasets of the key's account; of a service that requires no keys, all.",
  request: {
    query: pageQuery(placeSchema).extend({
      suite: nameSchema.optional(),
      name: datasetNameSchema.optional().meta({ description: "only versions of this name" }),
      version: z
        .string()
        .regex(/^[0-9a-f]{6,64}$/, { error: "must be 6 to 64 hex digits of a version" })
        .optional()
        .meta({ description: "only versions with this prefix, under any name" }),
      mine: z.enum(["true", "false"]).default("false"),
    }),
  },
  responses: {
    200: pageReply("A page of datasets", "datasets", listedDatasetSchema),
    ...problemResponses("invalid-request", "unauthorized"),
  },
});

/** One dataset. A slash in its name may be literal or `%2F`. */
const datasetPath = {
  openapi: "/v1/datasets/{suite}/{dataset}",
  hono: "/v1/datasets/:suite/:dataset{.+}",
};
const params = z.object({
  suite: nameSchema.meta({ example: "extraction" }),
  dataset: datasetRefSchema,
});

const read = createRoute({
  method: "get",
  path: datasetPath.openapi,
  operationId: "getDataset",
  security: takesApiKey,
  tags: ["Datasets"],
  summary: "A dataset's newest version, or the one named, with notes on its rows",
  description:
    "An unlisted dataset can be read by its owner, and by anyone who has all 64 digits of its version. A private one can be read only by its owner, until a public run uses it; then everyone can read it, without the notes, because they quote its rows.",
  request: { params },
  responses: {
    200: jsonReply("The version", datasetSchema),
    ...problemResponses("not-found", "invalid-request"),
  },
});

const remove = createRoute({
  method: "delete",
  path: datasetPath.openapi,
  operationId: "deleteDataset",
  tags: ["Datasets"],
  summary: "Delete a dataset, or one version of it",
  description:
    "For its owner and admins: `name` deletes all versions; `name@version` deletes one, unless it corrects another or was corrected. While finished runs of other accounts are on its boards, only admins can. Afterwards it is in no list and takes no submissions; its boards are removed from lists, badges and the site. Its runs are kept with the samples that they show; the rows are deleted with the last run on them.",
  middleware: requireScope("submit", "admin"),
  security: wantsApiKey,
  request: { params },
  responses: {
    200: jsonReply("What was deleted", deletedDatasetSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found", "conflict", "invalid-request"),
  },
});

const dryRunSchema = z.enum(["true", "false"]).default("false");

const change = createRoute({
  method: "patch",
  path: datasetPath.openapi,
  operationId: "changeDatasetVisibility",
  tags: ["Datasets"],
  summary: "Make a dataset, or one version of it, public, unlisted or private",
  description:
    "For its owner and admins. With `dryRun=true` nothing changes. While finished runs of other accounts are on its boards, only admins can make it less visible. Runs on it that more people would see become as visible as the dataset, also those of other accounts, which keep only the figures of a private dataset. Pages of the site change with its next build, all else at once.",
  security: wantsApiKey,
  request: {
    params,
    query: z.object({ dryRun: dryRunSchema }),
    body: jsonBody(visibilityRequestSchema),
  },
  responses: {
    200: jsonReply("What has changed, or would change", datasetVisibilityChangeSchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

export const datasetRoutes = apiRouter();

datasetRoutes.openapi(list, async (c) => {
  const { platform, account } = c.var;
  const { cursor: after = null, limit, mine, ...wanted } = c.req.valid("query");
  const { suite = null, name = null, version = null } = wanted;
  if (mine === "true" && account === null) {
    return problem(
      c,
      "unauthorized",
      "mine=true lists the datasets of a key's account: send the key",
    );
  }
  const ownedBy = mine === "true" ? readerOf(account).owner : null;
  const wide = { ownedBy, anyOwner: ownsAll(account) };
  const query = { suite, name, version, ...wide, after, limit: limit + 1 };
  const { items, nextCursor } = pageOf(await platform.datasets.page(query), limit, (last) => [
    last.suite,
    last.name,
    Date.parse(last.createdAt),
    last.version,
  ]);
  return c.json({ datasets: items, nextCursor }, 200);
});

datasetRoutes.openAPIRegistry.registerPath(read);
datasetRoutes.get(datasetPath.hono, async (c) => {
  const { platform, account } = c.var;
  const named = params.safeParse(c.req.param());
  if (!named.success) return refusedPath(c, named.error);
  const { suite, dataset: reference } = named.data;
  const [name = "", version = null] = reference.split("@");
  const reader = readerOf(account);
  const any = await platform.datasets.find(suite, name, version);
  const found = await platform.datasets.find(suite, name, version, reader);
  if (found !== null) return c.json(datasetView(found), 200);
  // Checked even if there is none, so that the reply time does not reveal whether a private one exists.
  const isShown = await platform.datasets.isShown(any ?? { suite, name, version: "" });
  if (isShown && any?.visibility === "private") return c.json(listedDataset(any), 200);
  return problem(c, "not-found", noSuchDataset(suite, reference));
});

datasetRoutes.openAPIRegistry.registerPath(remove);
datasetRoutes.delete(datasetPath.hono, requireScope("submit", "admin"), async (c) => {
  const { platform } = c.var;
  const account = callerOf(c);
  const named = params.safeParse(c.req.param());
  if (!named.success) return refusedPath(c, named.error);
  const deleted = accepted(
    await deleteDataset(platform, account, named.data.suite, named.data.dataset),
  );
  return c.json(deleted, 200);
});

datasetRoutes.openAPIRegistry.registerPath(change);
datasetRoutes.patch(datasetPath.hono, requireScope("submit", "admin"), requireJson, async (c) => {
  const named = params.safeParse(c.req.param());
  if (!named.success) return refusedPath(c, named.error);
  const given = await c.req.json();
  const read = visibilityRequestSchema.safeParse(given);
  if (!read.success) {
    const errors = fieldErrors(read.error.issues, given);
    return problem(c, "invalid-request", "nothing was changed: the body is invalid", { errors });
  }
  const isDry = dryRunSchema.safeParse(c.req.query("dryRun"));
  if (!isDry.success) {
    const errors = [{ parameter: "dryRun", detail: "must be true or false" }];
    return problem(c, "invalid-request", "nothing was changed: the query is invalid", { errors });
  }
  const { suite, dataset: reference } = named.data;
  const { visibility: to } = read.data;
  const its = { suite, reference };
  const planned = accepted(await planDatasetVisibility(c.var.platform, callerOf(c), its, to));
  const { change: made, owner } = planned;
  if (isDry.data === "true") return c.json(made, 200);
  // Omits the name, which begins with the account's.
  const target = `${suite}@${made.versions[0] ?? ""}`;
  const before = { owner, visibility: made.from };
  const after = { owner, visibility: to, versions: made.versions.length };
  const entry = noteAction(c, { action: "dataset.visibility", target, before, after });
  await changeDatasetVisibility(c.var.platform, planned, entry);
  return c.json(made, 200);
});

function refusedPath(c: AppContext, { issues }: z.ZodError) {
  const errors = parameterErrors(issues, c.req.param());
  return problem(c, "invalid-request", "the path names no dataset", { errors });
}

const rows = createRoute({
  method: "get",
  path: "/v1/dataset.jsonl",
  operationId: "exportDatasetJsonl",
  security: takesApiKey,
  tags: ["Datasets"],
  summary: "A dataset's samples as JSON lines, all of them",
  description:
    "`POST /v1/datasets` accepts them unchanged and creates the same version. An unlisted dataset can be read by its owner, and by anyone who has all 64 digits of its version; a private one only by its owner.",
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      dataset: datasetRefSchema,
    }),
  },
  responses: {
    ...fileResponse(
      "jsonl",
      "One line a sample, in order",
      '{"id":"fee","text":"The annual fee is EUR 120.","schema":{"type":"object"},"expected_output":{"amount":120}}\n',
    ),
    ...problemResponses("not-found", "invalid-request"),
  },
});

/** Downloads of datasets for evaluation elsewhere. */
export const datasetJsonlRoutes = apiRouter().openapi(rows, async (c) => {
  const { platform, account } = c.var;
  const { suite, dataset: reference } = c.req.valid("query");
  const [name = "", version = null] = reference.split("@");
  const found = await platform.datasets.find(suite, name, version, readerOf(account));
  if (found === null) {
    const hidden = await platform.datasets.find(suite, name, version);
    const isShown = await platform.datasets.isShown(hidden ?? { suite, name, version: "" });
    const detail =
      isShown && hidden?.visibility === "private"
        ? `the dataset "${name}" is private: use a key of its owner's account to read its samples`
        : noSuchDataset(suite, reference);
    return problem(c, "not-found", detail);
  }
  if (found.stream?.rowsDeletedAt !== undefined) {
    return problem(c, "not-found", `the rows of this version of "${name}" were deleted`);
  }
  // Versions are immutable.
  const headers = fileHeaders(c, "jsonl", [name, found.version.slice(0, 12)], [found.version]);
  return c.body(datasetJsonl(platform.datasets, found), 200, headers) as never;
});
