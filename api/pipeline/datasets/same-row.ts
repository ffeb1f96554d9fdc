import { canonicalJson } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";

/** Whether two rows are the same to a dataset's version, which is made of their canonical JSON. */
export const isSameRow = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);
