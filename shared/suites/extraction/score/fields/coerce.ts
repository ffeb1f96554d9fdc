import type { FieldNode } from "./flatten.ts";

/** JSON's number grammar (RFC 8259, section 6), which is narrower than what `Number` reads. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The two fields with the string side read as a number or boolean where the other side is one, or
 * null where that can't be. Used when `coerceTypes` is set.
 * Source: docs/spec/extraction.md, section 3.
 * @example coercedPair(field("5"), field(5)) // [field(5), field(5)]
 */
export function coercedPair(
  expected: FieldNode,
  predicted: FieldNode,
): [FieldNode, FieldNode] | null {
  const e = coerced(expected, predicted.type);
  const p = coerced(predicted, expected.type);
  if (e !== null) return [e, predicted];
  return p === null ? null : [expected, p];
}

function coerced(field: FieldNode, type: FieldNode["type"]): FieldNode | null {
  if (field.type !== "string") return null;
  const text = (field.value as string).trim();
  if (type === "number" && jsonNumber.test(text)) return { ...field, type, value: Number(text) };
  if (type === "boolean" && (text === "true" || text === "false")) {
    return { ...field, type, value: text === "true" };
  }
  return null;
}
