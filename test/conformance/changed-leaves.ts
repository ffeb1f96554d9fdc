import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import {
  elementPath,
  propertyPath,
} from "../../shared/suites/extraction/score/fields/field-place.ts";

/** A value in which one field has another value of its type, and that field's path. */
interface ChangedLeaf {
  path: string;
  value: Json;
}

/** One for each field of `value`; `{}` is left out, since anything in its place is another field. */
export function* changedLeaves(value: Json, path = ""): Generator<ChangedLeaf> {
  if (isJsonObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      for (const changed of changedLeaves(part, propertyPath(path, name))) {
        yield { ...changed, value: { ...value, [name]: changed.value } };
      }
    }
  } else if (Array.isArray(value) && value.some((part) => typeof part === "object" && part)) {
    for (const [i, part] of value.entries()) {
      for (const changed of changedLeaves(part, elementPath(path, i))) {
        yield { ...changed, value: value.with(i, changed.value) };
      }
    }
  } else if (value !== null) yield { path, value: another(value) };
}

function another(leaf: Json): Json {
  if (Array.isArray(leaf)) return ["an element of another list"];
  switch (typeof leaf) {
    case "string":
      return `+++ ${[...leaf].reverse().join("")}`;
    case "number":
      return leaf * 2 + 1;
    default:
      return !leaf;
  }
}
