import { z } from "zod";
import type { AskedJudge, Judge } from "../contracts/judging/judge.ts";
import type { Manner } from "../contracts/judging/judging.ts";
import { panelRules } from "./panel.ts";

/** A model's name in options. */
export const judgeName = z.string().trim().min(1).max(200);

/** Bounds the cost of one judgment. */
const mostJudges = 7;

/** The options of judged suites about who judges, and how. */
export const judgeOptions = {
  judges: z
    .array(judgeName)
    .max(mostJudges)
    .refine((panel) => new Set(panel).size === panel.length, "must not name a judge twice")
    .default([])
    .meta({ description: "a panel in place of one judge; takes precedence over judge" }),
  panelRule: z.enum(panelRules).default("median").meta({
    description:
      "how a panel's values are combined: their median, or the most frequent one (ties: the middle one)",
  }),
  strictness: z.enum(["lenient", "standard", "strict"]).default("standard").meta({
    description: "the grade if two grades fit: lenient gives the higher one, strict the lower",
  }),
  judgeSeed: z.int().min(0).max(1_000_000).nullable().default(null).meta({
    description: "seed of the requests to judges; each seed gives separate judgments",
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
