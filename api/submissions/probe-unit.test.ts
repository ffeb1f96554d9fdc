import { describe, expect, it } from "vitest";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { evenlySpaced, probeUnit } from "./probe-unit.ts";

/** A suite that asks the given requests, one after the other. */
const asking = (...requests: Partial<ChatRequest>[]) =>
  ({
    next: (_task: unknown, replies: readonly unknown[]) => {
      const request = requests[replies.length];
      return request ? { kind: "ask", request } : { kind: "done", answers: [] };
    },
  }) as unknown as Suite;

const task = { samples: [], options: {}, repeat: 0 };
const says = (content: string) => [{ role: "user" as const, content }];

describe("probeUnit()", () => {
  it("counts requests, the characters that they hold and what replies may take", () => {
    const schema = { type: "object" };
    const suite = asking(
      { messages: says("12345"), maxTokens: 100 },
      { messages: says("123"), maxTokens: 50, structured: { name: "x", schema, mode: "auto" } },
    );
    expect(probeUnit(suite, task)).toEqual({
      units: 1,
      requests: 2,
      characters: 5 + 3 + JSON.stringify(schema).length,
      maxTokens: 150,
    });
  });

  it("knows no bound where one request has none", () => {
    const suite = asking({ messages: says("a"), maxTokens: 100 }, { messages: says("b") });
    expect(probeUnit(suite, task).maxTokens).toBeNull();
  });

  it("ends with a suite that does not", () => {
    const endless = { next: () => ({ kind: "ask", request: { messages: [] } }) };
    expect(probeUnit(endless as unknown as Suite, task).requests).toBe(1_000);
  });
});

it.each([
  [10, 3, [1, 5, 8]],
  [3, 50, [0, 1, 2]],
  [0, 50, []],
  [1_000_000, 1, [500_000]],
])("evenlySpaced(%i, %i) is %j", (length, count, expected) => {
  expect(evenlySpaced(length, count)).toEqual(expected);
});
