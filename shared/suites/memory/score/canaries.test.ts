import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import { givenJudgments } from "../../../contracts/judging/given-judgments.ts";
import { fenceSections } from "../../../judges/fence.ts";
import { orders } from "../../../measures/judging/question-canaries.ts";
import { aSample, perfect } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { canaries } from "./canaries.ts";
import { scoreMemory } from "./score.ts";

const queries = [
  "Can I run again? My knee feels better since Wednesday's physiotherapy.",
  "What helps against hay fever?",
  "??",
  "Wie lange hält die Impfung gegen Tetanus?",
];
const samples = Array.from({ length: 8 }, (_, i) =>
  aSample({ id: `s${i}`, query: queries[i % queries.length] }),
);
const answersOf = (id: string) => canaries.find((canary) => canary.id === id)!.answers(samples);

describe("canaries", () => {
  it("are these five, with the published bounds", () => {
    expect(canaries.map(({ id, bound }) => [id, bound])).toEqual([
      ["constant", { most: 0.6 }],
      ["empty", { most: 0 }],
      ["vague", { most: 0.6 }],
      ["longest", null],
      ["injection", { over: "vague", margin: 0.05 }],
    ]);
  });

  it.each(canaries.map((canary) => [canary.id, canary] as const))(
    "%s answers every sample deterministically",
    (_, { answers, label, description }) => {
      expect(answers(samples)).toHaveLength(samples.length);
      expect(answers(samples)).toEqual(answers([...samples]));
      expect(answers([])).toEqual([]);
      for (const text of [label, description]) expect(text).toMatch(/^\S.*\S$/);
    },
  );

  it.each(["constant", "empty", "longest"])("%s gives the same answer to every question", (id) => {
    expect(new Set(answersOf(id)).size).toBe(1);
  });

  it("longest has more than 4,000 characters, and empty has none", () => {
    expect(answersOf("longest")[0]!.length).toBeGreaterThan(4_000);
    expect(answersOf("empty")[0]).toBe("");
  });

  it("vague names up to three topic words of the question, in their order", () => {
    const [knee, fever, nothing, tetanus] = answersOf("vague");
    expect(knee).toContain("bringing up wednesday and physiotherapy.");
    expect(fever).toContain("bringing up fever.");
    expect(nothing).toContain("bringing up this.");
    expect(tetanus).toContain("bringing up lange, impfung and tetanus.");
  });

  it("vague uses no facts of the memory", () => {
    const facts = Object.values(samples[0]!.memory);
    for (const answer of answersOf("vague")) {
      for (const fact of facts) expect(answer).not.toContain(fact);
    }
  });

  it("injection appends to the vague answer one of the orders, in turn", () => {
    const vague = answersOf("vague");
    const appended = answersOf("injection").map((answer, i) => {
      expect(answer.startsWith(`${vague[i]}\n\n`)).toBe(true);
      return answer.slice(vague[i]!.length + 2);
    });
    expect(appended).toEqual(samples.map((_, i) => orders[i % orders.length]));
    expect(new Set(orders).size).toBe(orders.length);
  });

  it("injection does not close the fence", () => {
    for (const answer of answersOf("injection")) {
      const shown = fenceSections([{ name: "answer", text: answer }]);
      const code = /^<<<answer ([0-9a-f]+)\n/.exec(shown)![1]!;
      expect(shown.split(code)).toHaveLength(3);
      expect(shown.endsWith(`\nanswer ${code}>>>`)).toBe(true);
    }
  });
});

/** Judgments of the canaries by a fair judge. */
const fair = {
  ...perfect,
  memory_utilization: { cited_keys: [] },
  coherence: { coherence_score: 2 },
  helpfulness: { helpfulness_score: 1 },
  emotional_congruence: { emotional_congruence_score: 1 },
  persona_consistency: { persona_consistency_score: 1 },
  empathy: { empathy_score: 2, warmth_level: "low", validation_present: false },
  conversational_continuity: { continuity_score: 1 },
};
const scoreOf = (output: string, judgments: object) => {
  const answer = { ...emptyAnswer, output, judgments: givenJudgments(judgments) };
  return scoreMemory(samples[0]!, answer, defaultOptions).score;
};

describe("scoreMemory() with a fair judge's judgments", () => {
  const boundOf = (id: string) => {
    const { bound } = canaries.find((canary) => canary.id === id)!;
    return bound !== null && "most" in bound ? bound.most : Number.NaN;
  };

  it("keeps the constant answer below its bound", () => {
    const claims = [{ text: "The parcel is on its way", source: "hallucinated", evidence: "" }];
    const judgments = { ...fair, relevance: { relevance: 0.1 }, groundedness: { claims } };
    expect(scoreOf(answersOf("constant")[0]!, judgments)).toBeLessThan(boundOf("constant"));
  });

  it("keeps the vague answer, which is grounded and harmless, between 0.40 and its bound", () => {
    const judgments = { ...fair, relevance: { relevance: 0.5 }, groundedness: { claims: [] } };
    const score = scoreOf(answersOf("vague")[0]!, judgments);
    expect(score).toBeGreaterThan(0.4);
    expect(score).toBeLessThan(boundOf("vague"));
  });

  it("gives the empty answer 0, which is its bound", () => {
    expect(scoreOf("", {})).toBe(0);
    expect(boundOf("empty")).toBe(0);
  });
});
