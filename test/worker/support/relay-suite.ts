import { z } from "zod";
import type { Answer } from "../../../shared/contracts/answer.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";

/** A sample of the relay suite; its second question contains the first answer. */
export interface RelaySample {
  id: string;
  first: string;
  expected: string;
}

const sampleSchema = z.object({ id: z.string(), first: z.string(), expected: z.string() });

interface RelayState {
  scores: [number, number][];
}

/**
 * A suite for tests. Its units need two requests, and the second is made from the reply to
 * the first, which proves that the pipeline knows units and requests but no specific suite.
 */
export const relaySuite: Suite<RelaySample, Record<string, never>, { said: string }, RelayState> = {
  id: "relay",
  version: "1",
  label: "Relay",
  question: "Does the model pass a word on?",
  headline: "passed",
  boardMetrics: [],
  metrics: [
    {
      id: "passed",
      label: "Passed on",
      unit: "ratio",
      better: "higher",
      format: "score",
      definition: "Share of samples whose second answer is the expected one.",
    },
  ],
  optionsSchema: z.strictObject({}),
  checkSample(row) {
    const parsed = sampleSchema.safeParse(row);
    if (!parsed.success) return { ok: false, error: "not a relay sample" };
    return { ok: true, value: { sample: parsed.data, warnings: [] } };
  },
  sampleHead: (sample) => ({ id: sample.id, group: null, tags: {} }),
  plan: (heads) => heads.map((_, i) => ({ samples: [i], repeat: 0 })),
  next({ samples }, replies) {
    const reply = replies.at(-1);
    if (replies.length === 2 || reply?.error) return { kind: "done", answers: [reply as Answer] };
    const content = reply ? `again: ${reply.output}` : (samples[0]?.first ?? "");
    return { kind: "ask", request: { messages: [{ role: "user", content }] } };
  },
  score(sample, answer) {
    const said = answer.output ?? "";
    const score = said === sample.expected ? 1 : 0;
    return { status: "scored", score, covered: answer.error === null, detail: { said } };
  },
  fieldTable: {
    columns: [{ id: "said", description: "the second answer" }],
    rows: ({ score: { detail } }) => (detail === null ? [] : [{ said: detail.said }]),
  },
  sampleText: ({ first, expected }) => ({ input: first, references: [expected] }),
  sampleValues: ({ score }) => ({ passed: score }),
  aggregate: {
    empty: () => ({ scores: [] }),
    add: (state, sample) => ({ scores: [...state.scores, [sample.seq, sample.score.score ?? 0]] }),
    finish(state) {
      const n = state.scores.length;
      const value = state.scores.reduce((sum, [, score]) => sum + score, 0) / n;
      return { metrics: { passed: { value, interval: null, n, coverage: 1 } }, breakdown: { n } };
    },
  },
  report: ({ metrics }, { points, options }) => [
    {
      id: "summary",
      title: "Summary",
      intro: `Of ${points?.answers} answers.`,
      blocks: [
        {
          kind: "note",
          title: "Passed on",
          tone: "neutral",
          text: JSON.stringify({ value: metrics["passed"]?.value, options }),
        },
      ],
    },
  ],
  features: ({ detail }) => ({ characters: detail.said.length }),
  showSample: ({ sample, answer, score }) => [
    {
      kind: "text",
      title: sample.id,
      text: answer.output ?? "",
      marks: [],
      left: 0,
      isCode: false,
    },
    {
      kind: "note",
      title: "Said",
      tone: "neutral",
      text: `${score.detail?.said}: ${score.score}`,
    },
  ],
  scoringOptions: () => ({}),
  prompt: () => "relay",
};
