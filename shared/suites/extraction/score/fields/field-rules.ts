import { z } from "zod";
import { asObject, isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import { propertyPath } from "./field-place.ts";

const comparators = ["text", "exact", "number", "date", "set", "list", "ignore"] as const;
type Comparator = (typeof comparators)[number];

/** How one field is compared, and how much it counts. */
const fieldRuleSchema = z.strictObject({
  compare: z.enum(comparators).optional().meta({
    description:
      "text: by similarity; exact: equal, case included; number: within the tolerance; date: the same day; set: a list in any order; list: a list in order; ignore: not compared. Default: by the field's type",
  }),
  tolerance: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "of number: largest absolute difference that is exact" }),
  relativeTolerance: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "of number: largest difference as a share of the expected value" }),
  threshold: z.number().min(0).max(1).optional().meta({
    description:
      "similarity from which the field is exact; default: 0.95. Of number, the tolerance decides",
  }),
  partial: z
    .boolean()
    .optional()
    .meta({ description: "whether a field that is half right counts half; default: true" }),
  weight: z
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .meta({ description: "share in the sample's F1, and so in EQS; default: 1" }),
});
export type FieldRule = z.infer<typeof fieldRuleSchema>;

/** More fields have no rules of their own. */
export const mostRules = 500;
const longestPath = 500;

/** Rules by name path, such as `items[].price`. */
export const fieldRulesSchema = z
  .record(z.string().min(1).max(longestPath), fieldRuleSchema)
  .refine((rules) => Object.keys(rules).length <= mostRules, {
    error: `must have at most ${mostRules} fields`,
  });
type Rules = z.infer<typeof fieldRulesSchema>;

/** The rules of a sample's fields. */
export interface FieldRules {
  of(namePath: string): FieldRule | undefined;
  /** Name paths of fields that are not compared. */
  ignored: ReadonlySet<string>;
  /** Whether fields differ in weight. */
  isWeighted: boolean;
}

/**
 * The rules of a run's options over those in the schema of a sample, if these are read; null without any.
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

/** Comparators of Stickler, by what they compare; others compare texts. */
const ofStickler: Readonly<Record<string, Comparator>> = {
  ExactComparator: "exact",
  NumericComparator: "number",
  DateComparator: "date",
};

/**
 * The rules that a JSON Schema has at its properties: the keyword `x-assay-rule`, an object by the names of options, or
 * those of Stickler (`x-aws-stickler-comparator`, `-comparator-config`, `-threshold`, `-weight`,
 * `-clip-under-threshold`). References are not followed. An invalid rule is ignored. Linear.
 * Source: awslabs/stickler, JSON Schema extensions (2026-11).
 * @example schemaRules({ properties: { id: { "x-aws-stickler-comparator": "ExactComparator" } } }).get("id") // { compare: "exact" }
 */
export function schemaRules(schema: JsonObject): Map<string, FieldRule> {
  const rules = new Map<string, FieldRule>();
  const open: [path: string, schema: Json | undefined][] = [["", schema]];
  for (let one = open.pop(); one !== undefined && rules.size < mostRules; one = open.pop()) {
    const [path, at] = one;
    if (!isJsonObject(at) || path.length > longestPath) continue;
    const rule = path === "" ? null : ruleAt(at);
    if (rule !== null) rules.set(path, rule);
    open.push(...placesWithin(path, at));
  }
  return rules;
}

function placesWithin(path: string, { properties, items }: JsonObject): [string, Json][] {
  const named = Object.entries(asObject(properties));
  return [
    ...(isJsonObject(items) ? [[elementsPath(path, items), items] as [string, Json]] : []),
    ...named.map(([name, property]): [string, Json] => [propertyPath(path, name), property]),
  ];
}

/** A list of scalars is one field; elements of other lists have fields of their own. */
const elementsPath = (path: string, items: JsonObject): string =>
  "properties" in items || "items" in items || items["type"] === "object" ? `${path}[]` : path;

function ruleAt(schema: JsonObject): FieldRule | null {
  const own = fieldRuleSchema.safeParse(schema["x-assay-rule"]);
  if (own.success) return own.data;
  const key = (name: string) => schema[`x-aws-stickler-${name}`];
  const [comparator, config] = [key("comparator"), key("comparator-config")];
  const [threshold, weight] = [key("threshold"), key("weight")];
  const tolerance = isJsonObject(config) ? config["tolerance"] : undefined;
  const read = fieldRuleSchema.safeParse({
    ...(typeof comparator === "string" && { compare: ofStickler[comparator] ?? "text" }),
    ...(typeof tolerance === "number" && { tolerance }),
    ...(typeof threshold === "number" && { threshold }),
    ...(typeof weight === "number" && { weight }),
    ...(key("clip-under-threshold") === true && { partial: false }),
  });
  return read.success && Object.keys(read.data).length > 0 ? read.data : null;
}

/**
 * A value without the fields that are not compared; itself if there are none. Linear.
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
