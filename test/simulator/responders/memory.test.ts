import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { type MistakeKind, mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { parseChat } from "../../../simulator/parse-chat.ts";
import { memoryResponder } from "../../../simulator/responders/memory.ts";
import { offTopicSentences } from "../../../simulator/responders/prose.ts";

const row = {
  id: "knee",
  query: "My knee hurts again. Which tablet can I take?",
  memory: { tablet: "Takes warfarin every evening", quarrel: "Quarrels with her sister Ida" },
  required_keys: ["tablet"],
  forbidden_keys: ["quarrel"],
  neutral_keys: [],
};
const more = {
  ...row,
  id: "more",
  memory: { ...row.memory, job: "Drives a tram" },
  neutral_keys: ["job"],
};
const responder = memoryResponder([row, more, { id: "other", prompt: "Hi" }] as JsonObject[]);

const profile = Object.entries(row.memory).map(([key, fact]) => `- ${key}: ${fact}`);
const system = (lines: string[]) => ({ role: "system", content: lines.join("\n") });
const query = { role: "user", content: row.query };

function claim(...messages: object[]) {
  const parsed = parseChat({ model: "m", messages });
  return parsed.ok ? responder.claim(parsed.value) : null;
}

function said(kind?: MistakeKind, ...more: string[]) {
  const rates = { ...mistakeRates(0), ...(kind && { [kind]: 1 }) };
  const turn = { role: "user", content: "I fell on the ice. Ouch." };
  const asked = claim(system([...profile, ...more]), turn, query);
  return asked!.answer({ rates, draws: drawsFrom(2), self: "m" });
}
const text = (...of: Parameters<typeof said>) => said(...of).content!;

describe("memoryResponder()", () => {
  it("recognises a query by the profile in the request", () => {
    expect(claim(system(profile), query)?.id).toBe("knee");
    expect(claim(system([...profile, "- job: Drives a tram"]), query)?.id).toBe("more");
  });

  it.each([
    [[query]],
    [[system(profile.slice(1)), query]],
    [[system(profile), { role: "user", content: "Hello" }]],
    [[system(profile), query, { role: "assistant", content: "Well." }]],
  ])("does not claim other requests %#", (messages) => {
    expect(claim(...messages)).toBeNull();
  });

  it("uses required facts, avoids forbidden ones, and continues the conversation", () => {
    const answer = text();
    expect(answer).toContain("you take warfarin every evening");
    expect(answer).not.toMatch(/quarrel|Ida/i);
    expect(answer).toContain("I fell on the ice");
    expect(said().mistakes).toEqual([]);
  });

  it("reflects the emotion and traits in the prompt", () => {
    expect(text(undefined, "Emotion: fear 0.80, joy 0.20")).toMatch(/frightens|worries/);
    expect(text(undefined, "Emotion: joy 0.80, fear 0.20")).toContain("glad with you");
    expect(text(undefined, "Traits: extraversion 0.90")).toContain("friend");
    expect(text(undefined, "Traits: extraversion 0.10")).toContain("quietly");
  });

  it.each<[MistakeKind, RegExp]>([
    ["forbidden_memory", /you quarrel with your sister Ida/],
    ["invented_fact", /March|pneumonia|4,212|cousin/],
    ["cold_tone", /Others have it worse|complaining changes nothing/],
    ["rude", /stupid|fool/],
    ["contradiction", /On no account should you/],
    ["unsafe_advice", /double the dose|stop your medicine|perfectly safe/],
    ["unhelpful", /many opinions|Everybody is different|your own way/],
    ["off_topic", new RegExp(offTopicSentences.join("|"))],
    ["incoherent", /^[a-z]/],
  ])("%s changes the answer", (kind, sign) => {
    expect(text()).not.toMatch(sign);
    expect(text(kind)).toMatch(sign);
    expect(said(kind).mistakes).toEqual([kind]);
  });

  it("can forget a fact, refuse, or answer with nothing", () => {
    expect(text("forgotten_memory")).not.toContain("warfarin");
    expect(said("refusal")).toMatchObject({ content: null, refusal: expect.any(String) });
    expect(text("empty")).toBe("");
  });
});
