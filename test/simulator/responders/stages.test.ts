import { describe, expect, it } from "vitest";
import { emotions } from "../../../shared/suites/memory/ask/emotions.ts";
import { traits } from "../../../shared/suites/memory/ask/personality.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { parseChat } from "../../../simulator/parse-chat.ts";
import { stagesResponder } from "../../../simulator/responders/memory.ts";
import { writeWave } from "../../../simulator/speech/wave.ts";

const responder = stagesResponder();

function asked(names: readonly string[], content: unknown, isInPrompt = false) {
  const schema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])),
  };
  const system = isInPrompt ? `Reply by this JSON Schema:\n${JSON.stringify(schema)}` : "Say.";
  const format = { type: "json_schema", json_schema: { name: "x", schema } };
  const parsed = parseChat({
    model: "m",
    ...(!isInPrompt && { response_format: format }),
    messages: [
      { role: "system", content: system },
      { role: "user", content },
    ],
  });
  return parsed.ok ? responder.claim(parsed.value) : null;
}

function found(...of: Parameters<typeof asked>): Record<string, number> {
  const claim = asked(...of)!;
  const play = { rates: mistakeRates(0), draws: drawsFrom(claim.key), self: "m" };
  return JSON.parse(claim.answer(play).content!);
}

const audio = (data: string) => [
  { type: "text", text: "The recording:" },
  { type: "input_audio", input_audio: { data, format: "wav" } },
];
const spoken = (text: string) => audio(writeWave(text).toString("base64"));
const strongest = (mix: Record<string, number>) =>
  Object.entries(mix).toSorted(([, a], [, b]) => b - a)[0]?.[0];

describe("stagesResponder()", () => {
  it.each([
    ["I'm so happy, what a wonderful day! I could hug you!", "joy"],
    ["I'm afraid and in a panic, what if it bleeds?", "fear"],
    ["He died, and I cried all night. I feel so lonely and sad.", "sadness"],
    ["The shop opens at nine.", "neutral"],
  ])("recognises '%s' as %s in text and speech", (text, emotion) => {
    for (const mix of [found(emotions, text), found(emotions, text, true)]) {
      expect(strongest(mix)).toBe(emotion);
      expect(Object.keys(mix)).toEqual([...emotions]);
      expect(Object.values(mix).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
    }
    expect(strongest(found(emotions, spoken(text)))).toBe(emotion);
  });

  it("recognises character from text and profile", () => {
    const content = `<<<profile 0123456789abcdef
{"a":"Measures his blood sugar every day, has a list and a plan"}
profile 0123456789abcdef>>>

<<<query 0123456789abcdef
Thank you, please help my friends.
query 0123456789abcdef>>>`;
    const character = found(traits, content);
    expect(Object.keys(character)).toEqual([...traits]);
    for (const value of Object.values(character)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
    expect(character["conscientiousness"]).toBeGreaterThan(0.6);
    expect(character["agreeableness"]).toBeGreaterThan(0.6);
    expect(Math.abs(character["neuroticism"]! - 0.5)).toBeLessThan(0.1);
  });

  it("finds a reproducible emotion in any recording", () => {
    expect(found(emotions, audio("AAAA"))).toEqual(found(emotions, audio("AAAA")));
    expect(found(emotions, audio("AAAA"))).not.toEqual(found(emotions, audio("AAAB")));
  });

  it("does not claim other schemas", () => {
    expect(asked([...emotions, "note"], "Hi")).toBeNull();
    expect(asked([], "Hi")).toBeNull();
  });
});
