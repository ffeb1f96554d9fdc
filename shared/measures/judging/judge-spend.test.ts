import { expect, it } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import { type JudgmentRecord, noJudgment } from "../../contracts/judging/judgment.ts";
import { addJudgeSpend, withoutStageCalls } from "./judge-spend.ts";

const asked = (more: Partial<JudgmentRecord> = {}): JudgmentRecord => ({
  ...noJudgment,
  provider: "openai",
  judge: "gpt",
  requests: 2,
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.5,
  ...more,
});

it("addJudgeSpend() sums the calls of each judge", () => {
  const spend = addJudgeSpend(new Map(), { judgments: { empathy: [asked(), asked()] } });
  addJudgeSpend(spend, { judgments: { tone: [asked({ judge: "o", costUsd: null })] } });
  expect(Object.fromEntries(spend)).toEqual({
    "openai:gpt": { requests: 4, inputTokens: 200, outputTokens: 20, usd: 1, unpriced: 0 },
    "openai:o": { requests: 2, inputTokens: 100, outputTokens: 10, usd: 0, unpriced: 1 },
  });
});

it.each([
  ["from the cache", { isCached: true }],
  ["of a simulated judge", { isSimulated: true }],
  ["that were submitted", { requests: 0 }],
])("addJudgeSpend() ignores judgments %s", (_, more) => {
  expect(addJudgeSpend(new Map(), { judgments: { tone: [asked(more)] } }).size).toBe(0);
});

it("addJudgeSpend() counts stage calls; withoutStageCalls() removes them", () => {
  const { judge, provider, requests, inputTokens, outputTokens, costUsd } = asked();
  const calls = [{ judge, provider, requests, inputTokens, outputTokens, costUsd }];
  const finding = { value: 1, failure: null, model: "gpt", isReused: false };
  const answer = { ...emptyAnswer, stages: { a: { ...finding, calls }, b: finding } };
  expect(Object.fromEntries(addJudgeSpend(new Map(), answer))).toEqual({
    "openai:gpt": { requests: 2, inputTokens: 100, outputTokens: 10, usd: 0.5, unpriced: 0 },
  });
  expect(withoutStageCalls(answer).stages).toEqual({ a: finding, b: finding });
  expect(withoutStageCalls(emptyAnswer)).toBe(emptyAnswer);
});
