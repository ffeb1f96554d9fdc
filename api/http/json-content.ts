import type { z } from "@hono/zod-openapi";

/** JSON of a schema, as the description of a route states it. */
export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({
  "application/json": { schema },
});

/** The description of a reply with JSON. */
export const jsonReply = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: jsonContent(schema),
});

/** The description of a body that a request needs. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: jsonContent(schema),
});

/** The description of a body that may be left out. */
export const optionalJsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  content: jsonContent(schema),
});
