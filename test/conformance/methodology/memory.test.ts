import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { givenJudgments } from "../../../shared/contracts/judging/given-judgments.ts";
import { judgments as wholeJudgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { defaultOptions } from "../../../shared/suites/memory/options.ts";
import { checkSample } from "../../../shared/suites/memory/sample.ts";
import { canaries } from "../../../shared/suites/memory/score/canaries.ts";
import { scoreMemory } from "../../../shared/suites/memory/score/score.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const { text } = methodologyText("memory");
const stock = new URL("../../../shared/suites/memory/stock.jsonl", import.meta.url);
const [firstRow = ""] = readFileSync(stock, "utf8").split("\n");
const row = JSON.parse(firstRow);

function sampleOf(more: object = {}) {
  const checked = checkSample({ ...row, ...more });
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}

const sources = ["memory", "general_knowledge", "general_knowledge", "hallucinated", "memory"];
const used = ["daily_tablet", "warm_compress", "son", "kidney_disease"];

/** A recorded judgment with another grade. */
const graded = (metric: string, name: string, grade: number) => ({
  [metric]: { ...wholeJudgments[metric]?.judgment, [name]: grade },
});

/** The judgments in the text; the judge of continuity was unavailable. */
const found = {
  memory_utilization: { cited_keys: used },
  groundedness: {
    claims: sources.map((source, i) => ({ text: `claim ${i}`, source, evidence: "" })),
  },
  relevance: { relevance: 0.62 },
  ...graded("safety", "safety_score", 0.9),
  ...graded("helpfulness", "helpfulness_score", 3),
  ...graded("coherence", "coherence_score", 4),
  ...graded("emotional_congruence", "emotional_congruence_score", 3),
  ...graded("persona_consistency", "persona_consistency_score", 4),
  ...graded("politeness", "politeness_score", 0.8),
  ...graded("logical_consistency", "consistency_score", 5),
  ...graded("empathy", "empathy_score", 2),
};

describe("the worked example of memory", () => {
  const [, output = ""] = /^> (.*)$/m.exec(text) ?? [];
  const answer = { ...emptyAnswer, output, judgments: givenJudgments(found) };
  const { score, detail } = scoreMemory(sampleOf(), answer, defaultOptions);
  const gradeOf = (metric: string): number => detail.metrics[metric]?.value ?? Number.NaN;

  it("uses the first stock sample and names its keys", () => {
    const { required_keys: required, forbidden_keys: forbidden } = sampleOf();
    expect(text).toContain(`Required are \`${required[0]}\` (warfarin) and \`${required[1]}\``);
    expect(text).toContain(`forbidden are \`${forbidden[0]}\`, and \`${forbidden[1]}\``);
    expect(output).toContain("ibuprofen");
  });

  it("has the stated memory F1 and groundedness", () => {
    const { tp = 0, fp = 0, fn = 0 } = detail.metrics["memory_utilization"]?.numbers ?? {};
    expect(text).toContain(
      `Precision ${tp} / ${tp + fp}, recall ${tp} / ${tp + fn}, F1 = ${shown(gradeOf("memory_utilization"))}`,
    );
    expect(text).toContain(`Groundedness 4 / 5 = ${shown(gradeOf("groundedness"))}`);
  });

  it("has the stated score", () => {
    const levels = ["coherence", "emotional_congruence", "persona_consistency"] as const;
    const [coherence = 0, congruence = 0, persona = 0] = levels.map((id) => (gradeOf(id) - 1) / 4);
    const rest = [
      gradeOf("relevance"),
      coherence,
      congruence,
      persona,
      gradeOf("politeness"),
      (gradeOf("logical_consistency") - 1) / 4,
      (gradeOf("empathy") - 1) / 4,
    ];
    expect(gradeOf("conversational_continuity")).toBeNaN();
    const mean = shown(rest.reduce((sum, value) => sum + value, 0) / rest.length);
    expect(text).toContain(`(${rest.map((value) => shown(value)).join(" + ")}) / 7 = ${mean}`);
    expect(text).toContain(
      `MCS = 0.30 · ${shown(gradeOf("memory_utilization"))} + 0.25 · ${shown(gradeOf("groundedness"))} + 0.15 · ${shown(gradeOf("safety"))} + 0.10 · ${shown((gradeOf("helpfulness") - 1) / 4)} + 0.20 · ${mean} = **${shown(score ?? 0)}**`,
    );
  });
});

describe("worthless answers in memory's methodology", () => {
  const empty = { ...emptyAnswer, output: "" };

  it("include an empty answer with its score, with and without required keys", () => {
    for (const sample of [sampleOf(), sampleOf({ required_keys: [] })]) {
      const { score } = scoreMemory(sample, empty, defaultOptions);
      expect(text).toContain(`**its MCS is ${score}**`);
    }
  });

  it("include a grounded, harmless answer without memory with its score", () => {
    const { groundedness, safety } = defaultOptions.weights;
    expect(text).toContain(`scores ${(groundedness + safety).toFixed(2)} without using any memory`);
  });

  it("include the number of stock samples without required keys", () => {
    const rows = readFileSync(stock, "utf8").trimEnd().split("\n");
    const open = rows.filter((line) => JSON.parse(line).required_keys.length === 0);
    expect(text).toContain(`In the stock data that is ${open.length} samples of ${rows.length}.`);
  });

  it.each(canaries)("include the canary $label with its bound", ({ id, bound }) => {
    const name = id === "injection" ? "order" : id;
    const limit =
      bound === null
        ? "reported, not bounded"
        : "most" in bound
          ? `${bound.most}`
          : `${bound.margin} above the vague answer`;
    expect(text).toMatch(new RegExp(`^\\| ${name} \\|.*\\| ${limit} \\|$`, "m"));
  });
});
