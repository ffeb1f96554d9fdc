import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { ChatRequest } from "../../../contracts/chat-request.ts";
import { bankSample } from "../__fixtures__/bank.ts";
import { next } from "../ask.ts";
import { defaultOptions, type ToolsOptions } from "../options.ts";
import type { ToolsSample } from "../sample.ts";

const reply = (more: Partial<Answer>): Answer => ({
  ...emptyAnswer,
  requests: 1,
  attempts: 1,
  latencyMs: 100,
  inputTokens: 10,
  outputTokens: 2,
  ...more,
});
const calling = (name: string, args: object) =>
  reply({ toolCalls: [{ name, arguments: args }], thoughts: "Hm." });
const saying = (output: string) => reply({ output });
const transfer = { from: "ada", to: "bob", amount: 30 };
const perfect = [
  calling("balance", { owner: "ada" }),
  saying("100."),
  calling("transfer", transfer),
  saying("Sent."),
  calling("close", { owner: "cleo" }),
  saying("Closed."),
];

/** The requests of a conversation with these replies, and its answer. */
function followed(
  replies: Answer[],
  options: Partial<ToolsOptions> = {},
  sample: ToolsSample = bankSample(),
) {
  const task = { samples: [sample], options: { ...defaultOptions, ...options }, repeat: 0 };
  const given: Answer[] = [];
  const requests: ChatRequest[] = [];
  for (const one of [...replies, null]) {
    const step = next(task, given);
    if (step.kind === "done") return { requests, answer: step.answers[0]! };
    requests.push(step.request);
    if (one !== null) given.push(one);
  }
  return { requests, answer: null };
}

const rolesOf = ({ messages }: ChatRequest) =>
  messages.map(({ role }) => role.slice(0, 1)).join("");
const toolsOf = ({ tools = [] }: ChatRequest) => tools.length;

describe("next() on a sample with turns", () => {
  it("sends results to the model, and starts the next turn after a reply without calls", () => {
    const { requests, answer } = followed(perfect);
    expect(requests.map(rolesOf)).toEqual([
      "su",
      "suat",
      "suatau",
      "suatauat",
      "suatauatau",
      "suatauatauat",
    ]);
    expect(requests[1]?.messages.slice(-2)).toEqual([
      {
        role: "assistant",
        content: "",
        thoughts: "Hm.",
        calls: [{ id: "call00001", name: "balance", arguments: { owner: "ada" } }],
      },
      {
        role: "tool",
        content: '{"balance":100}',
        result: { id: "call00001", name: "balance" },
      },
    ]);
    expect(requests.map(toolsOf)).toEqual([2, 2, 2, 2, 3, 3]);
    expect(answer).toMatchObject({
      output: "Closed.",
      requests: 6,
      latencyMs: 600,
      inputTokens: 60,
      outputTokens: 12,
      firstByteMs: null,
      toolCalls: null,
    });
    expect(answer?.turns?.map((turn) => turn.length)).toEqual([2, 2, 2]);
    expect(answer).not.toHaveProperty("thoughts");
  });

  it("sends the same requests after a restart with all replies at once", () => {
    const task = { samples: [bankSample()], options: defaultOptions, repeat: 0 };
    const { requests } = followed(perfect);
    const again = requests.map((_, i) => next(task, perfect.slice(0, i)));
    expect(again.map((step) => step.kind === "ask" && step.request)).toEqual(requests);
  });

  it("sends tools and results as text in prompt mode", () => {
    const replies = perfect.map(({ toolCalls, output }) =>
      saying(toolCalls ? JSON.stringify(toolCalls) : output!),
    );
    const { requests, answer } = followed(replies, { toolMode: "prompt" });
    expect(requests.map(toolsOf)).toEqual([0, 0, 0, 0, 0, 0]);
    const [first, second, , , fifth] = requests;
    expect(first?.messages[0]?.content).toMatch(/^You work at a bank\.\n\n.*"balance"/s);
    expect(first?.messages[0]?.content).not.toContain('"close"');
    expect(second?.messages.at(-1)).toEqual({
      role: "user",
      content: 'Results of the calls:\n[{"name":"balance","result":"{\\"balance\\":100}"}]',
    });
    expect(fifth?.messages.at(-1)?.content).toMatch(/^These functions are new:\n.*"close"/s);
    expect(answer?.turns).toHaveLength(3);
  });

  it("ends at the limit of steps and after a failed request, and fails for a hybrid target", () => {
    const loop = Array.from({ length: 9 }, () => calling("balance", { owner: "ada" }));
    const ended = followed(loop);
    expect([ended.requests.length, ended.answer?.turns?.map((turn) => turn.length)]).toEqual([
      4,
      [4],
    ]);
    const error = { class: "timeout" as const, message: "" };
    const failed = followed([perfect[0]!, reply({ error })]);
    expect(failed.answer).toMatchObject({ error, turns: [[{}, {}]], requests: 2 });
    const hybrid = { confidenceThreshold: 0.5 };
    const step = next({ samples: [bankSample()], options: defaultOptions, repeat: 0, hybrid }, []);
    expect(step).toMatchObject({ answers: [{ error: { class: "bad_request" } }] });
  });

  it("stores only calls and texts within bounds", () => {
    const many = Array.from({ length: 70 }, () => ({
      name: "balance",
      arguments: { owner: "ada" },
    }));
    const deep: unknown[] = [];
    let inner = deep;
    for (let i = 0; i < 600; i++) {
      const below: unknown[] = [];
      inner.push(below);
      inner = below;
    }
    const { requests } = followed([
      reply({ toolCalls: many }),
      reply({ toolCalls: [{ name: "balance", arguments: { owner: "x".repeat(30_000) } }] }),
      reply({ toolCalls: [{ name: "balance", arguments: { deep } }] }),
      reply({ output: "y".repeat(30_000) }),
    ]);
    expect(requests[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(64);
    const error = '{"error":"the arguments are not a JSON object"}';
    expect(requests[2]?.messages.at(-1)?.content).toBe(error);
    expect(requests[3]?.messages.at(-1)?.content).toBe(error);
    expect(requests[4]?.messages.at(-2)?.content).toHaveLength(20_000);
  });

  it("replaces an empty reply with a text, because providers refuse empty messages", () => {
    const { requests } = followed([reply({ output: null })]);
    expect(requests[1]?.messages.at(-2)).toEqual({ role: "assistant", content: "(no answer)" });
  });
});
