import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import { chatCompletions } from "../../../shared/protocols/chat-completions.ts";
import { bankRow, bankSample } from "../../../shared/suites/tools/__fixtures__/bank.ts";
import { next } from "../../../shared/suites/tools/ask.ts";
import { defaultOptions, type ToolsOptions } from "../../../shared/suites/tools/options.ts";
import type { ToolsSample } from "../../../shared/suites/tools/sample.ts";
import { scoreTools } from "../../../shared/suites/tools/score/score.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { type MistakeKind, mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { parseChat } from "../../../simulator/parse-chat.ts";
import { toolsResponder } from "../../../simulator/responders/tools.ts";

const tool = (name: string): JsonObject => ({
  type: "function",
  function: {
    name,
    description: `Calls ${name}.`,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
});
const sample: ToolsSample = {
  id: "rain",
  difficulty: "medium",
  tags: {},
  messages: [
    { role: "system", content: "You know the weather." },
    { role: "user", content: "Is it raining?" },
    { role: "assistant", content: "Where?" },
    { role: "user", content: "In Bergen." },
  ],
  tools: [tool("get_weather"), tool("get_tides")],
  expected_calls: [{ name: "get_weather", arguments: { city: { any_of: ["Bergen"] } } }],
};
const twin: ToolsSample = {
  ...sample,
  id: "twin",
  tools: [tool("get_weather"), tool("get_tides"), tool("ring")],
  expected_calls: [],
};
const strict: ToolsSample = {
  ...sample,
  id: "strict",
  expected_calls: [],
  messages: [{ role: "system", content: "Call nothing." }, ...sample.messages.slice(1)],
};
const responder = toolsResponder([
  sample,
  twin,
  strict,
  { id: "x", prompt: "In Bergen." },
] as unknown as JsonObject[]);

function claimOf(body: object) {
  const parsed = parseChat({ model: "m", ...body });
  return parsed.ok ? responder.claim(parsed.value) : null;
}

function claim(one = sample, options: Partial<ToolsOptions> = {}, body: object = {}) {
  const task = { samples: [one], options: { ...defaultOptions, ...options }, repeat: 0 };
  const step = next(task, []);
  return step.kind === "ask" ? claimOf({ ...step.request, ...body }) : null;
}
const play = { rates: mistakeRates(0), draws: drawsFrom(1) };
const answered = (...of: Parameters<typeof claim>) => claim(...of)?.answer(play);
const inPrompt = { toolMode: "prompt" } as const;

describe("toolsResponder()", () => {
  it("recognises a conversation in both modes", () => {
    expect([claim()?.id, claim(sample, inPrompt)?.id]).toEqual(["rain", "rain"]);
    expect(claim(sample, inPrompt)?.key).toBe(claim()?.key);
  });

  it("recognises a conversation inside another prompt", () => {
    const [, ...said] = sample.messages.map(({ role, content }) => `${role}: ${content}`);
    const content = `Tools: ${JSON.stringify(sample.tools)}\n${said.join("\n")}\nAnswer with a JSON array.`;
    expect(claimOf({ messages: [{ role: "user", content }] })?.id).toBe("rain");
  });

  it("distinguishes samples with the same conversation by functions and system message", () => {
    expect([claim(twin)?.id, claim(twin, inPrompt)?.id]).toEqual(["twin", "twin"]);
    expect([claim(strict)?.id, claim(strict, inPrompt)?.id]).toEqual(["strict", "strict"]);
  });

  it("does not claim requests without tools or with tool_choice none", () => {
    expect(claim(sample, {}, { tools: [] })).toBeNull();
    expect(claim(sample, {}, { tool_choice: "none" })).toBeNull();
  });

  it("answers an unknown conversation with one call of the first function", () => {
    const unknown = { messages: [{ role: "user", content: "In Rome?" }], tools: sample.tools };
    const { toolCalls, confidence } = claimOf(unknown)?.answer(play) ?? {};
    expect([toolCalls?.map(({ name }) => name), confidence]).toEqual([["get_weather"], undefined]);
  });

  const calls = [{ name: "get_weather", arguments: '{"city":"Bergen"}' }];

  it("answers with tool calls, or with JSON if the tools are in the prompt", () => {
    expect(answered()).toMatchObject({ content: null, toolCalls: calls });
    const json = '[{"name":"get_weather","arguments":{"city":"Bergen"}}]';
    expect(answered(sample, inPrompt)).toMatchObject({ content: json, toolCalls: [] });
  });

  it("answers without calls, in words or as an empty list, if none is expected", () => {
    expect(answered(twin)).toMatchObject({
      content: expect.stringMatching(/^None/),
      toolCalls: [],
    });
    expect(answered(twin, inPrompt)).toMatchObject({ content: "[]", toolCalls: [] });
  });

  function spoilt(kind: MistakeKind, options: Partial<ToolsOptions> = {}) {
    const rates = { ...mistakeRates(0), [kind]: 1 };
    return claim(sample, options)?.answer({ ...play, rates });
  }

  it("reports its mistakes", () => {
    expect(spoilt("missed_call")).toMatchObject({ toolCalls: [], mistakes: ["missed_call"] });
    expect(spoilt("refusal")).toMatchObject({ toolCalls: [], refusal: expect.any(String) });
    expect(spoilt("fenced", inPrompt)?.content).toMatch(/^```json\n\[/);
    expect(spoilt("fenced")).toMatchObject({ toolCalls: calls, mistakes: [] });
    const broken = JSON.parse(spoilt("malformed_arguments", inPrompt)?.content ?? "");
    expect(broken).toEqual([{ name: "get_weather", arguments: expect.any(String) }]);
  });

  it.each([["native"], ["prompt"]] as const)("completes a conversation in mode %s", (toolMode) => {
    const bank = bankSample();
    const clerk = toolsResponder([bankRow]);
    const options = { ...defaultOptions, toolMode };
    const replies: Answer[] = [];
    for (;;) {
      const step = next({ samples: [bank], options, repeat: 0 }, replies);
      if (step.kind === "done") {
        const rules = { ...options, rankBy: "conversations" } as const;
        expect(scoreTools(bank, step.answers[0]!, rules).score).toBe(1);
        expect(replies).toHaveLength(6);
        return;
      }
      const body = chatCompletions.body({
        endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m", maxTokensParam: "max_tokens" },
        request: step.request,
        mode: "none",
        refused: new Set(),
        streams: false,
      });
      const parsed = parseChat(body);
      const reply = parsed.ok ? clerk.claim(parsed.value)?.answer(play) : null;
      const toolCalls = reply?.toolCalls.map((call) => ({ ...call })) ?? [];
      const output = reply?.content ?? null;
      replies.push({
        ...emptyAnswer,
        requests: 1,
        output,
        ...(toolCalls.length > 0 && { toolCalls }),
      });
    }
  });

  it("has high confidence without mistakes, and low confidence with frequent ones", () => {
    expect(answered()?.confidence).toBe(0.999);
    expect(spoilt("missed_call")?.confidence).toBeLessThan(0.2);
  });
});
