import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { aChat, aClient, jsonSchemaFormat } from "../support/ask.ts";
import { firstRow } from "../support/rows.ts";
import { useSimulator } from "../support/simulator.ts";

const strictSchema = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
  additionalProperties: false,
};
const warm = { temperature: 1 };
const guided = { guided_json: firstRow.schema };
const structured = { structured_outputs: { json: firstRow.schema } };

describe("refuseRequest()", () => {
  const simulator = useSimulator();
  const ask = (profile: string, body: object) =>
    aClient(simulator()).chat.completions.create({
      ...aChat(`sim-instant?profile=${profile}`),
      ...body,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming);

  it.each([
    [
      "openai-strict",
      jsonSchemaFormat(firstRow.schema, true),
      "Invalid schema for response_format 'extraction_result'",
    ],
    ["openai-strict", guided, "Unknown parameter: 'guided_json'."],
    ["openai-strict", structured, "Unknown parameter: 'structured_outputs'."],
    [
      "openai-strict",
      { response_format: { type: "json_object" }, messages: [{ role: "user", content: "hi" }] },
      "must contain the word 'json'",
    ],
    ["openai-strict", { temperature: 3 }, "Invalid value for 'temperature'"],
    [
      "basic",
      jsonSchemaFormat(strictSchema, true),
      "response_format type not supported: 'json_schema'",
    ],
    [
      "basic",
      jsonSchemaFormat(strictSchema, false),
      "response_format type not supported: 'json_schema'",
    ],
    ["basic", guided, "Unrecognized request argument supplied: guided_json"],
    ["reasoning", {}, "Unsupported value: 'temperature' does not support 0 with this model."],
    [
      "reasoning",
      { ...warm, max_tokens: 9 },
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    [
      "reasoning",
      { ...warm, logprobs: true },
      "Unsupported parameter: 'logprobs' is not supported with this model.",
    ],
    ["vllm", { n: 2 }, "Invalid value for 'n'"],
    [
      "vllm",
      { response_format: { type: "json_schema", json_schema: { name: "two words" } } },
      "response_format.json_schema.name",
    ],
  ])("%s refuses %j", async (profile, body, message) => {
    await expect(ask(profile, body)).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ["openai-strict", jsonSchemaFormat(strictSchema, true)],
    ["openai-strict", jsonSchemaFormat(firstRow.schema, false)],
    ["openai-strict", { response_format: { type: "json_object" }, logprobs: true }],
    ["basic", { response_format: { type: "json_object" } }],
    ["basic", {}],
    ["reasoning", { ...warm, max_completion_tokens: 900 }],
    ["vllm", guided],
    ["vllm", structured],
    ["vllm", jsonSchemaFormat(firstRow.schema, true)],
  ])("%s accepts %j", async (profile, body) => {
    expect((await ask(profile, body)).choices[0]?.message.content).toMatch(/^\{/);
  });

  it("refuses recordings for models without audio input", async () => {
    const audio = {
      type: "input_audio" as const,
      input_audio: { data: "AAAA", format: "wav" as const },
    };
    const messages = [{ role: "user" as const, content: [audio] }];
    const create = (model: string) =>
      aClient(simulator()).chat.completions.create({ model, messages });
    expect((await create("sim-audio")).choices).toHaveLength(1);
    await expect(create("sim-large")).rejects.toThrow("does not support audio input");
  });

  it("reports the hidden tokens of reasoning models", async () => {
    const { usage } = await ask("reasoning", warm);
    const { completion_tokens: all = 0, completion_tokens_details: details } = usage ?? {};
    expect(details?.reasoning_tokens).toBe((all * 2) / 3);
  });
});
