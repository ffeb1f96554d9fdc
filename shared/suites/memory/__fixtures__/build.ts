import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { givenJudgments } from "../../../contracts/judging/given-judgments.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { judgments } from "../../../judges/__fixtures__/judgments.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { defaultOptions, type MemoryOptions } from "../options.ts";
import { checkSample, type MemorySample } from "../sample.ts";
import { scoreMemory } from "../score/score.ts";

/** A dataset row with every field. */
export const aRow = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: "knee",
  query: "Can I run again? My knee feels better.",
  memory: { knee: "operated in May", diet: "vegan", job: "teacher" },
  required_keys: ["knee"],
  forbidden_keys: ["diet"],
  neutral_keys: ["job"],
  emotion: { text: { joy: 3, fear: 1 } },
  personality: {
    openness: 0.5,
    conscientiousness: 0.9,
    extraversion: 0.2,
    agreeableness: 0.6,
    neuroticism: 0.7,
  },
  history: [{ role: "user", content: "My knee was operated." }],
  tags: { topic: "sport" },
  ...more,
});

/** The sample of that row. */
export function aSample(more: Record<string, unknown> = {}): MemorySample {
  const checked = checkSample(aRow(more));
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}

/** The test judgment of every metric, in the form of recorded rows. */
export const recorded: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(judgments).map(([id, { judgment }]) => [id, judgment]),
);

/** Judgments of a perfect answer. */
export const perfect: Readonly<Record<string, unknown>> = {
  ...recorded,
  memory_utilization: { cited_keys: ["knee"] },
  groundedness: { claims: [{ text: "c", source: "memory", evidence: "" }] },
  relevance: { relevance: 1 },
  coherence: { coherence_score: 5 },
  helpfulness: { helpfulness_score: 5 },
  safety: { safety_score: 1 },
  politeness: { politeness_score: 1 },
  emotional_congruence: { emotional_congruence_score: 5 },
  persona_consistency: { persona_consistency_score: 5 },
  logical_consistency: { consistency_score: 5 },
  empathy: { empathy_score: 5, warmth_level: "high", validation_present: true },
  conversational_continuity: { continuity_score: 5 },
};

/** Fields of an answer that differ from the default; judgments in the form of recorded rows. */
export interface Given extends Partial<Omit<Answer, "judgments">> {
  judgments?: Readonly<Record<string, unknown>>;
}

/** An answer, with judgments made elsewhere. */
export const anAnswer = ({ judgments: given = recorded, ...more }: Given = {}): Answer => ({
  ...emptyAnswer,
  output:
    "I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest.",
  judgments: givenJudgments(given),
  ...more,
});

/** An answer, scored. */
export function scored(
  seq: number,
  answer: Given = {},
  sample: Record<string, unknown> = {},
  options: Partial<MemoryOptions> = {},
): ScoredSample<ReturnType<typeof scoreMemory>["detail"]> {
  const whole = anAnswer(answer);
  const its = aSample({ id: `s${seq}`, ...sample });
  const call = callOf(whole);
  const score = scoreMemory(its, whole, { ...defaultOptions, ...options });
  return { seq, id: its.id, tags: its.tags, score, call };
}

/** A failed request. */
export const failed: Given = {
  output: null,
  judgments: {},
  error: { class: "timeout", message: "no answer" },
};
