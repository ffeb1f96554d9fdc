import type { JsonObject } from "../../../contracts/json.ts";
import type { SchemaRun } from "../compile/schema-run.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { draftOf } from "./schema-keywords.ts";
import type { RefTarget, SchemaResource } from "./schema-resource.ts";

/** Where a reference leads in a run; null for nowhere. */
export type FindTarget = (run: SchemaRun) => RefTarget | null;

/**
 * Where the references of `schema` lead: `$ref` always to one place, `$dynamicRef` and
 * `$recursiveRef` to where the outermost resource that evaluation came through says.
 * Source: JSON Schema 2020-12 core, section 8.2.3; 2019-09 core, section 8.2.4. Empty without any.
 * @example refTargets({ type: "object" }, index) // []
 */
export function refTargets(schema: JsonObject, index: SchemaIndex): FindTarget[] {
  const { $ref: ref, $dynamicRef: dynamicRef, $recursiveRef: recursiveRef } = schema;
  const found: FindTarget[] = [];
  if (typeof ref === "string") found.push(fixed(index.resolve(ref, schema) ?? null));
  if (typeof dynamicRef === "string") found.push(dynamicTarget(dynamicRef, schema, index));
  if (recursiveRef !== undefined) found.push(recursiveTarget(index.resourceOf(schema)));
  return found;
}

function fixed(target: RefTarget | null): FindTarget {
  return () => target;
}

/** Only a `$dynamicRef` that first leads to a `$dynamicAnchor` of its name is dynamic. */
function dynamicTarget(reference: string, schema: JsonObject, index: SchemaIndex): FindTarget {
  const first = index.resolve(reference, schema) ?? null;
  const name = reference.slice(reference.indexOf("#") + 1);
  if (first?.resource.dynamicAnchors.get(name) !== first?.schema) return fixed(first);
  return (run) => {
    for (const resource of run.scope.resources) {
      const anchored = resource.dynamicAnchors.get(name);
      if (anchored !== undefined) return { schema: anchored, resource };
    }
    return first;
  };
}

function recursiveTarget(own: SchemaResource): FindTarget {
  if (!isRecursive(own)) return fixed({ schema: own.root, resource: own });
  return (run) => {
    const resource = run.scope.resources.find(isRecursive) ?? own;
    return { schema: resource.root, resource };
  };
}

function isRecursive({ root }: SchemaResource): boolean {
  return typeof root !== "boolean" && root["$recursiveAnchor"] === true;
}

/**
 * References that name a document which is not known, so that nothing can be said of its part. Empty without any.
 * @example unknownRefs({ $ref: "urn:elsewhere" }, index) // ["urn:elsewhere"]
 */
export function unknownRefs(schema: JsonObject, index: SchemaIndex): string[] {
  return [schema["$ref"], schema["$dynamicRef"]].filter(
    (ref): ref is string =>
      typeof ref === "string" && draftOf(ref) === null && index.resolve(ref, schema) === null,
  );
}
