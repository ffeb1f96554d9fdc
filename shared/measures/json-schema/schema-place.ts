import type { Json, JsonObject } from "../../contracts/json.ts";
import { checks, type KeywordCheck } from "./compile/keyword-checks.ts";
import type { Steps } from "./compile/schema-run.ts";
import { listUnder } from "./index/schema-parts.ts";
import {
  declaringByName,
  describesUnlisted,
  hasElements,
  hasMembers,
  listedElements,
  type ResolveRef,
  schemasAtPlace,
  schemasOfElement,
  schemasOfProperty,
} from "./place-schemas.ts";

const speakingKeywords = ["type", "enum", "const"] as const;

/** Type checks have a bounded cost, so their steps are not counted. */
const uncounted: Steps = { spend() {} };

/** Cached checks of subschemas: a schema occurs at many places. */
const typeChecks = new WeakMap<JsonObject, KeywordCheck[]>();

/** Facts about the properties of a place, computed on first use. */
interface Members {
  names: ReadonlySet<string>;
  /**
   * The subschemas that list a name, by name. Many subschemas may apply to a place, so they are not all searched for
   * every name.
   */
  declaring: ReadonlyMap<string, readonly JsonObject[]>;
  required: ReadonlySet<string>;
  places: Map<string, SchemaPlace | null>;
}

/** For a place without named properties; most places have none. */
const noMembers: Members = {
  names: new Set(),
  declaring: new Map(),
  required: new Set(),
  places: new Map(),
};

/** Facts about its elements: how many have their own subschema, and the places used so far. */
interface Elements {
  listed: number;
  places: (SchemaPlace | null)[];
}

/**
 * One place in the values that a schema describes: all subschemas that apply to it, merged. They are found through
 * `properties`, `patternProperties`, `additionalProperties`, `items` and `prefixItems`, through local `$ref` with the
 * keywords next to it, and through every branch of `allOf`, `anyOf` and `oneOf`. Built lazily and cached, so that
 * later samples with the same schema reuse the tree.
 * Source: docs/spec/extraction.md, sections 5 and 7.
 */
export class SchemaPlace {
  /** The subschemas that are objects; a `true` declares a place without describing it. */
  readonly schemas: readonly JsonObject[];
  readonly #resolve: ResolveRef;
  #members: Members | null = null;
  #elements: Elements | null = null;
  #speaking: readonly KeywordCheck[][] | null = null;
  /** The subschemas that describe names which they do not list. */
  #general: ReadonlySet<JsonObject> | null = null;

  constructor(schemas: readonly Json[], resolve: ResolveRef) {
    this.schemas = schemasAtPlace(schemas, resolve);
    this.#resolve = resolve;
  }

  /**
   * Whether the schema accepts the type of `value` here: true if one subschema with `type`, `enum` or `const` accepts
   * it on these keywords, null if no subschema has any of them.
   */
  accepts(value: Json): boolean | null {
    this.#speaking ??= this.schemas.map(checksOf).filter((found) => found.length > 0);
    if (this.#speaking.length === 0) return null;
    return this.#speaking.some((found) => found.every((check) => check(value, uncounted)));
  }

  /** Names of the declared properties, in the order of the schema. */
  get names(): ReadonlySet<string> {
    return this.#readMembers().names;
  }

  /** Number of subschemas that have to be checked for every name. */
  get generalCount(): number {
    return this.#generalSchemas().size;
  }

  /** The subschemas that list property `name`, in their order. */
  declaring(name: string): readonly JsonObject[] {
    return this.#readMembers().declaring.get(name) ?? [];
  }

  /** Whether any of the subschemas requires property `name`. */
  requires(name: string): boolean {
    return this.#readMembers().required.has(name);
  }

  /**
   * The place of property `name`; null if the schema does not describe it. Undeclared names are not cached, because a
   * model can invent any number of them.
   */
  property(name: string): SchemaPlace | null {
    const { names, places } = this.#readMembers();
    const known = places.get(name);
    if (known !== undefined) return known;
    const speaking = this.#speakingOf(name);
    const child = this.#child(speaking.flatMap((schema) => schemasOfProperty(schema, name)));
    if (names.has(name)) places.set(name, child);
    return child;
  }

  /** The place of the element at `index`; null if the schema does not describe it. */
  element(index: number): SchemaPlace | null {
    if (!this.schemas.some(hasElements)) return null;
    this.#elements ??= { listed: listedElements(this.schemas), places: [] };
    const at = Math.min(index, this.#elements.listed);
    const known = this.#elements.places[at];
    if (known !== undefined) return known;
    const child = this.#child(this.schemas.flatMap((schema) => schemasOfElement(schema, at)));
    this.#elements.places[at] = child;
    return child;
  }

  /** The subschemas that describe property `name`, in their order. */
  #speakingOf(name: string): readonly JsonObject[] {
    const declaring = this.declaring(name);
    const general = this.#generalSchemas();
    if (general.size === 0) return declaring;
    const listed = new Set(declaring);
    return this.schemas.filter((schema) => general.has(schema) || listed.has(schema));
  }

  #generalSchemas(): ReadonlySet<JsonObject> {
    this.#general ??= new Set(this.schemas.filter(describesUnlisted));
    return this.#general;
  }

  #readMembers(): Members {
    if (this.#members !== null) return this.#members;
    if (!this.schemas.some(hasMembers)) return noMembers;
    const declaring = declaringByName(this.schemas);
    this.#members = {
      names: new Set(declaring.keys()),
      declaring,
      required: new Set(this.schemas.flatMap((s) => listUnder(s, "required") as string[])),
      places: new Map(),
    };
    return this.#members;
  }

  #child(schemas: readonly Json[]): SchemaPlace | null {
    const allowed = schemas.filter((schema) => schema !== false);
    return allowed.length === 0 ? null : new SchemaPlace(allowed, this.#resolve);
  }
}

function checksOf(schema: JsonObject): KeywordCheck[] {
  let found = typeChecks.get(schema);
  if (found === undefined) {
    found = speakingKeywords
      .filter((keyword) => keyword in schema)
      .map((keyword) => checks.get(keyword)!(schema[keyword]!));
    typeChecks.set(schema, found);
  }
  return found;
}
