import { problemTypes } from "#shared/contracts/problem.ts";

interface Response {
  description?: string;
}

/** The parts of an OpenAPI path item that state answers. */
type PathItem = Partial<Record<(typeof methods)[number], { responses?: unknown }>>;

const methods = ["get", "post", "put", "patch", "delete"] as const;

const tooMany = {
  description: problemTypes["too-many-requests"].title,
  headers: {
    "retry-after": { description: "seconds to wait", schema: { type: "string" } },
  },
  content: {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
};

/** States the answer that every route may give; a 429 of the route's own stands beside it. */
export function describeRateLimit(item: PathItem): void {
  for (const method of methods) {
    const responses = item[method]?.responses as Record<string, Response> | undefined;
    if (responses === undefined) continue;
    const own = responses["429"]?.description;
    const description = [tooMany.description, ...(own === undefined ? [] : [own])].join(", or: ");
    responses["429"] = { ...tooMany, description };
  }
}
