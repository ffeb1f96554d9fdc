import { expect } from "vitest";
import { z } from "zod";
import type { Platform } from "../../../api/platform/platform.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { sweepSchema } from "../../../shared/contracts/submissions/sweep.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { aSubmission, serve } from "./client.ts";
import { answering, harness, relayDataset } from "./harness.ts";
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

/** The relay suite with one request per sample and options that can be swept. */
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

export const suites = {
  all: [knobSuite],
  byId: (id: string) => (id === "relay" ? knobSuite : undefined),
};

/** Wrong on a share of samples that equals the temperature. */
export const warmingUp = (request: ChatRequest) => {
  const number = Number(request.messages[0]?.content.match(/\d+$/)?.[0]);
  return (number % 10) / 10 < (request.temperature ?? 0) ? { output: "no" } : {};
};

/** A submission with a sweep of the knob suite; its runs are not delivered. */
export async function submitted(
  sweep: object,
  more: { samples?: number; ask?: Platform["ask"]; body?: object } = {},
) {
  const rig = harness({ suites, ask: more.ask ?? answering(warmingUp) });
  const api = serve(rig.platform);
  const dataset = await relayDataset(rig.platform, more.samples ?? 60);
  const body = aSubmission(dataset, { options: { sweep }, ...more.body });
  const response = await api.post("/v1/submissions", body);
  expect(response.status).toBe(202);
  const submission = (await response.json()) as Submission;
  return { ...rig, api, dataset, submission, path: `/v1/submissions/${submission.id}/sweep` };
}

export async function finished(...args: Parameters<typeof submitted>) {
  const made = await submitted(...args);
  await made.deliverAll();
  const response = await made.api.get(made.path);
  expect(response.status).toBe(200);
  return { ...made, sweep: sweepSchema.strict().parse(await response.json()) };
}

export const grid = { temperature: [0, 0.5], top_p: [0.9, 1] };
