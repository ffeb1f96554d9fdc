import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { type ProblemType, problemTypes } from "#shared/contracts/problem.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { routeOf } from "./record-actions.ts";
import { problem } from "./responses.ts";
import type { AppEnv } from "./router.ts";

type SchemaObject = NonNullable<
  NonNullable<ReturnType<typeof describeRoutes>["components"]>["schemas"]
>[string];

const description = `Submit language models for evaluation and read the results.

All bodies are JSON in camelCase; rows of datasets keep their own names. Errors are
\`application/problem+json\` (RFC 9457) with a JSON pointer to each field.

Every route may answer 429 (\`too-many-requests\`) and 503 (\`unavailable\`): wait as many seconds as
\`retry-after\` says. Reads carry an \`etag\`; sent back as \`if-none-match\` it gets 304 while nothing has changed.

Bodies are UTF-8, and have at most 25 MiB and 64 levels of nesting. A query parameter that a route does not have, or that
is given twice, is an error. A path with another method gets 405 with \`allow\`. Pages of other origins may read public
results, and can write only with an API key.`;

/** The OpenAPI 3.1 document of the service, with a schema of the breakdown for each suite. */
export function describeApi(app: OpenAPIHono<AppEnv>, suites: readonly Suite[]) {
  const document = describeRoutes(app);
  for (const [path, item] of Object.entries(document.paths ?? {})) describeCommon(path, item);
  allowNull(document);
  const schemas = document.components?.schemas;
  const run = schemas?.["Run"];
  if (schemas === undefined || run === undefined || !("properties" in run)) return document;
  const described = suites.filter(({ breakdownSchema }) => breakdownSchema !== undefined);
  for (const { id, label, breakdownSchema } of described) {
    const { $schema: _, ...schema } = breakdownJsonSchema(breakdownSchema!);
    const description = `The breakdown of a run of the suite \`${id}\` (${label})`;
    schemas[breakdownName(id)] = { ...schema, description } as SchemaObject;
  }
  const refs = described.map(({ id }) => ({ $ref: `#/components/schemas/${breakdownName(id)}` }));
  run.properties!["breakdown"] = {
    ...run.properties!["breakdown"],
    anyOf: [...refs, { type: "null" }],
  } as SchemaObject;
  // Zod describes an unknown value as optional, but the field is always present.
  run.required = [...(run.required ?? []), "breakdown"];
  return document;
}

/** Makes a shared schema nullable: the generator describes it as both the schema and null, which no value is. */
function allowNull(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const { allOf } = node as { allOf?: { type?: unknown }[] };
  if (allOf?.[1] !== undefined && Array.isArray(allOf[1].type)) {
    const { type: _, ...described } = allOf[1];
    Object.assign(node, { anyOf: [allOf[0], { type: "null" }], ...described });
    delete (node as { allOf?: unknown }).allOf;
  }
  for (const inner of Object.values(node)) allowNull(inner);
}

const breakdownJsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: "output", override: stateRecordKeys });

const breakdownName = (suiteId: string) => `Breakdown-${suiteId}`;

function describeRoutes(app: OpenAPIHono<AppEnv>) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: "1",
      description,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "Submissions", description: "Start evaluations" },
      { name: "Runs", description: "One model on one dataset" },
      { name: "Shares", description: "Links that open private runs, boards and parities" },
      { name: "Ratings", description: "People's ratings of answers" },
      { name: "Results", description: "Boards and the published snapshot" },
      { name: "Datasets", description: "What models are evaluated on" },
      { name: "Suites", description: "What is measured" },
      { name: "Accounts", description: "Sign-in, sessions and your own keys" },
      { name: "Organisations", description: "Accounts of several people" },
      { name: "Keys", description: "API keys" },
      { name: "Webhooks", description: "Notifications of events" },
      { name: "Badges", description: "Embeddable scores" },
    ],
  });
}

interface Response {
  description?: string;
  headers?: object;
  content?: object;
}

