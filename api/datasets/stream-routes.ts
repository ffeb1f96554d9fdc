import { createRoute, z } from "@hono/zod-openapi";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import {
  datasetNameSchema,
  datasetSchema,
  datasetVisibilitySchema,
} from "#shared/contracts/datasets/dataset.ts";
import { longestMapping, readMapping } from "#shared/contracts/datasets/row-mapping.ts";
import { drawSchema } from "#shared/contracts/datasets/version-draw.ts";
import { jsonReply } from "../http/json-content.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { apiRouter, parameterErrors, wantsApiKey } from "../http/router.ts";
import { datasetView } from "../runs/view.ts";
import { refused, uploadedFile } from "./routes.ts";
import { addStreamVersion } from "./stream.ts";

const { samplesPerVersion, anchor, keepVersions } = drawSchema.shape;
/** A number of a query. */
const numeric = (schema: z.ZodType<number, number>) => z.coerce.number().pipe(schema);

const rows = z.string().max(bounds.bodyBytes).meta({
  description: "one row a line, as the suite's page describes samples",
  example: '{"id":"a","text":"…","schema":{"type":"object"},"expected_output":{}}',
});

const add = createRoute({
  method: "post",
  path: "/v1/dataset-stream",
  operationId: "addStreamVersion",
  tags: ["Datasets"],
  summary: "Draw a new version of a dataset from rows of production",
  description:
    "The body is JSON Lines, such as yesterday's requests. Rows that the file before had are left out, by `id` or, without one, by content; of the others, `samplesPerVersion` are drawn by dataset and date, and stored with the anchor as a new version. Rows that don't fit the suite are noted. Fails with `conflict` if nothing is new. A schedule with `stream` does this with a file at an address; a schedule without evaluates the newest version.",
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
      mapping: z.string().max(longestMapping).optional().meta({
        description:
          "how other rows became these, as JSON of a `RowMapping`; kept with the version",
      }),
    }),
    body: { required: true, content: { "application/jsonl": { schema: rows } } },
  },
  responses: {
    201: jsonReply("The new version, with counts of its rows in `stream`", datasetSchema),
    ...problemResponses(
      "invalid-request",
      "malformed-samples",
      "unsupported-media-type",
      "unauthorized",
      "forbidden",
      "conflict",
      "request-in-progress",
      "body-too-large",
    ),
  },
});

/** Adds versions of datasets that are streams. */
export const streamRoutes = apiRouter();

streamRoutes.openAPIRegistry.registerPath(add);
streamRoutes.post(add.path, requireScope("submit"), async (c) => {
  const { platform } = c.var;
  const query = add.request.query.safeParse(c.req.query());
  if (!query.success) {
    const errors = parameterErrors(query.error.issues, c.req.query());
    return problem(c, "invalid-request", "nothing was stored: the query is invalid", { errors });
  }
  const { suite: id, name, visibility, mapping: text, ...draw } = query.data;
  const suite = platform.suites.byId(id);
  if (!suite) {
    const detail = `there is no suite "${id}"; try ${platform.suites.all.map((known) => known.id).join(", ")}`;
    return problem(c, "invalid-request", detail, { errors: [{ parameter: "suite", detail }] });
  }
  const mapping = text === undefined ? null : readMapping(text);
  if (mapping?.ok === false) {
    const errors = [{ parameter: "mapping", detail: mapping.error }];
    return problem(c, "invalid-request", "nothing was stored: the mapping is invalid", { errors });
  }
  const file = await uploadedFile(c);
  if (file === null) {
    return problem(c, "unsupported-media-type", "send JSON Lines as application/jsonl");
  }
  const { owner, scopes } = callerOf(c);
  const added = await addStreamVersion(platform, {
    suite,
    name,
    visibility,
    owner,
    anyOwner: scopes.includes("admin"),
    draw,
    mapping: null,
    kept: mapping?.value,
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
