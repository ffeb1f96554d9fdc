import { z } from "zod";

/** One error in a request: where (RFC 6901 pointer into the body, or parameter) and why. */
const fieldErrorSchema = z
  .object({
    pointer: z.string().optional().meta({ description: "JSON pointer into the request body" }),
    parameter: z
      .string()
      .optional()
      .meta({ description: "name of the path, query or header parameter" }),
    line: z.int().positive().optional().meta({ description: "line of an uploaded file, from 1" }),
    detail: z.string(),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** An error response (RFC 9457, `application/problem+json`). */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: "address of a page that explains this kind of error" }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "what is wrong and what to do" }),
    instance: z.string().optional(),
    requestId: z.string().optional(),
    retryable: z.boolean(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;

/** Every type of error that the API returns: status, title, and whether the same call may succeed later. */
export const problemTypes = {
  "invalid-request": { status: 422, title: "The request is not valid", retryable: false },
  "malformed-json": { status: 400, title: "The body is not JSON", retryable: false },
  "malformed-samples": { status: 422, title: "The dataset has invalid rows", retryable: false },
  "unsupported-media-type": { status: 415, title: "Content type not accepted", retryable: false },
  "body-too-large": { status: 413, title: "The body is too large", retryable: false },
  unauthorized: { status: 401, title: "An API key is needed", retryable: false },
  forbidden: { status: 403, title: "Not allowed", retryable: false },
  "not-found": { status: 404, title: "Not found", retryable: false },
  "method-not-allowed": { status: 405, title: "Method not allowed", retryable: false },
  gone: { status: 410, title: "No longer stored", retryable: false },
  conflict: { status: 409, title: "Not possible in this state", retryable: false },
  "idempotency-key-reused": {
    status: 422,
    title: "This Idempotency-Key belongs to another request",
    retryable: false,
  },
  "request-in-progress": {
    status: 409,
    title: "The same request is still in progress",
    retryable: true,
  },
  "too-many-requests": { status: 429, title: "Too many requests", retryable: true },
  "quota-exceeded": { status: 429, title: "The daily sample quota is used up", retryable: true },
  "not-comparable": {
    status: 422,
    title: "These runs cannot be compared",
    retryable: false,
  },
  "not-ready": { status: 409, title: "Not ready yet", retryable: true },
  unavailable: { status: 503, title: "Storage can't be reached", retryable: true },
  "database-full": { status: 507, title: "The database is full", retryable: true },
  "internal-error": { status: 500, title: "Internal error", retryable: true },
} as const;
export type ProblemType = keyof typeof problemTypes;
