import type { Json } from "../../contracts/json.ts";
import { type AlignMemo, align, comparable } from "./align.ts";
import { compareFields, type FieldCategory, lenientCut } from "./category.ts";
import type { MatchRules } from "./composite.ts";
import { elementPath, propertyPath } from "./field-path.ts";
import type { FieldNode, FieldTree, ListNode, ObjectNode } from "./flatten.ts";
import { emptyTally, type Tally } from "./tally.ts";
import type { TypeWalk } from "./type-walk.ts";

/** One field and what became of it. */
export interface FieldMatch {
  path: string;
  expected?: Json;
  predicted?: Json;
  category: FieldCategory;
  /** 0–1; null for a field that only one side has. */
  composite: number | null;
  identical: boolean;
  /** Null for a missed field, which has no type to judge. */
  typeCorrect: boolean | null;
  /** A field of an element beyond those that could be aligned. */
  excess?: true;
}

/** The fields of a sample, counted, and the first of them one by one. */
export interface FieldMatches {
  tally: Tally;
  fields: FieldMatch[];
}

/** Fields listed of one sample: more than a page can show; all are counted. */
export const maxListedFields = 2000;

/**
 * Matches the fields of two values: by name in objects, by best alignment in arrays of objects; `[]`
 * against such an array and `{}` against a filled object are no field themselves; shapes that can't be
 * compared leave the expected fields missed and the predicted ones spurious. Null stands for a value
 * without fields. Linear but for `align`.
 * Source: specification of the extraction suite, sections 2 to 5.
 * @example matchFields(fieldTree({ a: 1 }), null, types, rules).tally.missed // 1
 */
export function matchFields(
  expected: FieldTree | null,
  predicted: FieldTree | null,
  types: TypeWalk,
  rules: MatchRules,
): FieldMatches {
  const matcher = new FieldMatcher(rules);
  matcher.match(expected, predicted, types, "");
  return { tally: matcher.tally, fields: matcher.fields };
}

class FieldMatcher {
  readonly tally = emptyTally();
  readonly fields: FieldMatch[] = [];
  readonly #memo: AlignMemo;

  constructor(rules: MatchRules) {
    this.#memo = { rules, known: new Map() };
  }

  match(e: FieldTree | null, p: FieldTree | null, types: TypeWalk, path: string): void {
    if (e?.kind === "field" && p?.kind === "field" && comparable(e, p)) {
      this.#pair(e, p, types, path);
    } else if (e?.kind === "object" && p?.kind === "object") {
      this.#objects(e, p, types, path);
    } else if (e?.kind === "list" && p?.kind === "list") {
      this.#lists(e, p, types, path);
    } else {
      const emptied = isEmptyOf(e, p);
      if (e !== null && !emptied) this.#missed(e, path);
      if (p !== null && !isEmptyOf(p, e))
        this.#spurious(p, types, path, emptied && p.kind === "list");
    }
  }

  #objects(e: ObjectNode, p: ObjectNode, types: TypeWalk, path: string): void {
    for (const [name, child] of e.children) {
      const other = p.children.get(name) ?? null;
      const at = propertyPath(path, name);
      if (other === null) this.#missed(child, at);
      else this.match(child, other, types.property(name), at);
    }
    for (const [name, child] of p.children) {
      if (e.children.has(name)) continue;
      this.#spurious(child, types.property(name), propertyPath(path, name), false);
    }
  }

  #lists(e: ListNode, p: ListNode, types: TypeWalk, path: string): void {
    const { predictedOf } = align(e, p, this.#memo);
    const aligned = new Uint8Array(p.elements.length);
    e.elements.forEach((element, i) => {
      const j = predictedOf[i]!;
      if (j >= 0) aligned[j] = 1;
      this.match(element, p.elements[j] ?? null, types.element(i), elementPath(path, i));
    });
    let index = e.elements.length;
    p.elements.forEach((element, j) => {
      if (aligned[j]) return;
      const at = index++;
      if (element !== null) this.#spurious(element, types.element(at), elementPath(path, at), true);
    });
  }

  #pair(e: FieldNode, p: FieldNode, types: TypeWalk, path: string): void {
    const { category, composite, identical } = compareFields(e, p, this.#memo.rules);
    const typeCorrect = types.accepts(p.value) ?? e.type === p.type;
    this.tally[category]++;
    if (identical) this.tally.identical++;
    if (category === "exact" || composite >= lenientCut) this.tally.lenient++;
    if (typeCorrect) this.tally.typeCorrect++;
    const [expected, predicted] = [e.value, p.value];
    this.#list({ path, expected, predicted, category, composite, identical, typeCorrect });
  }

  #missed(e: FieldTree, path: string): void {
    if (e.kind === "field") {
      this.tally.missed++;
      this.#list({
        path,
        expected: e.value,
        category: "missed",
        composite: null,
        identical: false,
        typeCorrect: null,
      });
    } else if (e.kind === "object") {
      for (const [name, child] of e.children) this.#missed(child, propertyPath(path, name));
    } else {
      e.elements.forEach((element, i) => {
        if (element) this.#missed(element, elementPath(path, i));
      });
    }
  }

  #spurious(p: FieldTree, types: TypeWalk, path: string, excess: boolean): void {
    if (p.kind === "field") {
      this.#extra(p, types.accepts(p.value) ?? false, path, excess);
    } else if (p.kind === "object") {
      for (const [name, child] of p.children) {
        this.#spurious(child, types.property(name), propertyPath(path, name), excess);
      }
    } else {
      p.elements.forEach((element, i) => {
        if (element) this.#spurious(element, types.element(i), elementPath(path, i), excess);
      });
    }
  }

  #extra(p: FieldNode, typeCorrect: boolean, path: string, excess: boolean): void {
    this.tally.spurious++;
    if (typeCorrect) this.tally.typeCorrect++;
    const match = { composite: null, identical: false, typeCorrect, ...(excess && { excess }) };
    this.#list({ path, predicted: p.value, category: "spurious", ...match });
  }

  #list(match: FieldMatch): void {
    if (this.fields.length < maxListedFields) this.fields.push(match);
  }
}

/** Whether `tree` is `[]` or `{}` where `other` is a filled array of objects or a filled object. */
function isEmptyOf(tree: FieldTree | null, other: FieldTree | null): boolean {
  if (tree?.kind !== "field") return false;
  if (other?.kind === "object") return tree.type === "object";
  return other?.kind === "list" && tree.type === "array" && (tree.value as Json[]).length === 0;
}
