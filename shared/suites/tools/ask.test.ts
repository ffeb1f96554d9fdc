import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import type { HybridRouting } from "../../contracts/runs/unit.ts";
import { pingSample } from "./__fixtures__/ping.ts";
import { next } from "./ask.ts";
import { defaultOptions, toolsOptionsSchema } from "./options.ts";

const sample = pingSample("one", "easy", [1]);
const answer = (more: Partial<Answer>): Answer => ({ ...emptyAnswer, requests: 1, ...more });

function step(
  replies: Answer[],
  {
    hybrid = null,
    ...more
  }: Partial<typeof defaultOptions> & { hybrid?: HybridRouting | null } = {},
  samples = [sample],
) {
  return next({ samples, options: { ...defaultOptions, ...more }, repeat: 0, hybrid }, replies);
}

describe("next()", () => {
  it("sends messages and tools in OpenAI's format, with or without the wrapper in the sample", () => {
    const bare = { ...sample, tools: [{ name: "ping", parameters: {} }] };
    expect(step([], {}, [bare])).toMatchObject({
      kind: "ask",
      request: {
        messages: sample.messages,
        tools: [{ type: "function", function: { name: "ping", parameters: {} } }],
      },
    });
  });

  it("omits an empty list of tools, which endpoints refuse", () => {
    const asked = step([], {}, [{ ...sample, tools: [] }]);
    expect(asked.kind === "ask" && "tools" in asked.request).toBe(false);
  });

  it("appends the tools to the sample's system message in prompt mode", () => {
    const own = { role: "system" as const, content: "Be brief." };
    const asked = step([], { toolMode: "prompt" }, [
      { ...sample, messages: [own, ...sample.messages] },
    ]);
    if (asked.kind !== "ask") throw new Error("asks nothing");
    expect(asked.request.tools).toBeUndefined();
    expect(asked.request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(asked.request.messages[0]?.content).toMatch(/^Be brief\.\n\nYou can call .*"pong"/s);
  });

  it("returns the reply as the answer", () => {
    const first = answer({ output: "Hi." });
    expect(step([first])).toEqual({ kind: "done", answers: [first] });
  });

  const hybrid = { confidenceThreshold: 0.8 };

  it("asks the local endpoint first, and keeps a confident answer", () => {
    const local = answer({ confidence: 0.8, latencyMs: 40 });
    expect(step([], { hybrid })).toMatchObject({ to: "local", request: { logprobs: true } });
    expect(step([local], { hybrid })).toMatchObject({
      answers: [{ source: "on-device", latencyMs: 40, requests: 1, hybrid: { cloud: null } }],
    });
  });

  it.each<[string, Partial<Answer>]>([
    ["has a low confidence", { confidence: 0.79, latencyMs: 40, outputTokens: 3 }],
    ["states no confidence", { latencyMs: 40, outputTokens: 3 }],
  ])("asks the cloud if the local endpoint %s, and sums times and tokens of both", (_, local) => {
    expect(step([answer(local)], { hybrid })).toMatchObject({ kind: "ask", to: "cloud" });
    const cloud = answer({ latencyMs: 300, firstByteMs: 100, outputTokens: 4, source: "x" });
    expect(step([answer(local), cloud], { hybrid })).toMatchObject({
      answers: [
        { source: "cloud", latencyMs: 340, firstByteMs: 140, outputTokens: 7, requests: 2 },
      ],
    });
  });

  it("asks the cloud if the local call fails, even if its time is unknown", () => {
    const local = answer({ error: { class: "timeout", message: "" }, confidence: 1 });
    expect(step([local], { hybrid })).toMatchObject({ to: "cloud" });
    expect(step([local, answer({ latencyMs: 300 })], { hybrid })).toMatchObject({
      answers: [
        { source: "cloud", latencyMs: 300, error: null, hybrid: { local: { error: local.error } } },
      ],
    });
  });

  it("asks both in a sweep, and still keeps the valid local answer", () => {
    const local = answer({ confidence: 0.9, output: "local", latencyMs: 40 });
    expect(step([local], { hybrid, hybridSweep: true })).toMatchObject({ to: "cloud" });
    const cloud = answer({ output: "cloud", latencyMs: 300 });
    expect(step([local, cloud], { hybrid, hybridSweep: true })).toMatchObject({
      answers: [{ output: "local", latencyMs: 40, hybrid: { cloud: { output: "cloud" } } }],
    });
  });
});

it("toolsOptionsSchema requires {tools} in the tool prompt", () => {
  const options = { toolMode: "prompt", toolPrompt: "Call something." };
  expect(toolsOptionsSchema.safeParse(options).error?.issues[0]?.message).toContain("{tools}");
});
