import { z } from "zod";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { relaySuite } from "./relay-suite.ts";

const knobs = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(0),
  topP: z.number().min(0).max(1).nullable().default(null),
  maxTokens: z.int().min(1).default(100),
  strict: z.boolean().default(false),
  style: z.string().max(9, "is too long for a style").default("again"),
});
type Knobs = z.infer<typeof knobs>;
type Row = [seq: number, score: number, covered: number];

/** The relay suite in one step and with parameters that can be swept: what proves the contract of sweeps. */
export const knobSuite: Suite = {
  ...relaySuite,
  optionsSchema: knobs.refine(({ temperature, topP }) => temperature !== 2 || topP !== 0, {
    error: "temperature 2 and topP 0 don't go together",
  }),
  sweeps: { temperature: "temperature", top_p: "topP", max_tokens: "maxTokens" },
  promptOptions: ["style"],
  prompt: ({ style }) => ({ style }),
  next({ samples, options }, replies) {
    const [reply] = replies;
    if (reply) return { kind: "done", answers: [reply] };
    const { temperature, topP, maxTokens, style } = options as Knobs;
    const content = `${style}: ${samples[0]?.first ?? ""}`;
    const messages = [{ role: "user" as const, content }];
    return {
      kind: "ask",
      request: { messages, temperature, maxTokens, ...(topP === null ? {} : { topP }) },
    };
  },
  aggregate: {
    empty: () => [],
    add: (state: Row[], { seq, score }) => [
      ...state,
      [seq, score.score ?? 0, Number(score.covered)],
    ],
    finish(state: Row[]) {
      const n = state.length;
      const mean = (k: 1 | 2) => state.reduce((sum, row) => sum + row[k], 0) / n;
      const passed = { value: mean(1), interval: null, n, coverage: mean(2) };
      return { metrics: { passed }, breakdown: null };
    },
  },
};
