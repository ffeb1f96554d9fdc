import { z } from "zod";
import type { AskedJudge, Judge } from "../contracts/judging/judge.ts";
import type { Manner } from "../contracts/judging/judging.ts";

/** The options of judged suites about how judges judge. */
export const mannerOptions = {
  strictness: z.enum(["lenient", "standard", "strict"]).default("standard").meta({
    description: "what judges do where two grades fit: lenient, the higher one; strict, the lower",
  }),
  judgeSeed: z.int().min(0).max(1_000_000).nullable().default(null).meta({
    description:
      "seed of the requests to judges, to repeat a judging: other seeds are other judgments, also at endpoints that take no seed",
  }),
};

const rules = {
  lenient:
    "Be lenient: where two grades fit, give the higher one, and do not count a doubtful finding against the answer.",
  strict:
    "Be strict: where two grades fit, give the lower one, and count a doubtful finding against the answer.",
} as const;

const known = new WeakMap<AskedJudge, Map<string, AskedJudge>>();

/**
 * A judge that is asked in a manner; itself in the standard one, and for embeddings. The same manner gives the same
 * object. Prompt hash, cache key and scoring version differ by manner.
 * @example withManner(empathy, { strictness: "strict" }).rubric.rules.at(-1) // "Be strict: …"
 */
export function withManner<J extends Judge>(judge: J, manner: Manner): J {
  const { strictness = "standard", judgeSeed: seed = null } = manner;
  if (judge.kind !== "asked" || (strictness === "standard" && seed === null)) return judge;
  const variants = known.get(judge) ?? new Map<string, AskedJudge>();
  known.set(judge, variants);
  const name = `${strictness} ${seed}`;
  const its: AskedJudge = variants.get(name) ?? {
    ...judge,
    ...(strictness !== "standard" && {
      rubric: { ...judge.rubric, rules: [...judge.rubric.rules, rules[strictness]] },
    }),
    ...(seed !== null && { seed }),
  };
  variants.set(name, its);
  return its as J;
}
