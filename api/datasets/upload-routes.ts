import { createRoute, z } from "@hono/zod-openapi";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import {
  correctionReasonSchema,
  correctsSchema,
  datasetCheckSchema,
  datasetNameSchema,
  datasetSchema,
  datasetVisibilitySchema,
  licenseSchema,
  type RowNote,
  sourceSchema,
} from "#shared/contracts/datasets/dataset.ts";
import { clustersSchema } from "#shared/contracts/datasets/likely-clusters.ts";
import {
  longestMapping,
  type RowMapping,
  readMapping,
} from "#shared/contracts/datasets/row-mapping.ts";
import { drawSchema } from "#shared/contracts/datasets/version-draw.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, parameterErrors, wantsApiKey } from "../http/router.ts";
import { noSuite } from "../platform/platform.ts";
import { datasetView } from "../runs/view.ts";
import { checkDataset, type DatasetRefusal, registerDataset } from "./register-dataset.ts";
import { addStreamVersion } from "./stream.ts";

const uploadedRows = z.string().max(bounds.bodyBytes).meta({
  description: "one sample a line, as the suite's page describes it",
  example: '{"id":"a","text":"…","schema":{"type":"object"},"expected_output":{}}',
});

const uploadedMapping = z.string().max(longestMapping).optional().meta({
  description:
    "mapping that made these rows from others, as JSON of a `RowMapping`; stored with the version",
});

const uploadProblems = problemResponses(
  "invalid-request",
  "malformed-samples",
  "unsupported-media-type",
  "unauthorized",
  "forbidden",
  "conflict",
  "request-in-progress",
  "body-too-large",
);

const create = createRoute({
  method: "post",
  path: "/v1/datasets",
  operationId: "createDataset",
  tags: ["Datasets"],
  summary: "Add a dataset version from JSONL",
  description:
    "The body is JSONL, or multipart with the file in the field `file`. Invalid rows are reported with line and reason; the others are stored only with `allowPartial=true`. The same content under the same name is the same version, so an upload can be repeated. With `corrects`, it corrects gold answers: the same samples in the same order, with the same requests to the model. Boards of the corrected version are then re-published: their stored answers are rescored, and no model is called (GET /v1/republications). Boards show `likelyClusters` until the file is uploaded again with `clusters`.",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      name: datasetNameSchema,
      visibility: datasetVisibilitySchema.optional().meta({
        description: "default: as the newest version of the name; for a new name, unlisted",
      }),
      license: licenseSchema.optional(),
      source: sourceSchema.optional(),
      corrects: correctsSchema.optional(),
      correction: correctionReasonSchema.optional(),
      clusters: clustersSchema.optional(),
      mapping: uploadedMapping,
      allowPartial: z.enum(["true", "false"]).default("false"),
      dryRun: z.enum(["true", "false"]).default("false").meta({
        description: "check the rows, and store nothing",
      }),
    }),
    body: {
      required: true,
      content: {
        "application/jsonl": { schema: uploadedRows },
        "multipart/form-data": { schema: z.object({ file: uploadedRows }) },
      },
    },
  },
  responses: {
    200: jsonReply("With `dryRun=true`: what would be stored", datasetCheckSchema),
    201: jsonReply("Stored, or already existing", datasetSchema),
    ...uploadProblems,
  },
});

const { samplesPerVersion, anchor, keepVersions } = drawSchema.shape;
const numeric = (schema: z.ZodType<number, number>) => z.coerce.number().pipe(schema);

const add = createRoute({
  method: "post",
  path: "/v1/dataset-stream",
  operationId: "addStreamVersion",
  tags: ["Datasets"],
  summary: "Draw a new version of a dataset from rows of production",
  description:
    "The body is JSON Lines, such as yesterday's requests. Rows that the file before had are left out, by `id` or, without one, by content; of the others, `samplesPerVersion` are drawn by dataset and date, and stored with the anchor as a new version. Rows that don't fit the suite are noted. Fails with `conflict` if nothing is new, or if another version was added at the same time. A schedule with `stream` does this with a file at an address; a schedule without evaluates the newest version.",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      name: datasetNameSchema,
      visibility: datasetVisibilitySchema.default("unlisted"),
      samplesPerVersion: numeric(samplesPerVersion).meta({ example: 200 }),
      anchor: numeric(anchor.unwrap()).default(50),
      keepVersions: numeric(keepVersions.unwrap()).default(30),
      mapping: uploadedMapping,
    }),
    body: { required: true, content: { "application/jsonl": { schema: uploadedRows } } },
  },
  responses: {
    201: jsonReply("The new version, with counts of its rows in `stream`", datasetSchema),
    ...uploadProblems,
  },
});

export const uploadRoutes = apiRouter();

uploadRoutes.openAPIRegistry.registerPath(create);
uploadRoutes.post(create.path, requireScope("submit"), async (c) => {
  const upload = await readUpload(c, create.request.query);
  if (!upload.ok) return upload.error;
  const { query, suite, mapping, file } = upload.value;
  const { name, visibility, license, source, allowPartial, corrects, correction, clusters } = query;
  if ((corrects === undefined) !== (correction === undefined)) {
    const detail = "`corrects` names the version and `correction` says why: give both or neither";
    const parameter = corrects === undefined ? "corrects" : "correction";
    return problem(c, "invalid-request", detail, { errors: [{ parameter, detail }] });
  }
  if (query.dryRun === "true") return c.json(checkDataset({ suite, file }), 200);
  const registered = await registerDataset(c.var.platform, {
    suite,
    name,
    visibility,
    license,
    source,
    clusters,
    mapping,
    ...(corrects !== undefined &&
      correction !== undefined && {
        corrects: { version: corrects, reason: correction },
      }),
    owner: c.var.account?.owner ?? "",
    anyOwner: c.var.account?.scopes.includes("admin") ?? false,
    file,
    allowPartial: allowPartial === "true",
  });
  if (registered.ok) return c.json(datasetView(registered.value), 201);
  return refused(c, name, registered.error);
});

