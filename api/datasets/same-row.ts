import { canonicalJson } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";

/** Whether two rows say the same, whatever the order of their keys. */
export const isSameRow = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);
