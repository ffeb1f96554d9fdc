import { canonicalJson, contentHash } from "../../../contracts/content-hash.ts";
import type { Json } from "../../../contracts/json.ts";
import type { DiagnosedField } from "./fields/diagnosed-field.ts";

/** What repeats of a sample are compared by; there only where a run has repeats. */
export interface RepeatIdentity {
  /** Hash of the output's canonical JSON; null where it did not parse. */
  outputHash?: string | null;
  /** By path, the predicted number or the canonical JSON of any other value; of an invalid output too. */
  fieldValues?: Record<string, string | number>;
}

/**
 * What an output and its fields are compared with repeats by; `value` is undefined where it did not parse.
 * Source: docs/spec/extraction.md, section 11.
 * @example repeatIdentity({ a: 1 }, fields).fieldValues // { a: 1 }
 */
export function repeatIdentity(
  value: Json | undefined,
  fields: readonly DiagnosedField[],
): Required<RepeatIdentity> {
  const values = fields.flatMap(({ path, predicted }): [string, string | number][] =>
    predicted === undefined
      ? []
      : [[path, typeof predicted === "number" ? predicted : canonicalJson(predicted)]],
  );
  return {
    outputHash: value === undefined ? null : contentHash(value),
    fieldValues: Object.fromEntries(values),
  };
}
