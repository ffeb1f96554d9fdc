import type { Context } from "hono";
import {
  type FieldError,
  type Problem,
  type ProblemType,
  problemSchema,
  problemTypes,
} from "#shared/contracts/problem.ts";
import type { Platform } from "../platform/platform.ts";

/** Where readers reach the service: as the deployment says, else where this request was sent. */
export function originOf(c: Context): string {
  // A request that is refused early has none yet.
  const platform = c.get("platform") as Pick<Platform, "settings"> | undefined;
  return platform?.settings.publicOrigin ?? new URL(c.req.url).origin;
}

/** Answers with an RFC 9457 problem; `type` resolves to a page of the site. */
export function problem(
  c: Context,
  type: ProblemType,
  detail: string,
  more: { errors?: FieldError[] } = {},
) {
  const { status, title, retryable } = problemTypes[type];
  const requestId = c.get("requestId") as string | undefined;
  const body: Problem = {
    type: `${originOf(c)}/errors/${type}/`,
    title,
    status,
    detail,
    instance: new URL(c.req.url).pathname,
    retryable,
    ...(requestId === undefined ? {} : { requestId }),
    ...more,
  };
  return c.json(body, status as never, { "content-type": "application/problem+json" }) as never;
}

/** Problems of a route that wants a key and a JSON body. */
export const bodyProblems = [
  "invalid-request",
  "malformed-json",
  "unauthorized",
  "forbidden",
  "unsupported-media-type",
] as const;

/** Problems of a route that creates something once, and charges it to a quota. */
export const chargeProblems = [
  "idempotency-key-reused",
  "request-in-progress",
  "quota-exceeded",
  "database-full",
] as const;

const content = { "application/problem+json": { schema: problemSchema } };

/** The problem responses of a route, for its OpenAPI description. */
export function problemResponses(...types: ProblemType[]) {
  const byStatus = Map.groupBy(types, (type) => problemTypes[type].status);
  const entries = [...byStatus].map(([status, its]) => {
    const description = its.map((type) => problemTypes[type].title).join(", or: ");
    return [status, { description, content }] as const;
  });
  return Object.fromEntries(entries) as Record<number, (typeof entries)[number][1]>;
}
