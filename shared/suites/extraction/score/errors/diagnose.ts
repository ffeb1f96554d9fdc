import type { Json } from "../../../../contracts/json.ts";
import { identical, type MatchRules } from "../composite.ts";
import type { DiagnosedField, ErrorPattern, Hallucination } from "../fields/diagnosed-field.ts";
import type { FieldPlace } from "../fields/field-place.ts";
import { fieldText } from "../fields/field-text.ts";
import type { FieldNode, FieldTree } from "../fields/field-tree.ts";
import type { TextEvidence } from "./evidence.ts";

/**
 * Fills in, for each field that is not exact, the origin of a wrong value and the pattern of the error. Errors of
 * one sample are considered together: a value that is missed at one place and spurious at another is one error.
 * Source: docs/spec/extraction.md, section 8.
 * @example diagnose(matches.errors, new TextEvidence(sample.text, rules), rules)
 */
export function diagnose(
  errors: readonly FieldError[],
  text: TextEvidence,
  rules: MatchRules,
): void {
  text.restart();
  for (const error of errors) {
    error.field.hallucination = hallucinationOf(error, text) ?? error.field.hallucination;
  }
  const moved = movedValues(errors, isFree, rules);
  for (const error of errors) error.field.pattern = errorPattern(error, moved.has(error), rules);
}

function hallucinationOf({ field }: FieldError, text: TextEvidence): Hallucination | null {
  if (field.category === "spurious") {
    if (field.excess) return "surplus";
    return text.holds(field.predicted!) ? "misplaced" : "fabricated";
  }
  return field.category === "incorrect" && !text.holds(field.predicted!) ? "wrongValue" : null;
}

/** Whether a spurious field can be the other half of a missed one. */
function isFree({ clash, predicted }: FieldError): boolean {
  return clash === null && !isPlaceholder(predicted!.value);
}

/** Numbers are looked up by multiples of the largest difference between identical numbers. */
const numberStep = 1e-6;

/**
 * The fields of values at the wrong place: a missed field and a spurious one with the same last name and an identical
 * value. Each missed field takes the first unused spurious one that `isFree` accepts, which excludes values of an
 * unexpected shape and placeholders. Linear except for many different arrays with the same name and length.
 * Source: docs/spec/extraction.md, section 8, `wrong_nesting`.
 * @example movedValues(errors, isFree, rules).size // 2 for each moved value
 */
export function movedValues(
  errors: readonly FieldError[],
  isFree: (error: FieldError) => boolean,
  rules: MatchRules,
): Set<FieldError> {
  const moved = new Set<FieldError>();
  const spurious = new Map<string, FieldError[]>();
  for (const error of errors) {
    if (error.expected !== null || !isFree(error)) continue;
    const key = keyOf(error, error.predicted!, rules, 0);
    const known = spurious.get(key);
    if (known === undefined) spurious.set(key, [error]);
    else known.push(error);
  }
  if (spurious.size === 0) return moved;
  for (const error of errors) {
    if (error.predicted !== null) continue;
    const other = takeSame(error, spurious, rules);
    if (other !== undefined) moved.add(error).add(other);
  }
  return moved;
}

function takeSame(
  missed: FieldError,
  spurious: Map<string, FieldError[]>,
  rules: MatchRules,
): FieldError | undefined {
  const expected = missed.expected!;
  for (const step of expected.type === "number" ? [0, -1, 1] : [0]) {
    const found = spurious.get(keyOf(missed, expected, rules, step)) ?? [];
    const at = found.findIndex(({ predicted }) => identical(expected, predicted!, rules));
    if (at >= 0) return found.splice(at, 1)[0];
  }
  return undefined;
}

/** A key that is equal for identical values with the same name; for numbers with `step` −1, 0 or 1. */
function keyOf({ place }: FieldError, node: FieldNode, rules: MatchRules, step: number): string {
  return JSON.stringify([place.name, node.type, valueKey(node, rules, step)]);
}

function valueKey(node: FieldNode, rules: MatchRules, step: number): string | number {
  switch (node.type) {
    case "string":
      return fieldText(node, rules).normal;
    case "number":
      return Math.floor((node.value as number) / numberStep) + step;
    case "array":
      return (node.value as unknown[]).length;
    default:
      return String(node.value);
  }
}

