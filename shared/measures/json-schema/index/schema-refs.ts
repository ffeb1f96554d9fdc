import type { JsonObject } from "../../../contracts/json.ts";
import type { SchemaRun } from "../compile/schema-run.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { draftOf } from "./schema-keywords.ts";
import type { RefTarget, SchemaResource } from "./schema-resource.ts";

/** The target of a reference in a run; null if there is none. */
export type FindTarget = (run: SchemaRun) => RefTarget | null;

/**
 * The targets of the references in `schema`: `$ref` always has the same target; that of `$dynamicRef` and
 * `$recursiveRef` depends on the outermost resource that validation has entered. Empty without references.
 * Source: JSON Schema 2020-12 core, section 8.2.3; 2019-09 core, section 8.2.4.
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

/** A `$dynamicRef` is dynamic only if its initial target is a `$dynamicAnchor` of the same name. */
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
 * References to an unknown document, so that this part can't be validated. Empty if there are none.
 * @example unknownRefs({ $ref: "urn:elsewhere" }, index) // ["urn:elsewhere"]
 */
export function unknownRefs(schema: JsonObject, index: SchemaIndex): string[] {
  return [schema["$ref"], schema["$dynamicRef"]].filter(
    (ref): ref is string =>
      typeof ref === "string" && draftOf(ref) === null && index.resolve(ref, schema) === null,
  );
}
