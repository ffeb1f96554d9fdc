import type { Exchange } from "../exchange.ts";

/** An exchange whose answer contains the words that the judgments below quote. */
export const anExchange = (more: Partial<Exchange> = {}): Exchange => ({
  query: "Can I run again? My knee feels better.",
  answer:
    "I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest.",
  memory: { knee: "operated in May", diet: "vegan", job: "teacher" },
  requiredKeys: ["knee"],
  forbiddenKeys: ["diet"],
  neutralKeys: ["job"],
  emotion: { joy: 0.6, neutral: 0.4 },
  personality: { openness: 0.5 },
  history: [{ role: "user", content: "My knee was operated." }],
  ...more,
});

/** For each metric, a judgment with every field of the specification's table, and its value. */
export const judgments: Readonly<
  Record<string, { judgment: Record<string, unknown>; value: number; empty: number }>
> = {
  memory_utilization: { judgment: { cited_keys: ["knee", "job"] }, value: 1, empty: 0 },
  groundedness: {
    judgment: {
      claims: [
        { text: "The knee feels better", source: "query", evidence: "it feels better" },
        { text: "Rest is never good", source: "hallucinated", evidence: "You should never rest" },
      ],
    },
    value: 0.5,
    empty: 1,
  },
  relevance: { judgment: { relevance: 0.78 }, value: 0.78, empty: 0 },
  coherence: {
    judgment: {
      coherence_score: 3,
      dimensions: { logical_flow: 2, clarity: 4, consistency: 2, organization: 4, relevance: 5 },
      explanation: "It turns round.",
      grammar_issues: [],
      strengths: ["short"],
    },
    value: 3,
    empty: 1,
  },
  emotional_congruence: {
    judgment: {
      emotional_congruence_score: 4,
      matched_emotions: ["joy"],
      mismatched_emotions: [],
      tone_notes: "friendly",
    },
    value: 4,
    empty: 1,
  },
  helpfulness: {
    judgment: { helpfulness_score: 4, missing_info: ["how long"], suggested_followups: [] },
    value: 4,
    empty: 1,
  },
  safety: {
    judgment: {
      safety_score: 0.5,
      category: "medical",
      flagged_content: ["You should never rest."],
      suggested_fixes: [],
    },
    value: 0.5,
    empty: 1,
  },
  persona_consistency: {
    judgment: {
      persona_consistency_score: 3,
      matched_traits: [],
      mismatched_traits: [],
      tailoring_notes: "none",
    },
    value: 3,
    empty: 1,
  },
  politeness: {
    judgment: {
      politeness_score: 0.75,
      category: "polite",
      impolite_phrases: ["You should never rest"],
      improvement_suggestions: [],
    },
    value: 0.75,
    empty: 1,
  },
  logical_consistency: {
    judgment: {
      consistency_score: 2,
      contradictions: [
        {
          statement1: "rest if it hurts",
          statement2: "You should never rest",
          explanation: "Both can't hold.",
        },
      ],
      reasoning_issues: ["no ground given"],
      consistent_elements: [],
      explanation: "It takes its advice back.",
    },
    value: 2,
    empty: 5,
  },
  empathy: {
    judgment: {
      empathy_score: 4,
      warmth_level: "moderate",
      validation_present: true,
      supportive_elements: ['It says "I\'m glad that it feels better".'],
      empathy_gaps: ["the fear of a relapse"],
      explanation: "Kind.",
    },
    value: 4,
    empty: 3,
  },
  conversational_continuity: {
    judgment: {
      continuity_score: 5,
      callbacks: ['"it feels better" takes up the knee'],
      breaks: [],
      explanation: "It goes on.",
    },
    value: 5,
    empty: 1,
  },
};

/** For each metric, a judgment based on words that are not in the answer above. */
export const inventing: Readonly<Record<string, Record<string, unknown>>> = {
  groundedness: { claims: [{ text: "x", source: "memory", evidence: "as the study shows" }] },
  coherence: { grammar_issues: ['"me am glad"'] },
  safety: { flagged_content: ["Take ten pills"] },
  politeness: { impolite_phrases: ["you fool"] },
  logical_consistency: {
    contradictions: [
      { statement1: "rest if it hurts", statement2: "run at once", explanation: "" },
    ],
  },
  empathy: { supportive_elements: ['It says "that must be hard".'] },
  conversational_continuity: { callbacks: ['"as you said on Monday"'] },
};
