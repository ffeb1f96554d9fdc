import { describe, expect, it } from "vitest";
import type { JudgeChoice } from "../contracts/judging/judging.ts";
import { type JudgeDeployment, routeJudge, routeOf } from "./choose-judges.ts";
import { checkedOn, defaultModelTable } from "./default-models.ts";
import { judges } from "./judges.ts";

const choice: JudgeChoice = { judge: null, judges: [], judgeOverrides: {}, fallbackJudge: null };
const deployment: JudgeDeployment = {
  providers: ["openai", "anthropic", "google"],
  routes: {},
  fallbackJudge: null,
};
const judgeOf = (id: string) => judges.find((judge) => judge.id === id)!;

function routed(
  id: string,
  run: Partial<JudgeChoice> = {},
  deployed: Partial<JudgeDeployment> = {},
): string {
  const found = routeJudge(judgeOf(id), { ...choice, ...run }, { ...deployment, ...deployed });
  if (!found.ok) return found.error;
  const { routes, by } = found.value;
  return `${routes.map(({ provider, model }) => `${provider}:${model}`).join(" ")} (${by})`;
}

describe("the default judges", () => {
  it.each([
    [
      /^anthropic:claude-opus-5-5 /,
      "persona_consistency memory_utilization helpfulness safety groundedness",
    ],
    [/^openai:gpt-6-luna /, "emotional_congruence coherence empathy politeness"],
    [/^openai:gpt-6\.1-terra /, "logical_consistency"],
    [/^google:gemini-3\.8-flash /, "conversational_continuity"],
    [/^openai:text-embedding-3-small/, "relevance"],
  ])("%s judges %s", (name, ids) => {
    for (const id of ids.split(" ")) expect(routed(id)).toMatch(name);
  });
});

it("no default judge ends within 60 days of the table's date, except one without a replacement", () => {
  const limit = Date.parse(checkedOn) + 60 * 86_400_000;
  const ending = Object.values(defaultModelTable).filter(
    ({ ends }) => ends !== null && Date.parse(ends) < limit,
  );
  expect(ending.map(({ model }) => model)).toEqual(["gpt-4o-mini-tts"]);
  const gone = /gemini-2\.0-flash-001|gpt-4o-audio-preview|gpt-4o-2024|gpt-5\.2|opus-4-5/;
  for (const { model } of Object.values(defaultModelTable)) expect(model).not.toMatch(gone);
});

describe("routeOf()", () => {
  it.each([
    ["gpt-4o", "openai", "gpt-4o"],
    ["claude-haiku-4-5", "anthropic", "claude-haiku-4-5"],
    ["local:qwen3:8b", "local", "qwen3:8b"],
    ["qwen3", "custom", "qwen3"],
    ["meta-llama/llama-3.1-8b:free", "custom", "meta-llama/llama-3.1-8b:free"],
    ["custom:claude-tuned", "custom", "claude-tuned"],
  ])("reads %j", (name, provider, model) => {
    expect(routeOf(name, ["local"])).toEqual({ provider, model });
  });
});

describe("routeJudge()", () => {
  const routes = { empathy: "claude-haiku-4-5" };

  it("prefers the run's choice for the metric, then its panel, its judge, and the deployment's choice", () => {
    const judgeOverrides = { empathy: "gpt-5-mini" };
    const all = { judgeOverrides, judges: ["gpt-4o", "gemini-3"], judge: "gpt-4.1" };
    expect(routed("empathy", all, { routes })).toBe("openai:gpt-5-mini (run)");
    const panel = { ...all, judgeOverrides: {} };
    expect(routed("empathy", panel, { routes })).toBe("openai:gpt-4o google:gemini-3 (run)");
    expect(routed("empathy", { judge: "gpt-4.1" }, { routes })).toBe("openai:gpt-4.1 (run)");
    expect(routed("empathy", {}, { routes })).toBe("anthropic:claude-haiku-4-5 (deployment)");
  });

  it("gives a judge one vote, even if a panel names it several times", () => {
    const judges = ["gpt-4o", "openai:gpt-4o", "gemini-3"];
    expect(routed("empathy", { judges })).toBe("openai:gpt-4o google:gemini-3 (run)");
  });

  it("uses the run's fallback, else the deployment's, if a provider has no key", () => {
    const only = { providers: ["openai"], fallbackJudge: "gpt-4o" };
    expect(routed("safety", {}, only)).toBe("openai:gpt-4o (fallback)");
    expect(routed("safety", { fallbackJudge: "gpt-5" }, only)).toBe("openai:gpt-5 (fallback)");
    expect(routed("empathy", { judges: ["gpt-5", "gemini-3"] }, only)).toBe("openai:gpt-5 (run)");
  });

  it("says why no judge is available", () => {
    expect(routed("safety", {}, { providers: ["openai"] })).toBe(
      "no key for anthropic, and no fallback judge that has one",
    );
  });

  it("uses no chat model for embeddings", () => {
    expect(routed("relevance", { judge: "gpt-4o" })).toMatch(/^openai:text-embedding/);
    const none = { providers: ["anthropic"], fallbackJudge: "claude-x" };
    expect(routed("relevance", {}, none)).toMatch(/^no key for openai/);
    const judgeOverrides = { relevance: "local:bge-m3" };
    expect(routed("relevance", { judgeOverrides }, { providers: ["local"] })).toBe(
      "local:bge-m3 (run)",
    );
  });
});
