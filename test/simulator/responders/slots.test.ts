import { describe, expect, it } from "vitest";
import { slotsMessages } from "#shared/suites/slots/ask/plan.ts";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import { defaultOptions, type SlotsOptions } from "../../../shared/suites/slots/options.ts";
import type { SlotsSample } from "../../../shared/suites/slots/sample.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { parseChat } from "../../../simulator/parse-chat.ts";
import { slotsResponder } from "../../../simulator/responders/slots.ts";
import { jsonSchemaFormat } from "../support/ask.ts";

const sample: SlotsSample = {
  id: "ada-1",
  user: "ada",
  session: 1,
  tags: {},
  turns: [
    { role: "user", content: "I'm Ada, 36. I live in Bath, England, and like std::vec::Vec." },
    { role: "assistant", content: "Noted, Ada." },
  ],
  topics: { basic_info: ["name", "age", "home"], interests: ["games"] },
  expected: {
    basic_info: { name: "Ada", age: 36, home: "Bath, England", gender: null },
    interests: { games: ["chess", "go"] },
  },
};
const twin: SlotsSample = {
  ...sample,
  id: "ada-2",
  topics: { interests: ["books"] },
  expected: { other: { place: "Bath" } },
};
const responder = slotsResponder([
  sample,
  twin,
  { id: "x", text: "no turns" },
] as unknown as JsonObject[]);

function claim(one = sample, options: Partial<SlotsOptions> = {}, body: object = {}) {
  const stored = options.memory === "cumulative" ? "{}" : null;
  const messages = slotsMessages(one, { ...defaultOptions, ...options }, stored);
  const parsed = parseChat({ model: "m", messages, ...body });
  return parsed.ok ? responder.claim(parsed.value) : null;
}
const play = { rates: mistakeRates(0), draws: drawsFrom(1) };
const answered = (...of: Parameters<typeof claim>) => claim(...of)?.answer(play).content;

describe("slotsResponder()", () => {
  it("claims known conversations only", () => {
    expect(claim()?.id).toBe("ada-1");
    expect(claim({ ...sample, turns: [{ role: "user", content: "unheard of" }] })).toBeNull();
  });

  it("recognises a session in any format, memory mode and prompt", () => {
    const { key } = claim() ?? {};
    expect(claim(sample, { format: "lines" })?.key).toBe(key);
    expect(claim(sample, { memory: "cumulative" })?.key).toBe(key);
    expect(claim(sample, { systemPrompt: "{conversation}", userPrompt: "Go!" })?.key).toBe(key);
  });

  it("distinguishes samples with the same conversation by their topics", () => {
    expect(claim(twin)?.id).toBe("ada-2");
    expect(claim(twin)?.key).not.toBe(claim()?.key);
  });

  it("answers with JSON whose values are texts", () => {
    expect(JSON.parse(answered() ?? "")).toEqual({
      basic_info: { name: "Ada", age: "36", home: "Bath, England" },
      interests: { games: ["chess", "go"] },
    });
  });

  it("answers with lines on request, with values that contain a comma in brackets", () => {
    expect(answered(sample, { format: "lines" })?.split("\n")).toEqual([
      "basic_info::name::Ada",
      "basic_info::age::36",
      "basic_info::home::(Bath, England)",
      "interests::games::chess, go",
    ]);
  });

  it("stores unlisted topics unless a schema forbids it", () => {
    const { response_format } = jsonSchemaFormat({ type: "object" }, true);
    expect(answered(twin, {}, { response_format })).toBe("{}");
    expect(answered(twin)).toBe('{"other":{"place":"Bath"}}');
  });

  it("reports its mistakes", () => {
    const rates = { ...mistakeRates(0), missed_slot: 1, fenced: 1 };
    const { content, mistakes } = claim()?.answer({ ...play, rates }) ?? {};
    expect(content).toBe("```json\n{}\n```");
    expect(mistakes).toEqual([...Array(4).fill("missed_slot"), "fenced"]);
  });

  it("answers NONE for no slots in line format, and does not fence lines", () => {
    const rates = { ...mistakeRates(0), missed_slot: 1, fenced: 1 };
    expect(claim(sample, { format: "lines" })?.answer({ ...play, rates }).content).toBe("NONE");
  });
});
