import { describe, expect, it } from "vitest";
import { modelSlug } from "../text/slug.ts";
import {
  inferenceSettingsSchema,
  namedWith,
  settingsLabel,
  settingsProblems,
  settingsSlug,
} from "./inference-settings.ts";

describe("inference settings", () => {
  it("are added to a model's name once", () => {
    const settings = { reasoningEffort: "high", temperature: null, topP: 0.9, seed: 3 } as const;
    expect(settingsLabel(settings)).toBe("high effort, usual temperature, top-p 0.9, seed 3");
    const name = namedWith("Llama", settings);
    expect(name).toBe("Llama (high effort, usual temperature, top-p 0.9, seed 3)");
    expect(namedWith(name, settings)).toBe(name);
    expect(namedWith("Llama", undefined)).toBe("Llama");
    expect(namedWith("Llama", {})).toBe("Llama");
  });

  it("are added to a model's slug once, within its maximum length", () => {
    const high = { name: "Llama", endpoint: { settings: { reasoningEffort: "high" as const } } };
    expect(modelSlug(high, "acme")).toBe("acme/llama--high-effort");
    expect(modelSlug({ ...high, slug: "acme/llama--high-effort" }, "acme")).toBe(
      "acme/llama--high-effort",
    );
    const long = modelSlug({ ...high, name: "x".repeat(64) }, "acme");
    expect(long.split("/")[1]).toHaveLength(64);
    expect(long).toMatch(/x-[0-9a-f]{8}--high-effort$/);
    const other = modelSlug({ ...high, name: `${"x".repeat(63)}y` }, "acme");
    expect(other).not.toBe(long);
    expect(modelSlug({ ...high, name: "…" }, "acme")).toBe("acme/");
  });

  it("give a slug that no model without settings or with other settings has", () => {
    const settings = { reasoningEffort: "high" as const };
    const names = [
      "gpt",
      "gpt-high-effort",
      "GPT (high effort)",
      "gpt--high-effort",
      "gpt -high effort",
    ];
    const plain = names.map((name) => modelSlug({ name }, "acme"));
    const [high, ...longer] = names.map((name) =>
      modelSlug({ name, endpoint: { settings } }, "acme"),
    );
    expect(high).toBe("acme/gpt--high-effort");
    expect(new Set(plain)).toEqual(new Set(["acme/gpt", "acme/gpt-high-effort"]));
    expect(plain).not.toContain(high);
    expect(longer.filter((slug) => plain.includes(slug))).toEqual([]);
    expect(longer[0]).toBe("acme/gpt-high-effort--high-effort");
    expect(modelSlug({ name: "Llama - 8B" }, "acme")).toBe("acme/llama---8b");
    expect(modelSlug({ name: "x", slug: "acme/qwen--q4" }, "acme")).toBe("acme/qwen--q4");
  });

  it("give different slugs if they differ, even if they are long", () => {
    const routed = (order: string) => ({ extraBody: { provider: { order: [order, "together"] } } });
    expect(settingsSlug(routed("groq"))).toMatch(/^settings-[0-9a-f]{8}$/);
    expect(settingsSlug(routed("groq"))).not.toBe(settingsSlug(routed("cerebras")));
    const both = { top_k: 4, min_p: 0.1 };
    const swapped = { min_p: 0.1, top_k: 4 };
    expect(settingsSlug({ extraBody: both })).toBe(settingsSlug({ extraBody: swapped }));
    expect(settingsLabel({ extraBody: both })).toBe("min_p 0.1, top_k 4");
    expect(settingsSlug({ extraBody: { top_k: "1" } })).not.toBe(
      settingsSlug({ extraBody: { top_k: 1 } }),
    );
    expect(settingsLabel({ extraBody: { verbosity: "l\u202eow" } })).toMatch(
      /^verbosity [0-9a-f]{8}$/,
    );
    const many = { reasoningEffort: "high", temperature: 0.7, seed: 1, maxTokens: 4_000 } as const;
    expect(settingsSlug(many)).toMatch(/^settings-[0-9a-f]{8}$/);
    expect(settingsSlug({ ...many, seed: 2 })).not.toBe(settingsSlug(many));
  });

  it.each([
    [{ extraBody: { messages: [] } }, "can't be set; there is provider, reasoning"],
    [{ extraBody: { provider: "x".repeat(5_000) } }, "must be at most 4000 characters"],
    [{ extraBody: { provider: Array(300).fill(0) } }, "200 values"],
    [{ reasoningEffort: "high", thinkingBudget: 100 }, "give either reasoningEffort or"],
    [{ temperature: 3 }, "expected number to be <=2"],
  ])("are rejected outside their limits: %j", (settings, error) => {
    const read = inferenceSettingsSchema.safeParse(settings);
    expect(read.error?.issues.map(({ message }) => message).join()).toContain(error);
  });
});

it.each([
  ["messages", { toolChoice: "required", thinkingBudget: 1_000 }, ["toolChoice"]],
  ["messages", { toolChoice: "auto", thinkingBudget: 1_000 }, []],
  ["messages", { toolChoice: "required", reasoningEffort: "low" }, ["toolChoice"]],
  ["messages", { temperature: 0.5, reasoningEffort: "low" }, ["temperature"]],
  ["messages", { temperature: 0.5, reasoningEffort: "none" }, []],
  ["chat_completions", { toolChoice: "required", reasoningEffort: "high" }, []],
  ["responses", { seed: 1 }, ["seed"]],
  ["messages", { reasoningEffort: "low", extraBody: { thinking: { type: "adaptive" } } }, []],
  [
    "messages",
    { reasoningEffort: "low", extraBody: { thinking: { type: "enabled", budget_tokens: 9 } } },
    ["extraBody"],
  ],
] as const)("settingsProblems() for %s with %j reports %j", (protocol, settings, paths) => {
  const found = settingsProblems(settings, "https://api.example.com/v1", protocol);
  expect(found.map(({ path }) => path)).toEqual(paths);
});
