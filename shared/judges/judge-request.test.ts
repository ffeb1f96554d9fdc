import { expect, it } from "vitest";
import { anExchange } from "./__fixtures__/judgments.ts";
import { judgeRequest, repairRequest } from "./judge-request.ts";
import { empathy } from "./metrics/empathy.ts";

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