interface Operation {
  responses?: unknown;
  requestBody?: unknown;
  security?: object[];
}

type PathItem = Partial<Record<(typeof methods)[number], Operation>>;

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Problems that every route may answer; the client should retry after the given time. */
const laterTypes = ["too-many-requests", "unavailable"] as const;

const content = {
  "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
};

/** Adds the common responses to every route, merged with the route's own of the same status. */
function describeCommon(path: string, item: PathItem): void {
  for (const method of methods) {
    const operation = item[method];
    const responses = operation?.responses as Record<string, Response> | undefined;
    if (operation === undefined || responses === undefined) continue;
    for (const type of commonTypes(path, method, operation)) {
      const { status, title } = problemTypes[type];
      responses[status] ??= { description: title, content };
    }
    for (const { status, title } of laterTypes.map((type) => problemTypes[type])) {
      const own = responses[status]?.description;
      responses[status] = {
        description: [title, ...(own === undefined || own === title ? [] : [own])].join(", or: "),
        headers: {
          "retry-after": { description: "seconds to wait", schema: { type: "string" } },
        },
        content,
      };
    }
  }
}

/** Problem types of the checks before a route is reached. */
function commonTypes(
  path: string,
  method: string,
  { requestBody, security = [] }: Operation,
): ProblemType[] {
  const takesKeys = security.some((one) => "apiKey" in one);
  return [
    ...(path.startsWith("/v1/") ? (["invalid-request"] as const) : []),
    ...(takesKeys ? (["unauthorized"] as const) : []),
    ...(method === "get" || security.length === 0
      ? []
      : (["body-too-large", "malformed-json"] as const)),
    ...(requestBody === undefined ? [] : (["unsupported-media-type"] as const)),
  ];
}

/**
 * Lists the fixed keys of a record as properties. Zod describes them only as `required` and a name pattern, from which
 * type generators derive a record with arbitrary keys.
 */
const stateRecordKeys: NonNullable<z.core.ToJSONSchemaParams["override"]> = ({ jsonSchema }) => {
  const { required, propertyNames, additionalProperties } = jsonSchema;
  if (required === undefined || propertyNames === undefined) return;
  if (typeof additionalProperties !== "object") return;
  jsonSchema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
};

/** Query parameters of every route: the audit log reads them. */
const ofAll = ["reason"];

/**
 * Refuses unknown and duplicate query parameters: with a misspelt `dryRun`, a request would really do what it should
 * only try.
 */
export function refuseUnknownParameters(app: OpenAPIHono<AppEnv>): MiddlewareHandler<AppEnv> {
  let names: Map<string, string[]> | null = null;
  return async (c, next) => {
    names ??= parametersByRoute(app);
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const known = names.get(`${method} ${routeOf(c).replaceAll(/\{[^}]+\}/g, "")}`);
    const times = (name: string) => c.req.queries(name)?.length ?? 0;
    const odd = Object.keys(c.req.query()).find(
      (name) => !known?.includes(name) || times(name) > 1,
    );
    if (known === undefined || odd === undefined) return next();
    const parameter = cutText(odd, bounds.name);
    const detail = known.includes(odd)
      ? `"${odd}" is given ${times(odd)} times: give it once`
      : `there is no parameter "${parameter}" here${suggestion(parameter, known)}`;
    const errors = [{ parameter, detail }];
    return problem(c, "invalid-request", "nothing was done: the query is invalid", { errors });
  };
}

/** Parameters of each documented route, such as `GET /v1/runs/:id`. */
function parametersByRoute({ openAPIRegistry }: OpenAPIHono<AppEnv>): Map<string, string[]> {
  const routes = openAPIRegistry.definitions.flatMap((one) => ("route" in one ? one.route : []));
  return new Map(
    routes.map(({ method, path, request }) => {
      const { shape = {} } = (request?.query ?? {}) as { shape?: object };
      const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
      return [`${method.toUpperCase()} ${route}`, [...Object.keys(shape), ...ofAll]];
    }),
  );
}
