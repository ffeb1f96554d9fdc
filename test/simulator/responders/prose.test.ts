import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { type ParsedChat, parseChat } from "../../../simulator/parse-chat.ts";
import { proseResponder } from "../../../simulator/responders/prose.ts";

const responder = proseResponder([
  { id: "plain", prompt: "Why is the sea salty?" },
  { id: "taught", prompt: "Why is the sea salty?", system: "You are a teacher." },
  { id: "no-prompt" },
]);

function claim(...texts: string[]) {
  const roles = texts.length > 1 ? ["system", "user"] : ["user"];
  const messages = texts.map((content, i) => ({ role: roles[i], content }));
  const parsed = parseChat({ model: "m", messages }) as { value: ParsedChat };
  return responder.claim(parsed.value);
}

describe("proseResponder()", () => {
  it("claims any request, and identifies known samples", () => {
    expect(claim("Why is the sea salty?").id).toBe("plain");
    expect(claim("You are a teacher.", "Why is the sea salty?").id).toBe("taught");
    expect(claim("Why is it not?").id).toBeNull();
  });

  it("reports its mistakes", () => {
    const rates = { ...mistakeRates(0), unstructured: 1, refusal: 1, fenced: 1 };
    const reply = claim("Why is the sea salty?").answer({ rates, draws: drawsFrom(1) });
    expect(reply).toMatchObject({ content: null, mistakes: ["unstructured", "refusal"] });
  });

  it("writes about the prompt", () => {
    const play = { rates: mistakeRates(0), draws: drawsFrom(1) };
    expect(claim("Why is the sea salty?").answer(play).content).toMatch(/ sea .* salty/s);
  });
});
