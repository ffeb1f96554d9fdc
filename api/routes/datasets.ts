import { createRoute, z } from "@hono/zod-openapi";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import { correctionReasonSchema, correctsSchema } from "#shared/contracts/correction.ts";
import {
  datasetNameSchema,
  datasetSchema,
  datasetVisibilitySchema,
  licenseSchema,
  type RowNote,
  sourceSchema,
} from "#shared/contracts/dataset.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { datasetView, listedDataset } from "../pipeline/runs/run-view.ts";
import { type DatasetRefusal, registerDataset } from "../pipeline/submissions/register-dataset.ts";
import { type AppContext, apiRouter, openToAll, parameterErrors, wantsApiKey } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";
import { requireScope } from "./require-scope.ts";

const list = createRoute({
  method: "get",
  path: "/v1/datasets",
  operationId: "listDatasets",
  security: openToAll,
  tags: ["Datasets"],
  summary: "Public and private datasets, newest version first",
  description:
    "Of a private dataset, how many samples it has and no more: notes on rows are left out here.",
  request: { query: z.object({ suite: nameSchema.optional() }) },
  responses: {
    200: {
      description: "Datasets",
      content: { "application/json": { schema: z.object({ datasets: z.array(datasetSchema) }) } },
    },
  },
});

const upload = z.string().max(bounds.bodyBytes).meta({
  description: "one sample a line, as the suite's page describes it",
  example: '{"id":"a","text":"…","schema":{"type":"object"},"expected_output":{}}',
});

const create = createRoute({
  method: "post",
  path: "/v1/datasets",
  operationId: "createDataset",
  tags: ["Datasets"],
  summary: "Add a dataset version from JSONL",
  description:
    "The body is JSONL, or multipart with the file in the field `file`. Malformed rows are reported with line and reason; the others are kept only with `allowPartial=true`. The same content under the same name is the same version, so that an upload can be sent again at any time; it needs no `idempotency-key`, and one is ignored. With `corrects` it puts gold answers right: the same samples in the same order, about which a model is asked the same. Boards of the version that it corrects are then re-published: their stored answers are scored anew, and no model is asked (GET /v1/republications).",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      name: datasetNameSchema,
      visibility: datasetVisibilitySchema.default("public"),
      license: licenseSchema.optional(),
      source: sourceSchema.optional(),
      corrects: correctsSchema.optional(),
      correction: correctionReasonSchema.optional(),
      allowPartial: z.enum(["true", "false"]).default("false"),
    }),
    body: {
      required: true,
      content: {
        "application/jsonl": { schema: upload },
        "multipart/form-data": { schema: z.object({ file: upload }) },
      },
    },
  },
  responses: {
    201: {
      description: "Stored, or already there",
      content: { "application/json": { schema: datasetSchema } },
    },
    ...problemResponses(
      "malformed-samples",
      "unsupported-media-type",
      "unauthorized",
      "forbidden",
      "conflict",
      "body-too-large",
    ),
  },
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

/** Listing and adding datasets. */
export const datasetRoutes = apiRouter();

datasetRoutes.openapi(list, async (c) => {
  const datasets = await c.var.ports.datasets.list(c.req.valid("query").suite ?? null);
  return c.json({ datasets: datasets.map(listedDataset) }, 200);
});

datasetRoutes.openAPIRegistry.registerPath(create);
datasetRoutes.post(create.path, requireScope("submit"), async (c) => {
  const query = create.request.query.safeParse(c.req.query());
  if (!query.success) {
    const errors = parameterErrors(query.error.issues, c.req.query());
    return problem(c, "invalid-request", "nothing was stored: the query needs a change", {
      errors,
    });
  }
  const { suites } = c.var.ports;
  const suite = suites.byId(query.data.suite);
  if (!suite) {
    const detail = `there is no suite "${query.data.suite}"; try ${suites.all.map((known) => known.id).join(", ")}`;
    return problem(c, "invalid-request", detail, { errors: [{ parameter: "suite", detail }] });
  }
  const file = await uploadedFile(c);
  if (file === null) {
    const detail = "send JSONL as application/jsonl, or a form with the file in `file`";
    return problem(c, "unsupported-media-type", detail);
  }
  const { name, visibility, license, source, allowPartial, corrects, correction } = query.data;
  if ((corrects === undefined) !== (correction === undefined)) {
    const detail = "`corrects` names the version and `correction` says why: give both or neither";
    const parameter = corrects === undefined ? "corrects" : "correction";
    return problem(c, "invalid-request", detail, { errors: [{ parameter, detail }] });
  }
  const registered = await registerDataset(c.var.ports, {
    suite,
    name,
    visibility,
    license,
    source,
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

function refused(c: AppContext, name: string, refusal: DatasetRefusal) {
  if (refusal.kind === "foreign") {
    return problem(c, "forbidden", `"${name}" belongs to another account; take another name`);
  }
  if (refusal.kind === "visibility") {
    const detail = `this version of "${name}" is ${refusal.visibility} already; a version is never changed`;
    return problem(c, "conflict", detail);
  }
  if (refusal.kind === "correction") {
    return problem(c, "conflict", `nothing was stored: ${refusal.detail}`, {
      errors: rowErrors(refusal.rows),
    });
  }
  const errors = rowErrors(refusal.rows);
  const detail =
    errors.length === 0
      ? "the file has no rows; send one JSON object a line"
      : `nothing was stored: ${errors.length} row(s) can't be used; mend them or add allowPartial=true`;
  return problem(c, "malformed-samples", detail, { errors });
}

const rowErrors = (rows: readonly RowNote[]): FieldError[] =>
  rows.map(({ line, id, reason }) => ({
    line,
    detail: id === null ? reason : `${id}: ${reason}`,
  }));

/** The uploaded text; null for a content type that holds none. */
async function uploadedFile(c: AppContext): Promise<Uint8Array | null> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") {
    const file = (await c.req.parseBody().catch(() => ({}) as Record<string, never>))["file"];
    if (typeof file === "string") return new TextEncoder().encode(file);
    return file instanceof File ? new Uint8Array(await file.arrayBuffer()) : null;
  }
  return jsonlTypes.has(type) ? new Uint8Array(await c.req.arrayBuffer()) : null;
}