/** Shapes at one place that can't be compared: the error is counted at the expected fields there. */
export interface Clash {
  pattern: "type_coercion_failed" | "array_vs_object" | "wrong_nesting";
}

/** A field that is not exact, with what its diagnosis needs. */
export interface FieldError {
  field: DiagnosedField;
  place: FieldPlace;
  /** Null for a spurious field. */
  expected: FieldNode | null;
  /** Null for a missed field. */
  predicted: FieldNode | null;
  /** Whether both sides have the same JSON type, if necessary after coercion. */
  sameType: boolean;
  clash: Clash | null;
}

/** Texts that models write for "no value", in lower case; the specification's list. */
const placeholders: ReadonlySet<string> = new Set(["n/a", "none", "unknown", "null", "-", ""]);

/**
 * Whether `value` is a placeholder such as "N/A", none or an empty string.
 * Source: docs/spec/extraction.md, section 8, `type_coercion_failed`.
 * @example isPlaceholder("N/A") // true
 */
export function isPlaceholder(value: Json | undefined): boolean {
  return typeof value === "string" && placeholders.has(value.trim().toLowerCase());
}

/**
 * The clash of two shapes: a placeholder in place of an array or object, an array against an object,
 * or else a value at the wrong level.
 * Source: docs/spec/extraction.md, sections 4 and 8.
 * @example clashOf(fieldTree([1]), fieldTree({ a: 1 })).pattern // "array_vs_object"
 */
export function clashOf(expected: FieldTree, predicted: FieldTree): Clash {
  if (predicted.kind === "field" && isPlaceholder(predicted.value)) {
    return { pattern: "type_coercion_failed" };
  }
  const arrays = Number(isArray(expected)) + Number(isArray(predicted));
  const objects = Number(isObject(expected)) + Number(isObject(predicted));
  return { pattern: arrays === 1 && objects === 1 ? "array_vs_object" : "wrong_nesting" };
}

function isArray(tree: FieldTree): boolean {
  return tree.kind === "list" || (tree.kind === "field" && tree.type === "array");
}

function isObject(tree: FieldTree): boolean {
  return tree.kind === "object" || (tree.kind === "field" && tree.type === "object");
}

/**
 * The pattern of an error, the first that fits; null for the spurious half of a clash or of a moved value, which is
 * counted at its missed half. `moved`: whether the field is one half of a moved value. The field's hallucination must
 * be known.
 * Source: docs/spec/extraction.md, section 8.
 * @example errorPattern(missed, false, rules) // "missing_value"
 */
function errorPattern(error: FieldError, moved: boolean, rules: MatchRules): ErrorPattern | null {
  if (error.expected === null) return spuriousPattern(error, moved);
  if (error.predicted === null) return missedPattern(error, moved);
  if (!error.sameType) {
    return isPlaceholder(error.predicted.value) ? "type_coercion_failed" : "wrong_type";
  }
  return boundaryPattern(error.expected, error.predicted, rules) ?? valuePattern(error.field);
}

function missedPattern({ clash, field }: FieldError, moved: boolean): ErrorPattern {
  if (clash !== null) return clash.pattern;
  if (moved) return "wrong_nesting";
  return field.required ? "missing_required_field" : "missing_value";
}

function spuriousPattern({ clash, field, place }: FieldError, moved: boolean): ErrorPattern | null {
  if (clash !== null || moved) return null;
  if (isPlaceholder(field.predicted)) return "type_coercion_failed";
  return place.schema === null ? "extra_field" : valuePattern(field);
}

/** The empty string is part of every string. */
function boundaryPattern(
  expected: FieldNode,
  predicted: FieldNode,
  rules: MatchRules,
): ErrorPattern | null {
  if (expected.type !== "string" || predicted.type !== "string") return null;
  const [e, p] = [fieldText(expected, rules).normal, fieldText(predicted, rules).normal];
  if (e.includes(p)) return "incomplete_extraction";
  return p.includes(e) ? "over_extraction" : null;
}

function valuePattern({ hallucination, category }: DiagnosedField): ErrorPattern {
  if (hallucination === "fabricated" || hallucination === "wrongValue") return "hallucinated_value";
  return category === "partial" ? "partial_value" : "wrong_value";
}
