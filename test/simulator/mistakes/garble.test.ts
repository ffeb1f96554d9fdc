import { describe, expect, it } from "vitest";
import { textCompletion } from "../../../simulator/chat-response.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { type GarbleKind, garble, garbleKinds } from "../../../simulator/mistakes/garble.ts";

const json = '{"a":"b","c":[1,2]}';

function garbled(kind: GarbleKind) {
  return garble(textCompletion(json), kind, drawsFrom(1));
}

describe("garble()", () => {
  it.each<[GarbleKind, unknown]>([
    ["single_quotes", "{'a':'b','c':[1,2]}"],
    ["trailing_comma", '{"a":"b","c":[1,2],}'],
    ["fenced", `\`\`\`json\n${json}\n\`\`\``],
    ["chatty", expect.stringMatching(/^Here is .*\{"a":"b","c":\[1,2\]\}.*more\.$/s)],
    ["prose", expect.stringMatching(/^The text describes [^{]*$/)],
    ["truncated_json", expect.stringMatching(/^\{"a":[^}]*$/)],
    ["empty", ""],
  ])("%s changes the content", (kind, content) => {
    expect(garbled(kind).content).toEqual(content);
  });

  it("a refusal has no content", () => {
    expect(garbled("refusal")).toMatchObject({
      content: null,
      refusal: expect.stringMatching(/sorry/),
    });
  });

  it("leaves no valid JSON with any kind", () => {
    for (const kind of garbleKinds) expect(() => JSON.parse(garbled(kind).content ?? "")).toThrow();
  });
});
