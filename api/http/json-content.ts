import type { z } from "@hono/zod-openapi";

/** JSON content of a schema, for OpenAPI. */
export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({
  "application/json": { schema },
});

/** A JSON response, for OpenAPI. */
export const jsonReply = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: jsonContent(schema),
});

/** A required JSON body, for OpenAPI. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: jsonContent(schema),
});

/** An optional JSON body, for OpenAPI. */
export const optionalJsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  content: jsonContent(schema),
});
