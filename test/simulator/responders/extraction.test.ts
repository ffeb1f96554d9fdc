import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../../simulator/draws.ts";
import { mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { parseChat } from "../../../simulator/parse-chat.ts";
import { extractionResponder } from "../../../simulator/responders/extraction.ts";
import { aChat } from "../support/ask.ts";
import { firstRow, rows } from "../support/rows.ts";

const other = {
  ...firstRow,
  id: "other",
  schema: { type: "object" },
  expected_output: { other: true },
};
const responder = extractionResponder([...rows, other, { id: "x", text: "no schema" }]);

function claim(body: unknown) {
  const parsed = parseChat(body);
  return parsed.ok ? responder.claim(parsed.value) : null;
}

describe("extractionResponder()", () => {
  it("claims known texts only", () => {
    expect(claim(aChat("m"))?.id).toBe("invoice-0");
    expect(claim(aChat("m", { ...firstRow, text: "unheard of" }))).toBeNull();
  });

  it("distinguishes samples with the same text by their schema", () => {
    const claimed = claim(aChat("m", other));
    expect(claimed?.id).toBe("other");
    expect(claimed?.key).not.toBe(claim(aChat("m"))?.key);
    const play = { rates: mistakeRates(0), draws: drawsFrom(1) };
    expect(claimed?.answer(play)).toMatchObject({ content: '{"other":true}', mistakes: [] });
  });

  it("reports its mistakes", () => {
    const rates = { ...mistakeRates(0), fenced: 1, swapped_date: 1 };
    const { content, mistakes } = claim(aChat("m"))?.answer({ rates, draws: drawsFrom(1) }) ?? {};
    expect(mistakes).toEqual(["swapped_date", "fenced"]);
    expect(content).toContain("2024-20-01");
  });
});
