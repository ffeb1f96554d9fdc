import { expect, it } from "vitest";
import { type BatchInterface, batchesOf, batchProblem, type ProtocolName } from "./providers.ts";
import { submissionRequestSchema } from "./submission.ts";

it.each<[string, ProtocolName | undefined, BatchInterface | undefined, BatchInterface | null]>([
  ["https://api.openai.com/v1", "responses", undefined, "openai"],
  ["https://eu.api.openai.com/v1", "chat_completions", undefined, "openai"],
  ["https://api.anthropic.com/v1", "messages", undefined, "anthropic"],
  ["https://api.anthropic.com/v1", "chat_completions", undefined, null],
  ["https://generativelanguage.googleapis.com/v1beta", "generate_content", undefined, "gemini"],
  ["https://api.mistral.ai/v1", undefined, undefined, "mistral"],
  ["https://openrouter.ai/api/v1", undefined, undefined, null],
  ["http://localhost:8790/v1", undefined, undefined, null],
  ["http://localhost:8790/v1", "messages", "anthropic", "anthropic"],
  ["http://localhost:8790/v1", undefined, "anthropic", null],
])("batchesOf(%s, protocol %s, batches %s) is %s", (baseUrl, protocol, batches, expected) => {
  expect(batchesOf({ baseUrl, protocol, batches })).toBe(expected);
  const problem = batchProblem({ baseUrl, protocol, batches });
  if (expected !== null) expect(problem).toBeNull();
  else expect(problem).toMatch(/OpenAI, Anthropic, Google \(Gemini\) and Mistral|take requests of/);
});

it("submissionRequestSchema rejects an endpoint whose batches don't support its protocol", () => {
  const endpoint = { baseUrl: "http://localhost:1/v1", model: "m", batches: "anthropic" };
  const models = [{ name: "A", endpoint }];
  const parsed = submissionRequestSchema.safeParse({ suite: "s", dataset: "d", models });
  expect(parsed.error?.issues).toMatchObject([
    {
      path: ["models", 0, "endpoint", "batches"],
      message: expect.stringContaining("protocol messages"),
    },
  ]);
});
