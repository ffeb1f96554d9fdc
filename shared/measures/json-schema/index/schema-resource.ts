import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { TolerantSchema } from "./tolerant-schema.ts";

/** A schema with an address of its own: a document, or a part of one with `$id`. */
export interface SchemaResource {
  address: string;
  document: TolerantSchema;
  root: JsonObject | boolean;
  /** The same, as it was written: JSON pointers lead through this. */
  original: JsonObject | boolean;
  anchors: Map<string, JsonObject>;
  dynamicAnchors: Map<string, JsonObject>;
  /** What the references in it lead to, as far as they were resolved. */
  targets: Map<string, RefTarget | undefined | null>;
}

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
): SchemaResource {
  return {
    address,
    document,
    root,
    original: original as JsonObject | boolean,
    anchors: new Map(),
    dynamicAnchors: new Map(),
    targets: new Map(),
  };
}
