import { cutText } from "../../../../contracts/bounds.ts";
import { asObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import type { FieldRule } from "./field-rule.ts";

/** Our comparison for each comparator of Stickler; other comparators compare texts. */
const comparators: Readonly<Record<string, FieldRule["compare"]>> = {
  ExactComparator: "exact",
  NumericComparator: "number",
  DateComparator: "date",
  LevenshteinComparator: "text",
};

/**
 * The unchecked rule in the Stickler keywords of a JSON Schema's property; empty without such keywords.
 * Source: awslabs/stickler, JSON Schema extensions and comparators/numeric.py at 174ca9d.
 * @example sticklerRule({ "x-aws-stickler-comparator": "ExactComparator" }) // { compare: "exact" }
 */
export function sticklerRule(schema: JsonObject): JsonObject {
  const key = (name: string) => schema[`x-aws-stickler-${name}`];
  const config = asObject(key("comparator-config"));
  const [comparator, threshold, weight] = ["comparator", "threshold", "weight"].map(key);
  const compare = typeof comparator === "string" ? (comparators[comparator] ?? "text") : comparator;
  const clips = key("clip-under-threshold");
  const numbers: [string, Json | undefined][] = [
    ["tolerance", config["absolute_tolerance"] ?? config["tolerance"]],
    ["relativeTolerance", config["relative_tolerance"]],
    ["threshold", threshold],
    ["weight", weight],
  ];
  return {
    ...(compare !== undefined && { compare }),
    ...Object.fromEntries(numbers.filter(([, value]) => value !== undefined)),
    ...(clips !== undefined && clips !== false && { partial: clips !== true && clips }),
  };
}

const prefix = "x-aws-stickler-";
/** The keywords that `sticklerRule` reads, and the class name, which has no effect. */
const known = new Set([
  "comparator",
  "comparator-config",
  "threshold",
  "weight",
  "clip-under-threshold",
  "model-name",
]);
const configKeys = new Set(["absolute_tolerance", "tolerance", "relative_tolerance"]);

/**
 * A note on the Stickler keywords of a schema that `sticklerRule` does not read; null if it reads all.
 * @example unreadKeywords({ "x-aws-stickler-match-threshold": 0.5 }) // "x-aws-stickler-match-threshold is not read"
 */
export function unreadKeywords(schema: JsonObject): string | null {
  const keys = Object.keys(schema).filter(
    (key) => key.startsWith(prefix) && !known.has(key.slice(prefix.length)),
  );
  const config = Object.entries(asObject(schema[`${prefix}comparator-config`])).filter(
    ([key, value]) => !configKeys.has(key) && !(key === "case_sensitive" && value === true),
  );
  const comparator = schema[`${prefix}comparator`];
  const isOther = typeof comparator === "string" && !Object.hasOwn(comparators, comparator);
  const unread = [
    ...keys.map((key) => `${key} is not read`),
    ...config.map(([key, value]) => `${key}: ${JSON.stringify(value)} is not read`),
    ...(isOther ? [`${comparator} is not available, so the field is compared as text`] : []),
  ];
  return unread.length === 0 ? null : cutText(unread.join("; "), longestText);
}

/** Maximum characters of the note on one place. */
const longestText = 300;

/**
 * A rule as keywords of Stickler, which compares lists in any order; null if Stickler has no such rule: an ignored
 * field, or a list in order.
 * @example sticklerKeywords({ compare: "number", tolerance: 0.01 })
 */
export function sticklerKeywords(rule: FieldRule): JsonObject | null {
  const { compare, tolerance, relativeTolerance, threshold, weight, partial } = rule;
  if (compare === "ignore" || compare === "list" || weight === 0) return null;
  const [comparator] = Object.entries(comparators).find(([, its]) => its === compare) ?? [];
  const config = {
    // Stickler ignores case by default.
    ...(compare === "exact" && { case_sensitive: true }),
    ...(tolerance !== undefined && { absolute_tolerance: tolerance }),
    ...(relativeTolerance !== undefined && { relative_tolerance: relativeTolerance }),
  };
  const keywords: [string, Json | undefined][] = [
    ["comparator", comparator],
    ["comparator-config", Object.keys(config).length > 0 ? config : undefined],
    ["threshold", threshold],
    ["weight", weight],
    ["clip-under-threshold", partial === false ? true : undefined],
  ];
  return Object.fromEntries(
    keywords.flatMap(([name, value]): [string, Json][] =>
      value === undefined ? [] : [[`x-aws-stickler-${name}`, value]],
    ),
  );
}
