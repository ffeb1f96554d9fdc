import { describe, expect, it } from "vitest";
import { modelClient } from "../../api/providers/ask-model.ts";
import { endpointMemory } from "../../api/providers/endpoint-memory.ts";
import type { Answer } from "../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../shared/contracts/chat-request.ts";
import type { InferenceSettings } from "../../shared/contracts/submissions/inference-settings.ts";
import { type ProtocolName, protocols } from "../../shared/contracts/submissions/providers.ts";
import { endpointOf } from "../faults/stage.ts";
import { aChat } from "../simulator/support/ask.ts";
import { firstRow } from "../simulator/support/rows.ts";
import { useSimulator } from "../simulator/support/simulator.ts";

const simulator = useSimulator();

interface Asked {
  model?: string;
  request?: Partial<ChatRequest>;
  settings?: InferenceSettings;
  streams?: boolean;
  apiKey?: string;
}

async function ask(protocol: ProtocolName, given: Asked = {}): Promise<Answer> {
  const { model = "sim-instant", request, settings, streams = true, apiKey = "sk-any" } = given;
  const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
  const [message] = aChat("m", firstRow).messages;
  const reply = await client(
    {
      ...endpointOf(simulator(), protocol),
      model,
      apiKey,
      maxTokensParam: "max_completion_tokens",
      ...(settings && { settings }),
    },
    {
      messages: [
        { role: "system", content: "You extract. ".repeat(60) },
        { role: "user", content: message?.content as string },
      ],
      structured: { name: "extraction_result", schema: firstRow.schema, mode: "auto" },
      temperature: 0,
      maxTokens: 2048,
      ...request,
    },
    { timeoutMs: 5_000, maxRetries: 0, blockedMs: 0 },
    endpointMemory({ parameters: streams ? [] : ["stream"] }),
  );
  if (reply.kind !== "answer") throw new Error("it was postponed");
  return reply.answer;
}

const tools = [
  {
    type: "function",
    function: {
      name: "roll",
      parameters: { type: "object", properties: { sides: { type: "integer" } } },
    },
  },
];

describe.each(protocols)("%s", (protocol) => {
  it.each([true, false])("answers like chat_completions, streamed: %s", async (streams) => {
    const answer = await ask(protocol, { streams });
    const usual = await ask("chat_completions");
    expect(JSON.parse(answer.output ?? "")).toEqual(firstRow.expected_output);
    expect(answer).toMatchObject({
      error: null,
      structuredMode: "json_schema_strict",
      finishReason: "stop",
      servedModel: "sim-instant",
      inputTokens: usual.inputTokens,
      outputTokens: usual.outputTokens,
      cachedTokens: usual.cachedTokens,
    });
    expect(answer.cachedTokens).toBeGreaterThan(0);
  });

  it.each([true, false])("has separate thoughts, streamed: %s", async (streams) => {
    const answer = await ask(protocol, { model: "sim-instant?thoughts=field", streams });
    expect(answer.thoughts).toContain("However, that is wrong.");
    expect(JSON.parse(answer.output ?? "")).toEqual(firstRow.expected_output);
  });

  it.each([true, false])("has tool calls, streamed: %s", async (streams) => {
    const request = { tools, structured: undefined as never };
    const answer = await ask(protocol, { request, streams });
    const usual = await ask("chat_completions", { request });
    expect(answer.toolCalls?.[1]).toMatchObject({ name: "roll", arguments: expect.any(Object) });
    expect(answer.toolCalls).toEqual(usual.toolCalls);
    expect(answer.finishReason).toBe("tool_calls");
  });

  it.each([true, false])("has refusals, streamed: %s", async (streams) => {
    const answer = await ask(protocol, { model: "sim-instant?faults=refusal", streams });
    expect(answer).toMatchObject({ output: null, error: null });
    expect(answer.refusal).toBeTruthy();
  });

  it("is cut off at the token limit", async () => {
    const answer = await ask(protocol, { request: { maxTokens: 4 } });
    expect(answer.finishReason).toBe("length");
  });

  it("thinks longer with more effort", async () => {
    const think = (reasoningEffort: "low" | "high") =>
      ask(protocol, { model: "sim-reasoning?latency=0", settings: { reasoningEffort } });
    const [low, high] = [await think("low"), await think("high")];
    expect(high.outputTokens!).toBeGreaterThan(2 * low.outputTokens!);
  });

  it("reports an invalid key", async () => {
    const { error } = await ask(protocol, { apiKey: "sk-wrong" });
    expect(error).toMatchObject({ class: "unauthorized" });
  });

  it("reports an unknown model", async () => {
    const { error } = await ask(protocol, { model: "nobody" });
    expect(error).toMatchObject({ class: "not_found" });
  });
});
