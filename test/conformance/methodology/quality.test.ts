import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { defaultOptions } from "../../../shared/suites/quality/options.ts";
import { words } from "../../../shared/suites/quality/read/words.ts";
import { checkSample } from "../../../shared/suites/quality/sample.ts";
import { lengthFit, scoreQuality } from "../../../shared/suites/quality/score/score.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const stock = new URL("../../../shared/suites/quality/stock.jsonl", import.meta.url);
const stockPrompts = readFileSync(stock, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): string => JSON.parse(line).prompt);

const { text } = methodologyText("quality");

function exampleDetail() {
  const [, prompt, output = ""] = /Prompt: “(.*?)” Response: “(.*?)”/.exec(text) ?? [];
  const checked = checkSample({ id: "example", prompt });
  if (!checked.ok) throw new Error(checked.error);
  return scoreQuality(checked.value.sample, { ...emptyAnswer, output }, defaultOptions).detail;
}

describe("the worked example of quality", () => {
  const { coherence, completeness, length, structure, vocabulary, overall } = exampleDetail();
  const row = (name: string): string =>
    new RegExp(`^\\| ${name} \\|.*$`, "m").exec(text)?.[0] ?? `no row ${name}`;

  it("has the stated parts", () => {
    expect(coherence).toMatchObject({ connector: 0, pronoun: 1, topic: 1, pronouns: 0 });
    const { keywords, matchedKeywords: matched, keyword, question, task } = completeness;
    expect({ keyword, question, task }).toEqual({ keyword: 1, question: 1, task: 1 });
    expect(row("completeness")).toContain(`keywords 0.6 · ${matched}/${keywords} + 0.4 · 1`);
    expect(structure).toMatchObject({ paragraph: 1, introduction: 1, conclusion: 0 });
    const { sophisticatedWords, diversity, repetition } = vocabulary;
    expect({ diversity, repetition }).toEqual({ diversity: 1, repetition: 1 });
    expect(row("vocabulary")).toContain(
      `sophistication ${sophisticatedWords}/${length.responseWords}`,
    );
    expect(row("length")).toContain(
      `${length.responseWords} words where ${length.idealWords} are ideal: 1 − ln 2`,
    );
  });

  it("has the stated scores", () => {
    const scores = { coherence, completeness, length, structure, vocabulary };
    for (const [name, { score }] of Object.entries(scores)) {
      expect(row(name)).toMatch(new RegExp(`\\| ${shown(score)} \\|$`));
    }
    expect(text).toContain(
      `0.25 · ${shown(coherence.score)} + 0.25 · ${shown(completeness.score)} + 0.20 · ${shown(length.score)} + 0.15 · ${shown(structure.score)} + 0.15 · ${shown(vocabulary.score)} = **${shown(overall)}**`,
    );
  });

  it("states the length of the stock prompts", () => {
    const lengths = stockPrompts.map((prompt) => words(prompt).length);
    const said = `The stock prompts have ${Math.min(...lengths)} to ${Math.max(...lengths)} words`;
    expect(text).toContain(said);
  });

  it("states the score of half and twice the ideal length", () => {
    const [half, double] = [lengthFit(4, 5, 2.5).score, lengthFit(4, 20, 2.5).score];
    expect(half).toBeCloseTo(double, 12);
    expect(text).toContain(`Twice or half the ideal length gives ${shown(half, 2)}`);
  });
});
