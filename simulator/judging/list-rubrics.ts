import type { JsonObject } from "../../shared/contracts/json.ts";
import { claimsOf } from "./claims.ts";
import { factsUsed } from "./facts-used.ts";
import { quoting, type Rubric } from "./rubric.ts";

/** Lists the keys whose facts the answer uses. */
export const citedKeys: Rubric = (view, leaning) => {
  const used = [...factsUsed(view, leaning.strictness)].filter(() => leaning.notices());
  const shown = used.map(([key, passage]) => quoting(`${key}:`, passage)).slice(0, 3);
  return {
    reasoning: shown.length > 0 ? shown.join(" ") : "It would read the same without the profile.",
    cited_keys: used.map(([key]) => key),
  };
};

/** Lists the claims of the answer and what bears them out. */
export const groundedClaims: Rubric = (view, leaning) => {
  const claims = claimsOf(view, leaning);
  const loose = claims.filter(({ source }) => source === "hallucinated").length;
  return {
    reasoning: `Of ${claims.length} claims nothing bears out ${loose}.`,
    claims: claims.map((claim): JsonObject => ({ ...claim })),
  };
};
