import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { defaultOptions } from "../../../shared/suites/slots/options.ts";
import { checkSample } from "../../../shared/suites/slots/sample.ts";
import { bleu1 } from "../../../shared/suites/slots/score/compare-slots.ts";
import { scoreSlots } from "../../../shared/suites/slots/score/score.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const { text, examples } = methodologyText("slots");
const [expected = null, stored = null] = examples;

function exampleDetail() {
  const row = { id: "example", user: "u", session: 1, turns: [{ role: "user", content: "Hi." }] };
  const topics = {
    basic_info: ["location", "occupation"],
    interests: ["hobbies", "food"],
    mental_state: ["mood"],
  };
  const checked = checkSample({ ...row, topics, expected });
  if (!checked.ok) throw new Error(checked.error);
  const answer = { ...emptyAnswer, output: JSON.stringify(stored) };
  return scoreSlots(checked.value.sample, answer, defaultOptions).detail;
}

describe("the worked example of slots", () => {
  const detail = exampleDetail();
  const { tp, fp, fn, exact } = detail;

  it("has the stated presence and value metrics", () => {
    expect(text).toContain(
      `precision = ${tp} / ${tp + fp}, recall = ${tp} / ${tp + fn}, **F1 = ${shown(detail.f1)}**`,
    );
    expect(text).toContain(
      `value precision = value recall = ${exact} / ${tp + fn}, value F1 = ${shown(detail.valueF1)}; exact match coverage = ${exact} / ${tp + fn}`,
    );
    expect(text).toContain(
      `${detail.extraSlots} extra slot with ${detail.extraValues} extra values`,
    );
  });

  it("has the stated token metrics", () => {
    const { sharedTokens: shared, predictedTokens, expectedTokens, tokenF1, bleu1: bleu } = detail;
    expect(text).toContain(
      `token precision = ${shared} / ${predictedTokens}, token recall = ${shared} / ${expectedTokens}, token F1 = ${shown(tokenF1)}`,
    );
    const partly = shown(bleu1({ expected: 3, predicted: 2, shared: 2 }));
    expect(text).toContain(`1 · exp(1 − 3 / 2) = ${partly}`);
    expect(text).toContain(`BLEU-1 = (1 + ${partly} + 1 + 0) / 4 = ${shown(bleu)}`);
  });

  it("lists each slot with its outcome", () => {
    const outcomes = { exact: "TP | equal", other: "TP | other", missed: "FN |", extra: "FP |" };
    for (const { topic, field, outcome } of detail.fields) {
      expect(text).toContain(`| ${topic} · ${field} | ${outcomes[outcome]}`);
    }
  });
});
