import type { z } from "@hono/zod-openapi";

/**
 * Lets a record with fixed keys list them as properties. Zod names them only as required and as a
 * pattern of names, of which a generator of types makes a record with any key.
 */
export const stateRecordKeys: NonNullable<z.core.ToJSONSchemaParams["override"]> = ({
  jsonSchema,
}) => {
  const { required, propertyNames, additionalProperties } = jsonSchema;
  if (required === undefined || propertyNames === undefined) return;
  if (typeof additionalProperties !== "object") return;
  jsonSchema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
};
