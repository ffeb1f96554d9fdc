import { expect } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { sweepSchema } from "../../../shared/contracts/submissions/sweep.ts";
import { aSubmission, serve } from "./client.ts";
import { answering, harness, relayDataset } from "./harness.ts";
import { knobSuite } from "./knob-suite.ts";

export const suites = {
  all: [knobSuite],
  byId: (id: string) => (id === "relay" ? knobSuite : undefined),
};

/** Wrong on the share of samples that the temperature says, whatever top_p is. */
export const warmingUp = (request: ChatRequest) => {
  const number = Number(request.messages[0]?.content.match(/\d+$/)?.[0]);
  return (number % 10) / 10 < (request.temperature ?? 0) ? { output: "no" } : {};
};

/** A submission with a sweep of the knob suite, its runs not delivered yet. */
export async function submitted(
  sweep: object,
  more: { samples?: number; ask?: Platform["ask"]; body?: object } = {},
) {
  const made = harness({ suites, ask: more.ask ?? answering(warmingUp) });
  const api = serve(made.platform);
  const dataset = await relayDataset(made.platform, more.samples ?? 60);
  const body = aSubmission(dataset, { options: { sweep }, ...more.body });
  const response = await api.post("/v1/submissions", body);
  expect(response.status).toBe(202);
  const submission = (await response.json()) as Submission;
  return { ...made, api, dataset, submission, path: `/v1/submissions/${submission.id}/sweep` };
}

export async function finished(...args: Parameters<typeof submitted>) {
  const made = await submitted(...args);
  await made.deliverAll();
  const response = await made.api.get(made.path);
  expect(response.status).toBe(200);
  return { ...made, sweep: sweepSchema.strict().parse(await response.json()) };
}

export const grid = { temperature: [0, 0.5], top_p: [0.9, 1] };
