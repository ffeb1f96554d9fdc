import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../contracts/chat-request.ts";
import type { InferenceSettings } from "../contracts/submissions/inference-settings.ts";
import { protocolAt, usualProtocol } from "../contracts/submissions/providers.ts";
import { headersOf, ladderOf, protocolOf } from "./protocol-of.ts";

const schema = { type: "object" };
const parameters = { type: "object", properties: { city: { type: "string" } } };
const request: ChatRequest = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather?" },
  ],
  structured: { name: "n", schema, mode: "auto" },
  tools: [{ type: "function", function: { name: "weather", description: "d", parameters } }],
  temperature: 0,
  topP: 0.9,
  maxTokens: 50,
  seed: 7,
};
const endpoint = {
  baseUrl: "https://models.example/v1",
  model: "m",
  maxTokensParam: "max_tokens",
} as const;
const written = (
  protocol: Parameters<typeof protocolOf>[0]["protocol"],
  more: Partial<ChatRequest> = {},
  refused: string[] = [],
  settings: InferenceSettings = {},
) =>
  protocolOf({ protocol }).body({
    endpoint: { ...endpoint, settings },
    request: { ...request, ...more },
    mode: "json_schema_strict",
    refused: new Set(refused),
    streams: true,
  });

describe("body() of each protocol", () => {
  it("writes a Chat Completions request", () => {
    expect(written("chat_completions")).toEqual({
      model: "m",
      messages: request.messages,
      temperature: 0,
      top_p: 0.9,
      max_tokens: 50,
      seed: 7,
      tools: request.tools,
      response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("writes a Responses request, without the seed", () => {
    expect(written("responses")).toEqual({
      model: "m",
      input: request.messages,
      store: false,
      temperature: 0,
      top_p: 0.9,
      max_output_tokens: 50,
      tools: [{ type: "function", name: "weather", description: "d", parameters, strict: false }],
      text: { format: { type: "json_schema", name: "n", schema, strict: true } },
      stream: true,
    });
  });

  it("writes a Messages request, which always has a token limit", () => {
    const body = {
      model: "m",
      max_tokens: 50,
      system: "Be brief.",
      messages: [{ role: "user", content: "Weather?" }],
      temperature: 0,
      top_p: 0.9,
      tools: [{ name: "weather", description: "d", input_schema: parameters }],
      output_config: { format: { type: "json_schema", schema } },
      stream: true,
    };
    expect(written("messages")).toEqual(body);
    const { maxTokens: _, ...unlimited } = request;
    expect(written("messages", { ...unlimited, maxTokens: undefined as never })).toMatchObject({
      max_tokens: 16_384,
    });
  });

  it("writes a Gemini request", () => {
    expect(written("generate_content")).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Weather?" }] }],
      tools: [
        {
          functionDeclarations: [
            { name: "weather", description: "d", parametersJsonSchema: parameters },
          ],
        },
      ],
      generationConfig: {
        temperature: 0,
        topP: 0.9,
        maxOutputTokens: 50,
        seed: 7,
        responseMimeType: "application/json",
        responseJsonSchema: schema,
      },
    });
  });

  it.each(["chat_completions", "responses", "messages", "generate_content"] as const)(
    "omits fields that the endpoint refuses: %s",
    (protocol) => {
      const body = written(protocol, {}, ["temperature", "top_p", "topP"]);
      expect(JSON.stringify(body)).not.toMatch(/temperature|top_?p/i);
    },
  );

  it.each([
    ["responses", "https://api.openai.com/v1", { max_output_tokens: 32_050 }],
    ["messages", "https://api.anthropic.com/v1", { max_tokens: 32_050 }],
    ["chat_completions", "https://api.groq.com/openai/v1", { max_tokens: 32_050 }],
    ["chat_completions", "http://localhost:8000/v1", { max_tokens: 50 }],
  ] as const)("sets the token limit: %s at %s", (protocol, baseUrl, limit) => {
    const settings: InferenceSettings = { reasoningEffort: "high" };
    const body = protocolOf({ protocol }).body({
      endpoint: { ...endpoint, baseUrl, settings },
      request,
      mode: "json_schema_strict",
      refused: new Set(),
      streams: true,
    });
    expect(body).toMatchObject(limit);
  });

  it("switches thoughts off with chat_template_kwargs, unless the endpoint refuses it", () => {
    const off: InferenceSettings = { reasoningEffort: "none" };
    expect(written("chat_completions", {}, [], off)).toMatchObject({
      chat_template_kwargs: { enable_thinking: false },
    });
    const refused = written("chat_completions", {}, ["chat_template_kwargs"], off);
    expect(refused).not.toHaveProperty("chat_template_kwargs");
  });

  it("moves verbosity into the text settings of Responses", () => {
    const settings: InferenceSettings = { extraBody: { verbosity: "low" } };
    const body = written("responses", {}, [], settings);
    expect(body).toMatchObject({ text: { verbosity: "low", format: { type: "json_schema" } } });
    expect(body).not.toHaveProperty("verbosity");
  });

  it.each([
    ["chat_completions", { reasoning_effort: "high" }],
    ["responses", { reasoning: { effort: "high", summary: "auto" } }],
    [
      "messages",
      {
        output_config: { format: { type: "json_schema", schema }, effort: "high" },
        thinking: { type: "adaptive", display: "summarized" },
      },
    ],
    [
      "generate_content",
      {
        generationConfig: expect.objectContaining({
          thinkingConfig: { includeThoughts: true, thinkingLevel: "high" },
        }),
      },
    ],
  ] as const)("writes the reasoning effort: %s", (protocol, fields) => {
    expect(written(protocol, {}, [], { reasoningEffort: "high" })).toMatchObject(fields);
  });

  it("writes only the effort if the endpoint refuses to return thoughts", () => {
    const high = { reasoningEffort: "high" as const };
    expect(written("messages", {}, [], high)).not.toHaveProperty("temperature");
    const alone = written("messages", {}, ["thinking"], high);
    expect(alone).toMatchObject({ output_config: { effort: "high" }, temperature: 0 });
    expect(alone).not.toHaveProperty("thinking");
    const own = { ...high, extraBody: { thinking: { type: "adaptive" } } };
    expect(written("messages", {}, [], own)).toMatchObject({ thinking: { type: "adaptive" } });
    expect(written("responses", {}, ["reasoning.summary"], high)["reasoning"]).toEqual({
      effort: "high",
    });
    expect(written("responses", {}, [], { reasoningEffort: "none" })["reasoning"]).toEqual({
      effort: "none",
    });
  });

  it.each([
    ["chat_completions", { tool_choice: "required" }],
    ["responses", { tool_choice: "required" }],
    ["messages", { tool_choice: { type: "any" } }],
    ["generate_content", { toolConfig: { functionCallingConfig: { mode: "ANY" } } }],
  ] as const)("forces a tool call only if the request requires one: %s", (protocol, fields) => {
    expect(written(protocol, { toolChoice: "required" })).toMatchObject(fields);
    expect(JSON.stringify(written(protocol, {}))).not.toMatch(/tool_?(choice|config)/i);
  });

  it("adds the thinking budget to the token limit", () => {
    const body = written("messages", {}, [], { thinkingBudget: 8_000 });
    expect(body).toMatchObject({
      max_tokens: 8_050,
      thinking: { type: "enabled", budget_tokens: 8_000 },
    });
    expect(body).not.toHaveProperty("temperature");
    expect(written("messages", {}, [], { reasoningEffort: "none" })).toMatchObject({
      thinking: { type: "disabled" },
    });
    expect(written("generate_content", {}, [], { thinkingBudget: 512 })).toMatchObject({
      generationConfig: {
        maxOutputTokens: 562,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
      },
    });
  });

  it("includes the extra body fields of the settings", () => {
    const settings = { extraBody: { chat_template_kwargs: { enable_thinking: false } } };
    for (const protocol of ["chat_completions", "responses", "messages"] as const) {
      expect(written(protocol, {}, [], settings)).toMatchObject(settings.extraBody);
    }
  });

  it("includes a recording, or throws if the interface accepts none", () => {
    const audio = { data: "UklGRg==", format: "wav" as const };
    expect(JSON.stringify(written("responses", { audio }))).toContain('"input_audio"');
    expect(JSON.stringify(written("generate_content", { audio }))).toContain('"audio/wav"');
    expect(() => written("messages", { audio })).toThrow("takes no recordings");
  });

  it("throws for a structured-output mode that the interface lacks", () => {
    const asked = { endpoint, request, refused: new Set<string>(), streams: false };
    for (const protocol of ["responses", "messages", "generate_content"] as const) {
      const { body } = protocolOf({ protocol });
      expect(() => body({ ...asked, mode: "guided_json" })).toThrow("has no mode guided_json");
    }
  });
});

it.each([
  ["https://api.anthropic.com/v1", "/messages", { "x-api-key": "k" }],
  [
    "https://generativelanguage.googleapis.com/v1beta",
    "/models/m:generateContent",
    { "x-goog-api-key": "k" },
  ],
  [
    "https://generativelanguage.googleapis.com/v1beta/openai",
    "/chat/completions",
    { authorization: "Bearer k" },
  ],
  ["https://api.openai.com/v1", "/responses", { authorization: "Bearer k" }],
  ["https://eu.api.openai.com/v1", "/responses", { authorization: "Bearer k" }],
  ["https://api.openai.com.example/v1", "/chat/completions", { authorization: "Bearer k" }],
  ["https://x.openai.azure.com/openai/v1", "/chat/completions", { "api-key": "k" }],
  ["https://api.example.com/v1", "/chat/completions", { authorization: "Bearer k" }],
])("path() and headersOf() for %s give %s and the key's header", (baseUrl, path, headers) => {
  const protocol = protocolAt(baseUrl);
  expect(protocolOf({ protocol }).path("m", false)).toBe(path);
  expect(headersOf({ baseUrl, protocol }, "k")).toMatchObject(headers);
});

it.each([
  ["google", "https://generativelanguage.googleapis.com/v1beta", "generate_content"],
  ["google", "https://generativelanguage.googleapis.com/v1beta/openai", "chat_completions"],
  ["google", "https://gateway.example.com/v1beta", "generate_content"],
  ["anthropic", "https://gateway.example.com/v1", "messages"],
  ["openai", "https://api.openai.com/v1", "responses"],
] as const)("usualProtocol(%s, %s) is %s", (provider, baseUrl, protocol) => {
  expect(usualProtocol(provider, baseUrl)).toBe(protocol);
});

it("OpenRouter gets effort and thinking budget in the object reasoning", () => {
  const at = (settings: InferenceSettings) =>
    protocolOf({}).body({
      endpoint: { ...endpoint, baseUrl: "https://openrouter.ai/api/v1", settings },
      request,
      mode: "none",
      refused: new Set(),
      streams: false,
    });
  expect(at({ reasoningEffort: "low" })).toMatchObject({ reasoning: { effort: "low" } });
  expect(at({ thinkingBudget: 900 })).toMatchObject({
    reasoning: { max_tokens: 900 },
    max_tokens: 950,
  });
  expect(at({ thinkingBudget: 0 })).toMatchObject({ reasoning: { effort: "none" } });
});

it("OpenRouter's providers must enforce a schema; Anthropic's OpenAI-compatible interface gets none", () => {
  const at = (baseUrl: string, settings: InferenceSettings = {}) =>
    protocolOf({}).body({
      endpoint: { ...endpoint, baseUrl, settings },
      request,
      mode: "json_schema_strict",
      refused: new Set(),
      streams: false,
    });
  const routed = "https://openrouter.ai/api/v1";
  expect(at(routed)).toMatchObject({ provider: { require_parameters: true } });
  const extraBody = { provider: { order: ["groq"], require_parameters: false } };
  expect(at(routed, { extraBody })).toMatchObject(extraBody);
  expect(at("https://api.example.com/v1")).not.toHaveProperty("provider");
  expect(ladderOf({ baseUrl: "https://api.anthropic.com/v1" })).toEqual(["none"]);
});

it("Mistral gets the seed as random_seed, and Gemini top_k as generationConfig.topK", () => {
  const asked = { request, mode: "none", refused: new Set<string>(), streams: false } as const;
  const baseUrl = "https://api.mistral.ai/v1";
  const chat = protocolOf({}).body({ ...asked, endpoint: { ...endpoint, baseUrl } });
  expect(chat).toMatchObject({ random_seed: 7 });
  expect(chat).not.toHaveProperty("seed");
  const settings = { extraBody: { top_k: 4 } };
  const gemini = protocolOf({ protocol: "generate_content" });
  const body = gemini.body({ ...asked, endpoint: { ...endpoint, settings } });
  expect(body).toMatchObject({ generationConfig: { topK: 4 } });
  expect(body).not.toHaveProperty("top_k");
});

it("ladderOf() contains vLLM's modes only for hosts that are not known providers", () => {
  expect(ladderOf({ baseUrl: "https://api.groq.com/openai/v1" })).not.toContain("guided_json");
  expect(ladderOf({ baseUrl: "https://vllm.example/v1" })).toEqual([
    "json_schema_strict",
    "json_schema",
    "structured_outputs",
    "guided_json",
    "json_object",
    "none",
  ]);
});

it("text of a Responses stream is a thought if its message is commentary", () => {
  const parts = protocolOf({ protocol: "responses" }).parts();
  const kinds = ["commentary", "final_answer", null].map((phase, output_index) => {
    const item = { type: "message", phase, content: [] };
    parts.add({ type: "response.output_item.added", output_index, item });
    return parts.add({ type: "response.output_text.delta", output_index, delta: "Let me look" });
  });
  expect(kinds).toEqual(["thought", "answer", "answer"]);
});
