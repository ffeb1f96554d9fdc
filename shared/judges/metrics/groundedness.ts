import { z } from "zod";
import type { AskedJudge, Reading } from "../../contracts/judging/judge.ts";
import { ratio } from "../../measures/text/token-f1.ts";
import { defaultModels } from "../default-models.ts";
import { occursIn } from "../evidence.ts";
import { type Exchange, exchangeSections, isEmptyAnswer } from "../exchange.ts";
import { meanFigure, meanValue, ratioFigure } from "../figures.ts";
import { mostItems, reasoning, remark } from "../judgment-parts.ts";

/** Source of a claim; a `hallucinated` claim is not grounded. */
export const claimSources = ["memory", "query", "general_knowledge", "hallucinated"] as const;
export type ClaimSource = (typeof claimSources)[number];

const claim = z.object({
  text: z.string().meta({ description: "The claim in one short sentence" }),
  source: z.enum(claimSources).meta({ description: "What bears the claim out" }),
  evidence: remark("Words of the answer that make the claim, copied"),
});

const judgment = z.object({
  reasoning,
  claims: z
    .array(claim)
    .max(mostItems)
    .default([])
    .meta({ description: "Every claim of the answer, in order" }),
});
type Judgment = z.infer<typeof judgment>;

/**
 * The shares of a sample's supported and unsupported claims, 0–1; 1 and 0 without claims.
 * Source: docs/spec/memory.md, metric 2.
 * @example claimScore(["memory", "hallucinated"]).groundedness // 0.5
 */
export function claimScore(sources: readonly ClaimSource[]) {
  const claims = sources.length;
  const grounded = sources.filter((source) => source !== "hallucinated").length;
  const groundedness = ratio(grounded, claims, 1);
  return { claims, groundedness, hallucinationRate: 1 - groundedness };
}

function read({ claims: given }: Judgment, { answer }: Exchange): Reading {
  const claims = isEmptyAnswer(answer) ? [] : given;
  const occurs = occursIn(answer);
  const sources = claims.map(({ source }) => source);
  const score = claimScore(sources);
  const countOf = (name: ClaimSource) => sources.filter((source) => source === name).length;
  return {
    value: score.groundedness,
    numbers: {
      claims: score.claims,
      ...Object.fromEntries(claimSources.map((name) => [name, countOf(name)])),
    },
    labels: {},
    unsupportedEvidence: claims.filter(
      ({ evidence }) => evidence.trim() !== "" && !occurs(evidence),
    ).length,
  };
}

/** The claims of the judge with the median score; of two, those of the stricter one. */
function combine(judgments: readonly Judgment[]): Judgment {
  const scoreOf = ({ claims }: Judgment) =>
    claimScore(claims.map(({ source }) => source)).groundedness;
  const sorted = [...judgments].sort((a, b) => scoreOf(a) - scoreOf(b));
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

const grounded = { memory: 1, query: 1, general_knowledge: 1 };
const over = { claims: 1 };

/** Whether known facts support what the answer claims. */
export const groundedness: AskedJudge<Judgment, Exchange> = {
  kind: "asked",
  id: "groundedness",
  label: "Groundedness",
  version: "1",
  scale: "ratio",
  route: defaultModels.facts,
  rubric: {
    task: "Find every claim that the answer makes, and for each what bears it out. You do not grade; you list.",
    levels: [],
    rules: [
      "A claim is a statement that could be false: about the person, about what happened, about the world. Split a sentence that makes two. Questions, greetings, wishes, words of comfort and advice as such are no claims; a reason given for advice is one.",
      "memory: the profile or the conversation before the query says so, in whatever words.",
      "query: the query says so.",
      "general_knowledge: neither does, and it is well established, such as a fact that a careful textbook has.",
      "hallucinated: none of them bears it out. This holds for anything about the person that neither profile, conversation nor query says, for whatever contradicts them, and for what is false or invented about the world, such as made-up studies, numbers or names.",
      "Where a fact of the profile is made stronger or more exact than it stands there, the claim is hallucinated.",
      "List a claim once, even if the answer repeats it.",
    ],
    notAbout: [
      "whether it was right to use the fact",
      "whether the advice is useful, kind or safe",
      "style and order",
    ],
  },
  sections: exchangeSections("profile", "history", "query", "answer"),
  judgment,
  read,
  empty: (exchange) => read({ reasoning: "", claims: [] }, exchange),
  combine,
  numbers: { whole: ["claims", ...claimSources], fractions: [] },
  labels: {},
  figures: [
    ratioFigure({
      id: "groundedness",
      label: "Groundedness",
      definition:
        "Claims supported by profile, conversation, query or general knowledge / claims, over all samples together. Claims are counted from the judge's list, never taken from the judge's own totals.",
      better: "higher",
      of: grounded,
      over: over,
      empty: 1,
    }),
    ratioFigure({
      id: "hallucination_rate",
      label: "Hallucination rate",
      definition: "Claims without support / claims, over all samples together.",
      better: "lower",
      of: { hallucinated: 1 },
      over: over,
      empty: 0,
    }),
    meanValue(
      {
        id: "groundedness_macro",
        label: "Groundedness, mean of samples",
        definition: "Mean over samples of grounded claims / claims, 1 where there are none.",
      },
      "ratio",
    ),
    meanFigure({
      id: "claims_per_sample",
      label: "Claims per sample",
      definition: "Claims that answers make, per judged sample.",
      better: "higher",
      of: "claims",
    }),
  ],
};
