import { cutText } from "../../../../contracts/bounds.ts";
import { fieldErrors } from "../../../../contracts/field-errors.ts";
import { asObject, isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import {
  pointerSteps,
  schemaAddress,
  unnamedBase,
} from "../../../../measures/json-schema/index/schema-address.ts";
import { propertyPath } from "./field-place.ts";
import {
  type FieldRule,
  fieldRuleSchema,
  longestPath,
  mostRules,
  type Rules,
} from "./field-rule.ts";
import { sticklerKeywords, sticklerRule, unreadKeywords } from "./stickler-keywords.ts";

/** The rules of a sample's fields. */
export interface FieldRules {
  of(namePath: string): FieldRule | undefined;
  /** Name paths of fields that are not compared. */
  ignored: ReadonlySet<string>;
  /** Whether fields differ in weight. */
  isWeighted: boolean;
}

/**
 * The rules of a run's options and, with lower precedence and only if they are read, of the sample's schema; null
 * without rules.
 * @example fieldRulesOf({ "items[].price": { compare: "number", tolerance: 0.01 } }, {}, false)?.isWeighted // false
 */
export function fieldRulesOf(
  given: Rules,
  schema: JsonObject | boolean,
  readsSchema: boolean,
): FieldRules | null {
  const ofSchema = readsSchema && isJsonObject(schema) ? schemaRules(schema) : new Map();
  const all = new Map<string, FieldRule>([...ofSchema, ...Object.entries(given)]);
  if (all.size === 0) return null;
  const entries = [...all];
  return {
    of: (namePath) => all.get(namePath),
    ignored: new Set(
      entries.flatMap(([path, { compare }]) => (compare === "ignore" ? [path] : [])),
    ),
    isWeighted: entries.some(([, { weight = 1 }]) => weight !== 1),
  };
}

/**
 * The rules at the properties of a JSON Schema: the keyword `x-assay-rule`, an object with the names of options as
 * keys, or Stickler's keywords (`x-aws-stickler-comparator`, `-comparator-config`, `-threshold`, `-weight`,
 * `-clip-under-threshold`). Follows references within the schema, anyOf, oneOf and allOf; uses the first of several
 * rules for a field. Invalid rules are ignored, and named by `ignoredRules`. Outer fields come first; at most 5,000
 * places are visited, because a recursive schema is endless. Linear.
 * Source: awslabs/stickler, JSON Schema extensions (2026-11).
 * @example schemaRules({ properties: { id: { "x-aws-stickler-comparator": "ExactComparator" } } }).get("id") // { compare: "exact" }
 */
export const schemaRules = (schema: JsonObject): Map<string, FieldRule> => readRules(schema).rules;

/** The beginning of each note of `ignoredRules`. */
const IGNORED = "rule ignored";

/**
 * Notes on rules in a JSON Schema that are ignored entirely or in part, with the reason, at most 20; empty if all rules
 * are read. Linear.
 * @example ignoredRules({ properties: { id: { "x-assay-rule": 5 } } }) // ["rule ignored for id: must be an object, not 5"]
 */
export const ignoredRules = (schema: JsonObject): string[] => readRules(schema).ignored;

/** Whether a note is one of `ignoredRules`. */
export const isOfIgnoredRule = (note: string): boolean => note.startsWith(IGNORED);

const mostNotes = 20;
const longestName = 100;

function readRules(schema: JsonObject): { rules: Map<string, FieldRule>; ignored: string[] } {
  const rules = new Map<string, FieldRule>();
  const ignored = new Set<string>();
  const open: [path: string, schema: JsonObject][] = [["", schema]];
  const within: Referred = once((at) => referred(at, schema));
  const ofField = once(ruleAt);
  // The whole schema has no rule.
  const ruleOf = (path: string, form: JsonObject) =>
    path === "" ? { rule: null, flaw: unreadKeywords(form) } : ofField(form);
  for (const [path, at] of open) {
    if (rules.size === mostRules) break;
    const forms = formsOf(at, within);
    for (const form of forms) {
      const { rule, flaw } = ruleOf(path, form);
      if (rule !== null && !rules.has(path)) rules.set(path, rule);
      if (flaw !== null && ignored.size < mostNotes) ignored.add(noteOf(path, rule !== null, flaw));
    }
    if (open.length === mostPlaces) continue;
    const places = forms.flatMap((form) => placesWithin(path, form, within));
    open.push(...places.slice(0, mostPlaces - open.length));
  }
  return { rules, ignored: [...ignored] };
}

function noteOf(path: string, isRead: boolean, flaw: string): string {
  const where = path === "" ? "the whole schema" : cutText(path, longestName);
  return `${IGNORED}${isRead ? " in part" : ""} for ${where}: ${flaw}`;
}

const mostPlaces = 5_000;

function placesWithin(
  path: string,
  { properties, items }: JsonObject,
  within: Referred,
): [string, JsonObject][] {
  const element = within(items);
  const named = Object.entries(asObject(properties)).flatMap(
    ([name, property]): [string, JsonObject][] => {
      const its = within(property);
      return its === null ? [] : [[propertyPath(path, name), its]];
    },
  );
  const all: typeof named =
    element === null
      ? named
      : [[elementsPath(path, ...formsOf(element, within)), element], ...named];
  return all.filter(([at]) => at.length <= longestPath);
}

/** Maximum forms of one field, because a schema can repeat itself within anyOf. */
const mostForms = 30;

/** A schema and all subschemas in its anyOf, oneOf and allOf; Pydantic writes an optional model as anyOf with null. */
function formsOf(schema: JsonObject, within: Referred): JsonObject[] {
  const forms = [schema];
  for (const { anyOf, oneOf, allOf } of forms) {
    const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
    for (const part of parts.slice(0, mostForms - forms.length)) {
      const form = within(part);
      if (form !== null) forms.push(form);
    }
  }
  return forms;
}

/** Maximum length of a chain of references. */
const mostHops = 10;

/** Resolves the reference of a subschema; null if it is not an object. */
type Referred = (at: Json | undefined) => JsonObject | null;

/** Caches a function's results: a recursive schema visits its parts thousands of times. */
function once<From, To>(of: (from: From) => To): (from: From) => To {
  const known = new Map<From, To>();
  return (from) => {
    if (!known.has(from)) known.set(from, of(from));
    return known.get(from) as To;
  };
}

/** A schema merged with the target of its reference, whose keywords it overrides; null if it is not an object. */
function referred(at: Json | undefined, root: JsonObject, hops = 0): JsonObject | null {
  if (!isJsonObject(at)) return null;
  const { $ref: reference, ...own } = at;
  if (typeof reference !== "string" || hops === mostHops) return at;
  const address = schemaAddress(reference, unnamedBase);
  const steps = address?.resource === unnamedBase ? pointerSteps(address.fragment) : null;
  const target = steps?.reduce((one: Json | undefined, step) => asObject(one)[step], root);
  return { ...referred(target, root, hops + 1), ...own };
}

/** A list of scalars is one field; elements of other lists have fields of their own. */
const elementsPath = (path: string, ...forms: readonly JsonObject[]): string =>
  forms.some((form) => "properties" in form || "items" in form || form["type"] === "object")
    ? `${path}[]`
    : path;

/** The rule at a property, and its error. */
function ruleAt(schema: JsonObject): { rule: FieldRule | null; flaw: string | null } {
  const { "x-assay-rule": given } = schema;
  const own = fieldRuleSchema.safeParse(given);
  if (own.success) return { rule: own.data, flaw: null };
  const stickler = sticklerRule(schema);
  const whole = fieldRuleSchema.safeParse(stickler);
  const read = whole.success ? whole : fieldRuleSchema.safeParse(ofKnownTypes(stickler));
  const isRule = read.success && Object.keys(read.data).length > 0;
  const flaw =
    given === undefined ? (flawOf(whole, stickler) ?? unreadKeywords(schema)) : flawOf(own, given);
  return { rule: isRule ? read.data : null, flaw };
}

/** Types of a rule's values that are not numbers. */
const types: Readonly<Record<string, string>> = { compare: "string", partial: "boolean" };

/** Removes values of a wrong type; the rest of a rule in Stickler's keywords stays valid. */
const ofKnownTypes = (rule: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(rule).filter(([name, value]) => typeof value === (types[name] ?? "number")),
  );

function flawOf(
  { error }: ReturnType<typeof fieldRuleSchema.safeParse>,
  given: Json,
): string | null {
  const [first] = fieldErrors(error?.issues ?? [], given);
  if (first === undefined) return null;
  return [first.pointer?.slice(1), first.detail].filter(Boolean).join(": ");
}

/**
 * A JSON Schema with rules as Stickler's keywords, and the name paths of rules that can't be written: the schema lacks
 * the field, or Stickler has no such rule.
 * @example withSticklerRules({ properties: { id: {} } }, { id: { weight: 2 } }).schema // { properties: { id: { "x-aws-stickler-weight": 2 } } }
 */
export function withSticklerRules(
  schema: JsonObject,
  rules: Rules,
): { schema: JsonObject; left: string[] } {
  const left = new Set(Object.keys(rules));
  const written = (path: string, at: Json): Json => {
    if (!isJsonObject(at)) return at;
    const rule = Object.hasOwn(rules, path) ? rules[path] : undefined;
    const keywords = rule === undefined ? null : sticklerKeywords(rule);
    if (keywords !== null) left.delete(path);
    const { items, properties } = at;
    return {
      ...at,
      ...keywords,
      ...(isJsonObject(items) && { items: written(elementsPath(path, items), items) }),
      ...(isJsonObject(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [
            name,
            written(propertyPath(path, name), one),
          ]),
        ),
      }),
    };
  };
  return { schema: asObject(written("", schema)), left: [...left] };
}

/**
 * A value without ignored fields; the same value if there are none. Linear.
 * @example withoutIgnored({ a: 1, b: 2 }, new Set(["b"])) // { a: 1 }
 */
export function withoutIgnored(value: Json, ignored: ReadonlySet<string>, path = ""): Json {
  if (ignored.size === 0) return value;
  if (Array.isArray(value)) return value.map((one) => withoutIgnored(one, ignored, `${path}[]`));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const at = propertyPath(path, name);
    return ignored.has(at) ? [] : [[name, withoutIgnored(member, ignored, at)]];
  });
  return Object.fromEntries(kept);
}
