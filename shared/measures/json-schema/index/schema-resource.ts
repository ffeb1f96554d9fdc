import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { TolerantSchema } from "./tolerant-schema.ts";

/** A schema with an address of its own: a document, or a part of one with `$id`. */
export type SchemaResource = ReturnType<typeof schemaResource>;

/** What a reference leads to. */
export interface RefTarget {
  schema: JsonObject | boolean;
  resource: SchemaResource;
}

/**
 * A resource in which nothing was found yet.
 * @example schemaResource("urn:a", document, document.schema, document.original).anchors.size // 0
 */
export function schemaResource(
  address: string,
  document: TolerantSchema,
  root: JsonObject | boolean,
  original: Json,
) {
  return {
    address,
    document,
    root,
    /** The same, as it was written: JSON pointers lead through this. */
    original: original as JsonObject | boolean,
    anchors: new Map<string, JsonObject>(),
    dynamicAnchors: new Map<string, JsonObject>(),
    /** What the references in it lead to, as far as they were resolved. */
    targets: new Map<string, RefTarget | undefined | null>(),
  };
}
