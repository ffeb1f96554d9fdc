import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { problemTypes } from "#shared/contracts/problem.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { AppEnv } from "./router.ts";

type SchemaObject = NonNullable<
  NonNullable<ReturnType<typeof describeRoutes>["components"]>["schemas"]
>[string];

const description = `Submit language models for evaluation and read the results.

All bodies are JSON in camelCase; rows of datasets keep their own names. Errors are
\`application/problem+json\` (RFC 9457) with a JSON pointer to each field.

Every route may answer 429 (\`too-many-requests\`) and 503 (\`unavailable\`): wait as many seconds as
\`retry-after\` says. Reads carry an \`etag\`; sent back as \`if-none-match\` it gets 304 while nothing has changed.

Bodies have at most 25 MiB and 64 levels of nesting. Pages of other origins may read public
results, and can write only with an API key.`;

/** The OpenAPI 3.1 document of the service, with a schema of the breakdown for each suite. */
export function describeApi(app: OpenAPIHono<AppEnv>, suites: readonly Suite[]) {
  const document = describeRoutes(app);
  for (const item of Object.values(document.paths ?? {})) describeLater(item);
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
      { name: "Accounts", description: "Sign-in, sessions and keys of one's own" },
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

/** The operations of an OpenAPI path item. */
type PathItem = Partial<Record<(typeof methods)[number], { responses?: unknown }>>;

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Problems that every route may answer; the client should retry after the given time. */
const laterTypes = ["too-many-requests", "unavailable"] as const;

/** Adds the common responses to every route, merged with the route's own of the same status. */
function describeLater(item: PathItem): void {
  for (const method of methods) {
    const responses = item[method]?.responses as Record<string, Response> | undefined;
    if (responses === undefined) continue;
    for (const { status, title } of laterTypes.map((type) => problemTypes[type])) {
      const own = responses[status]?.description;
      responses[status] = {
        description: [title, ...(own === undefined ? [] : [own])].join(", or: "),
        headers: {
          "retry-after": { description: "seconds to wait", schema: { type: "string" } },
        },
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      };
    }
  }
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
