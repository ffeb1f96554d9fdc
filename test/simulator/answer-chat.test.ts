import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { aChat, aClient, jsonSchemaFormat, post, readJson } from "./support/ask.ts";
import { firstRow, rows } from "./support/rows.ts";
import { useSimulator } from "./support/simulator.ts";

const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

describe("answerChat()", () => {
  const simulator = useSimulator();
  const create = (body: object) =>
    aClient(simulator()).chat.completions.create({ ...aChat("sim-perfect"), ...body });
  const text = async (body: object) => (await post(simulator(), body)).text();

  it("answers a known text with its expected output, in OpenAI's format", async () => {
    const answer = await create({});
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual(firstRow.expected_output);
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "sim-perfect",
      system_fingerprint: "simulator",
      choices: [{ index: 0, message: { role: "assistant", refusal: null }, finish_reason: "stop" }],
    });
  });

  it("counts four characters per token", async () => {
    const { usage, choices } = await create({});
    const prompt = String(aChat("sim-perfect").messages[0]?.content);
    expect(usage?.prompt_tokens).toBe(Math.ceil(prompt.length / 4));
    expect(usage?.completion_tokens).toBe(
      Math.ceil((choices[0]?.message.content?.length ?? 0) / 4),
    );
  });

  it("finds a text within any prompt", async () => {
    const content = `Please read this: ${rows[3]?.text} Now give me JSON.`;
    const answer = await create({
      messages: [{ role: "user", content: [{ type: "text", text: content }] }],
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual(rows[3]?.expected_output);
  });

  it("answers an unknown text with a value of its schema", async () => {
    const row = { ...firstRow, text: "Something that no dataset holds, 12 times." };
    const answer = await create(aChat("sim-perfect", row));
    const value = JSON.parse(answer.choices[0]?.message.content ?? "");
    expect(value).toMatchObject({
      name: expect.any(String),
      items: [{ label: expect.any(String) }],
    });
    expect(row.text).toContain(value.name);
  });

  it("answers with the same bytes at temperature 0, and differs by model, seed and temperature", async () => {
    const body = aChat("sim-tiny");
    const first = await text(body);
    expect(await text(body)).toBe(first);
    expect(await text({ ...body, seed: 2 })).not.toBe(first);
    expect(await text({ ...body, model: "sim-tiny?seed=2" })).not.toBe(first);
    const warm = await Promise.all([1, 2, 3].map(() => text({ ...body, temperature: 1 })));
    expect(new Set(warm).size).toBe(3);
  });

  it("truncates at the token limit", async () => {
    const { choices, usage } = await create({ max_tokens: 5 });
    expect(choices[0]).toMatchObject({ finish_reason: "length" });
    expect(choices[0]?.message.content).toHaveLength(20);
    expect(usage?.completion_tokens).toBe(5);
  });

  it("streams the same content, and usage on request", async () => {
    const whole = await create({});
    const stream = await aClient(simulator()).chat.completions.create({
      ...aChat("sim-perfect?latency=60"),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const content = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(content).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  });

  it.each([
    ["auto", ["weather"]],
    [{ type: "function", function: { name: "other" } }, ["other"]],
    ["none", undefined],
  ])("calls a tool by tool_choice %j", async (tool_choice, names) => {
    const other = { ...weather, function: { ...weather.function, name: "other" } };
    const body = {
      messages: [{ role: "user", content: "Is it raining in Oslo?" }],
      tools: [weather, other],
    };
    const choice = (await create({ ...body, tool_choice })).choices[0];
    const calls = choice?.message.tool_calls?.filter((call) => call.type === "function");
    expect(calls?.map((call) => call.function.name)).toEqual(names);
    expect(choice?.finish_reason).toBe(names ? "tool_calls" : "stop");
    if (calls)
      expect(JSON.parse(calls[0]?.function.arguments ?? "")).toEqual({ city: expect.any(String) });
  });

  it("streams tool calls piece by piece", async () => {
    const { messages } = aChat("sim-perfect");
    const stream = aClient(simulator()).chat.completions.stream({
      model: "sim-perfect",
      messages,
      tools: [weather],
    });
    const [call] = (await stream.finalMessage()).tool_calls ?? [];
    expect(call).toMatchObject({ function: { name: "weather" } });
    expect(
      JSON.parse((call as { function: { arguments: string } }).function.arguments),
    ).toHaveProperty("city");
  });

  it("returns log probabilities whose mean decreases with mistakes", async () => {
    const confidence = async (model: string) => {
      const tokens =
        (await create({ ...aChat(model), logprobs: true })).choices[0]?.logprobs?.content ?? [];
      return Math.exp(tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length);
    };
    expect(await confidence("sim-perfect")).toBeGreaterThan(0.95);
    expect(await confidence("sim-perfect?mistakes=typo:1")).toBeLessThan(0.85);
  });

  it("follows the schema if the mode enforces it", async () => {
    const model = "sim-perfect?mistakes=wrong_type,omit_required,fenced";
    const strict = await create({ ...aChat(model), ...jsonSchemaFormat(firstRow.schema, true) });
    expect(JSON.parse(strict.choices[0]?.message.content ?? "")).toEqual(firstRow.expected_output);
    expect((await create(aChat(model))).choices[0]?.message.content).toMatch(/^```json/);
  });

  it("answers other requests in prose", async () => {
    const messages = [{ role: "user", content: "Why is the sky blue at noon and red at dusk?" }];
    expect((await create({ messages })).choices[0]?.message.content).toMatch(/ Overall, /);
  });

  it("returns the source from the model's name", async () => {
    const answer = await post(simulator(), aChat("sim-instant?source=on-device"));
    expect(answer.headers.get("x-inference-source")).toBe("on-device");
    expect(await answer.json()).toMatchObject({ source: "on-device" });
    expect(await (await post(simulator(), aChat("sim-instant"))).json()).not.toHaveProperty(
      "source",
    );
  });

  it.each([
    [{ model: "nope" }, 404, "The model `nope` does not exist"],
    [{ model: "sim-large?colour=red" }, 400, "unknown override 'colour'"],
    [{ messages: [] }, 400, "Invalid 'messages'"],
    [{ messages: undefined }, 400, "Missing required parameter: 'messages'."],
  ])("refuses %j", async (change, status, message) => {
    const answer = await post(simulator(), { ...aChat("sim-perfect"), ...change });
    expect(answer.status).toBe(status);
    expect((await readJson(answer)).error.message).toContain(message);
  });
});
