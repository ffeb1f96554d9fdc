import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { pointerSteps, schemaAddress, unnamedBase } from "./schema-address.ts";
import { draftOf } from "./schema-keywords.ts";
import { eachPart } from "./schema-parts.ts";
import { type RefTarget, type SchemaResource, schemaResource } from "./schema-resource.ts";
import { TolerantSchema } from "./tolerant-schema.ts";

/** Schemas by address that a `$ref` may name in addition to the sample's own. */
export type KnownSchemas = ReadonlyMap<string, JsonObject | boolean>;

/**
 * The parts of a schema by address. Nothing is fetched: an address that is neither in the schema nor among the known
 * schemas is unknown. Linear to build.
 * Source: JSON Schema 2020-12 core, sections 8.2 and 9.1; draft-07 core, section 8.
 */
export class SchemaIndex {
  readonly root: SchemaResource;
  /** The parts with references; resolving one may add parts. */
  readonly referring: JsonObject[] = [];
  /** Whether validation has to track the resources that it enters. */
  dynamic = false;
  readonly #known: KnownSchemas;
  readonly #resources = new Map<string, SchemaResource>();
  readonly #resourceOf = new Map<JsonObject, SchemaResource>();

  constructor(document: TolerantSchema, known: KnownSchemas) {
    this.#known = known;
    this.root = this.#addDocument(unnamedBase, document);
  }

  /** Number of indexed parts. */
  get size(): number {
    return this.#resourceOf.size;
  }

  /** The resource of a part of an indexed schema. */
  resourceOf(schema: JsonObject): SchemaResource {
    return this.#resourceOf.get(schema) ?? this.root;
  }

  /**
   * The target of `reference` in `schema`: undefined if the document has no such position, null if the document is
   * unknown.
   */
  resolve(reference: string, schema: JsonObject): RefTarget | undefined | null {
    const from = this.resourceOf(schema);
    if (!from.targets.has(reference)) from.targets.set(reference, this.#find(reference, from));
    return from.targets.get(reference);
  }

  #find(reference: string, from: SchemaResource): RefTarget | undefined | null {
    const address = schemaAddress(reference, from.address);
    if (address === null) return undefined;
    const resource = reference.startsWith("#") ? from : this.#resource(address.resource, from);
    return resource === undefined ? null : this.#place(resource, address.fragment);
  }

  #resource(address: string, from: SchemaResource): SchemaResource | undefined {
    const found = this.#resources.get(address);
    const schema = this.#known.get(address);
    if (found !== undefined || schema === undefined) return found;
    const { draft } = from.document;
    return this.#addDocument(address, new TolerantSchema(schema, draft));
  }

  #place(resource: SchemaResource, fragment: string): RefTarget | undefined {
    const steps = pointerSteps(fragment);
    if (steps === null) {
      const schema = resource.anchors.get(fragment);
      return schema && { schema, resource: this.resourceOf(schema) };
    }
    let original: Json | undefined = resource.original;
    for (const step of steps) {
      if (typeof original !== "object" || original === null || !Object.hasOwn(original, step)) {
        return undefined;
      }
      original = (original as JsonObject)[step]!;
    }
    if (!isJsonObject(original) && typeof original !== "boolean") return undefined;
    const schema = resource.document.copyOf(original, `#${fragment}`);
    if (isJsonObject(schema)) this.#add(schema, original, resource);
    return { schema, resource: isJsonObject(schema) ? this.resourceOf(schema) : resource };
  }

  #addDocument(address: string, document: TolerantSchema): SchemaResource {
    const resource = schemaResource(address, document, document.schema, document.original);
    this.#resources.set(address, resource);
    if (isJsonObject(document.schema)) this.#add(document.schema, document.original, resource);
    return isJsonObject(document.schema) ? this.resourceOf(document.schema) : resource;
  }

  /** Adds `schema` and its parts; `original` has their keywords under the same names. */
  #add(schema: JsonObject, original: Json, outer: SchemaResource): void {
    if (this.#resourceOf.has(schema)) return;
    const resource = this.#ownResource(schema, original, outer);
    this.#resourceOf.set(schema, resource);
    const isDynamic = "$dynamicRef" in schema || "$recursiveRef" in schema;
    this.dynamic ||= isDynamic;
    if (isDynamic || "$ref" in schema) this.referring.push(schema);
    const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    for (const name of [anchor, dynamic]) {
      if (typeof name === "string" && !resource.anchors.has(name)) {
        resource.anchors.set(name, schema);
      }
    }
    if (typeof dynamic === "string") resource.dynamicAnchors.set(dynamic, schema);
    eachPart(schema, (part, keyword, key) => {
      if (!isJsonObject(part)) return;
      const held = (original as JsonObject)[keyword]!;
      this.#add(part, key === undefined ? held : (held as JsonObject)[key]!, resource);
    });
  }

  /** The resource that `$id` starts; `outer` if there is no `$id` or it has no effect. */
  #ownResource(schema: JsonObject, original: Json, outer: SchemaResource): SchemaResource {
    const { $id: id, $ref: ref } = schema;
    const { document } = outer;
    if (typeof id !== "string" || (document.draft === "7" && ref !== undefined)) return outer;
    const address = schemaAddress(id, outer.address);
    const anchors = address !== null && document.draft === "7" && address.fragment !== "";
    if (anchors) outer.anchors.set(address.fragment, schema);
    if (anchors && id.startsWith("#")) return outer;
    if (
      address === null ||
      draftOf(address.resource) !== null ||
      this.#resources.has(address.resource)
    ) {
      if (address?.resource !== outer.address || schema !== outer.root) {
        document.warn(`$id ${JSON.stringify(id)} is not an address or not unique; ignored`);
      }
      return outer;
    }
    const resource = schemaResource(address.resource, document, schema, original);
    this.#resources.set(address.resource, resource);
    return resource;
  }
}
