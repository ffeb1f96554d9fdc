import { describe, expect, it } from "vitest";
import { anExchange } from "./__fixtures__/judgments.ts";
import { withManner } from "./judge-manner.ts";
import { promptHash, systemPrompt } from "./judge-prompt.ts";
import { judgeRequest, judgmentKey, repairRequest } from "./judge-request.ts";
import { empathy } from "./metrics/empathy.ts";
import { relevance } from "./metrics/relevance.ts";

const first = judgeRequest(empathy, anExchange());

it("repairRequest() repeats the request with the reply and its flaws", () => {
  const { messages, ...rest } = repairRequest(first, '{"empathy_score": 9}', "/empathy_score: x");
  expect(messages.slice(0, 2)).toEqual(first.messages);
  expect(messages.slice(2)).toEqual([
    { role: "assistant", content: '{"empathy_score": 9}' },
    { role: "user", content: expect.stringContaining("/empathy_score: x") },
  ]);
  const { messages: _, ...same } = first;
  expect(rest).toEqual(same);
});

it.each([
  ["nothing", "", "(nothing)"],
  ["a long one", "x".repeat(9_000), `${"x".repeat(4_000)}…`],
])("repairRequest() shows %s", (_, reply, shown) => {
  expect(repairRequest(first, reply, "f").messages[2]?.content).toBe(shown);
});

describe("withManner()", () => {
  it("returns the same judge in the standard manner, and for embeddings in any manner", () => {
    expect(withManner(empathy, {})).toBe(empathy);
    expect(withManner(empathy, { strictness: "standard", judgeSeed: null })).toBe(empathy);
    expect(withManner(relevance, { strictness: "strict", judgeSeed: 1 })).toBe(relevance);
  });

  it("tells the judge to be strict or lenient, and sends the seed", () => {
    const strict = withManner(empathy, { strictness: "strict" });
    expect(systemPrompt(strict)).toContain("Be strict: where two grades fit, give the lower one");
    expect(systemPrompt(withManner(empathy, { strictness: "lenient" }))).toContain("Be lenient:");
    const seeded = withManner(empathy, { judgeSeed: 7 });
    expect(judgeRequest(seeded, anExchange())).toMatchObject({ seed: 7, temperature: 0 });
    expect(judgeRequest(empathy, anExchange())).not.toHaveProperty("seed");
    expect(systemPrompt(seeded)).toBe(systemPrompt(empathy));
  });

  it("changes hash and cache key with the manner, and returns the same object for the same manner", () => {
    const manners = [{}, { strictness: "strict" }, { judgeSeed: 1 }, { judgeSeed: 2 }] as const;
    const judges = manners.map((manner) => withManner(empathy, manner));
    expect(new Set(judges.map(promptHash)).size).toBe(4);
    const keys = judges.map((judge) => judgmentKey(judge, empathy.route, anExchange()));
    expect(new Set(keys).size).toBe(4);
    expect(manners.map((manner) => withManner(empathy, manner))).toEqual(judges);
    expect(withManner(empathy, { judgeSeed: 2 })).toBe(judges[3]);
  });
});
