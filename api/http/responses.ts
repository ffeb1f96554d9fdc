import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import {
  type FieldError,
  type Problem,
  type ProblemType,
  problemSchema,
  problemTypes,
} from "#shared/contracts/problem.ts";
import type { Platform } from "../platform/platform.ts";

/** The service's public origin: as configured, else the one of this request. */
export function originOf(c: Context): string {
  // Not set if the request was refused early.
  const platform = c.get("platform") as Pick<Platform, "settings"> | undefined;
  return platform?.settings.publicOrigin ?? new URL(c.req.url).origin;
}

/** The path of a request, truncated for use in error messages. */
export const pathOf = (c: Context): string => cutText(new URL(c.req.url).pathname, bounds.message);

/** Responds with an RFC 9457 problem; `type` resolves to a page of the site. */
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
    instance: pathOf(c),
    retryable,
    ...(requestId === undefined ? {} : { requestId }),
    ...more,
  };
  return c.json(body, status as never, { "content-type": "application/problem+json" }) as never;
}

/** Problems of routes that require a key and a JSON body. */
export const bodyProblems = [
  "invalid-request",
  "malformed-json",
  "unauthorized",
  "forbidden",
  "unsupported-media-type",
] as const;

/** Problems of routes that create something once and charge a quota. */
export const chargeProblems = [
  "idempotency-key-reused",
  "request-in-progress",
  "quota-exceeded",
  "database-full",
] as const;

const content = { "application/problem+json": { schema: problemSchema } };

export function problemResponses(...types: ProblemType[]) {
  const byStatus = Map.groupBy(types, (type) => problemTypes[type].status);
  const entries = [...byStatus].map(([status, its]) => {
    const description = its.map((type) => problemTypes[type].title).join(", or: ");
    return [status, { description, content }] as const;
  });
  return Object.fromEntries(entries) as Record<number, (typeof entries)[number][1]>;
}

export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({
  "application/json": { schema },
});

export const jsonReply = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: jsonContent(schema),
});

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: jsonContent(schema),
});

export const optionalJsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  content: jsonContent(schema),
});
