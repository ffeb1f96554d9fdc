import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { TolerantSchema } from "./tolerant-schema.ts";

/** A schema with its own address: a document, or a part of one with `$id`. */
export type SchemaResource = ReturnType<typeof schemaResource>;

/** The target of a reference. */
export interface RefTarget {
  schema: JsonObject | boolean;
  resource: SchemaResource;
}

/**
 * A resource without anchors and references yet.
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
    /** The schema as written: JSON pointers are resolved in it. */
    original: original as JsonObject | boolean,
    anchors: new Map<string, JsonObject>(),
    dynamicAnchors: new Map<string, JsonObject>(),
    /** Targets of the references resolved so far. */
    targets: new Map<string, RefTarget | undefined | null>(),
  };
}
