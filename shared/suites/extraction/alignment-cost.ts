import type { FieldTree } from "./flatten.ts";

/** Pairs of elements times fields up to which each element is compared with each other at all. */
const maxFieldPairs = 1e7;

/**
 * Pairs of characters compared while one answer is aligned: some four seconds, what 400 elements of
 * five sentences take that have nothing to do with each other.
 */
export const maxCharacterPairs = 5e9;

type Elements = readonly (FieldTree | null)[];

/**
 * Whether each of the expected elements can be compared with each of the predicted ones: up to 10⁷
 * pairs of fields. Linear.
 * @example isAffordable(list([{ a: 1 }]).elements, list([{ a: 2 }]).elements) // true
 */
export function isAffordable(expected: Elements, predicted: Elements): boolean {
  const fieldPairs = Math.min(
    fieldsOf(expected) * predicted.length,
    fieldsOf(predicted) * expected.length,
  );
  return fieldPairs <= maxFieldPairs;
}

function fieldsOf(elements: Elements): number {
  let fields = 0;
  for (const element of elements) fields += element?.fields ?? 0;
  return fields;
}

/**
 * UTF-16 units of the strings in a tree. Linear.
 * @example charactersOf(fieldTree({ a: "abc", b: 5 })) // 3
 */
export function charactersOf(tree: FieldTree | null): number {
  if (tree === null) return 0;
  if (tree.kind === "field") return tree.type === "string" ? (tree.value as string).length : 0;
  let characters = 0;
  const parts = tree.kind === "list" ? tree.elements : tree.children.values();
  for (const part of parts) characters += charactersOf(part);
  return characters;
}