uploadRoutes.openAPIRegistry.registerPath(add);
uploadRoutes.post(add.path, requireScope("submit"), async (c) => {
  const upload = await readUpload(c, add.request.query);
  if (!upload.ok) return upload.error;
  const { query, suite, mapping: kept, file } = upload.value;
  const { suite: _, mapping: __, name, visibility, ...draw } = query;
  const { owner, scopes } = callerOf(c);
  const added = await addStreamVersion(c.var.platform, {
    suite,
    name,
    visibility,
    owner,
    anyOwner: scopes.includes("admin"),
    draw,
    mapping: null,
    kept,
    file,
    source: null,
  });
  if (added.ok) return c.json(datasetView(added.value), 201);
  const { error } = added;
  if (error.kind === "nothing-new") {
    return problem(c, "conflict", `no version was added: ${error.detail}`);
  }
  if (error.kind === "unusable") {
    return problem(c, "malformed-samples", `no version was added: ${error.detail}`);
  }
  return refused(c, name, error);
});

/** Content types whose body is the JSONL itself. */
const jsonlTypes = new Set([
  "",
  "application/jsonl",
  "application/x-ndjson",
  "application/x-jsonlines",
  "application/json",
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
]);

interface Upload<Query> {
  query: Query;
  suite: Suite;
  mapping: RowMapping | undefined;
  /** JSONL in UTF-8. */
  file: Uint8Array;
}

/** The query, suite, mapping and rows of an upload; an error is the response. */
async function readUpload<Query extends { suite: string; mapping?: string | undefined }>(
  c: AppContext,
  schema: z.ZodType<Query>,
): Promise<Result<Upload<Query>, Response>> {
  const refuse = (detail: string, errors: FieldError[]) =>
    err(problem(c, "invalid-request", detail, { errors }));
  const query = schema.safeParse(c.req.query());
  if (!query.success) {
    const errors = parameterErrors(query.error.issues, c.req.query());
    return refuse("nothing was stored: the query is invalid", errors);
  }
  const { platform } = c.var;
  const suite = platform.suites.byId(query.data.suite);
  if (!suite) {
    const detail = noSuite(platform, query.data.suite);
    return refuse(detail, [{ parameter: "suite", detail }]);
  }
  const { mapping: text } = query.data;
  const mapping = text === undefined ? ok(undefined) : readMapping(text);
  if (!mapping.ok) {
    const errors = [{ parameter: "mapping", detail: mapping.error }];
    return refuse("nothing was stored: the mapping is invalid", errors);
  }
  const file = await uploadedFile(c);
  if (file === null) {
    const detail = "send JSONL as application/jsonl, or a form with the file in `file`";
    return err(problem(c, "unsupported-media-type", detail));
  }
  return ok({ query: query.data, suite, mapping: mapping.value, file });
}

function refused(c: AppContext, name: string, refusal: DatasetRefusal) {
  if (refusal.kind === "name") {
    const errors = [{ parameter: "name", detail: refusal.detail }];
    return problem(c, "invalid-request", "nothing was stored: take another name", { errors });
  }
  if (refusal.kind === "clusters") {
    const errors = [{ parameter: "clusters", detail: refusal.detail }];
    return problem(c, "invalid-request", "nothing was stored: clusters fits no tag", { errors });
  }
  if (refusal.kind === "limit" || refusal.kind === "overtaken") {
    return problem(c, "conflict", `nothing was stored: ${refusal.detail}`);
  }
  if (refusal.kind === "busy") {
    const detail = "unused rows of this version are being deleted: try again in a minute";
    return problem(c, "request-in-progress", detail);
  }
  if (refusal.kind === "visibility") {
    const detail = `this version of "${name}" is already ${refusal.visibility}: leave visibility out, name the dataset instead of its file (a run on it may be less visible), or change it first (assay dataset visibility)`;
    return problem(c, "conflict", detail);
  }
  if (refusal.kind === "correction") {
    return problem(c, "conflict", `nothing was stored: ${refusal.detail}`, {
      errors: rowErrors(refusal.rows),
    });
  }
  const errors = rowErrors(refusal.rows);
  const detail =
    refusal.count === 0
      ? "the file has no rows; send one JSON object per line"
      : `nothing was stored: ${counted(refusal.count, "invalid row")}; correct them or add allowPartial=true`;
  return problem(c, "malformed-samples", detail, { errors });
}

const rowErrors = (rows: readonly RowNote[]): FieldError[] =>
  rows.map(({ line, id, reason }) => ({
    line,
    detail: id === null ? reason : `${id}: ${reason}`,
  }));

/** The uploaded text; null for other content types. */
async function uploadedFile(c: AppContext): Promise<Uint8Array | null> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") {
    const file = (await c.req.parseBody().catch(() => ({}) as Record<string, never>))["file"];
    if (typeof file === "string") return new TextEncoder().encode(file);
    return file instanceof File ? new Uint8Array(await file.arrayBuffer()) : null;
  }
  return jsonlTypes.has(type) ? new Uint8Array(await c.req.arrayBuffer()) : null;
}
