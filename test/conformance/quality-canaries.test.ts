import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import { callOf } from "../../shared/measures/performance/call-totals.ts";
import { unbeatenReference } from "../../shared/measures/report/figures/reference-bars.ts";
import { defaultOptions, qualityOptionsSchema } from "../../shared/suites/quality/options.ts";
import { canaries, references } from "../../shared/suites/quality/score/references.ts";
import { quality } from "../../shared/suites/quality/suite.ts";
import { aBench, askAll } from "../simulator/support/evaluate.ts";
import { chatPrompts } from "./__fixtures__/chat-prompts.ts";
import { methodologyText } from "./methodology/methodology-text.ts";
import { canaryScoresFile, canaryScoresModule } from "./quality-canaries.ts";

const prompt =
  "Explain how tides arise. Compare spring tides with neap tides, and list two causes.";

describe("the canaries of quality", () => {
  it("are the six canaries of the specification", () => {
    expect(canaries.map(({ label }) => label).toSorted()).toEqual([
      "Connector salad",
      "Constant answer",
      "Keyword stuffing",
      "Prompt copied",
      "Prompt repeated",
      "Word salad",
    ]);
  });

  it("have up-to-date generated scores", () => {
    expect(readFileSync(canaryScoresFile, "utf8")).toBe(canaryScoresModule());
  });

  it.each(canaries)("$label is deterministic and gives a text for any prompt", ({ answer }) => {
    expect(answer(prompt)).toBe(answer(prompt));
    expect(answer(prompt)).not.toBe("");
    for (const odd of ["", "?!", "the of and", "你好", "a".repeat(5_000)]) {
      expect(answer(odd)).toBeTypeOf("string");
    }
  });

  it("have their measured scores in the methodology", () => {
    const { text } = methodologyText("quality");
    for (const { label, description, value, interval } of references(defaultOptions)) {
      const ends = interval?.map((end) => end.toFixed(3)).join("–");
      expect(text).toContain(
        `| ${label.toLowerCase()} | ${description} | ${value.toFixed(3)} | ${ends} |`,
      );
    }
    for (const [what, value] of [
      ["connector salad, from the prompt's words", "0.95"],
      ["the prompt, repeated", "0.78"],
      ["keyword stuffing", "0.75"],
      ["a healthy model of 8B parameters", "0.61"],
      ["a model that degenerates", "0.53"],
    ]) {
      expect(text).toContain(`| ${what} | ${value} |`);
    }
    expect(text).toContain("−0.06 (Spearman)");
  });
});

describe("references()", () => {
  it("sorts lines by score and gives each an interval", () => {
    const lines = references(defaultOptions);
    expect(lines[0]?.label).toBe("Connector salad");
    expect(lines.map(({ value }) => value)).toEqual(
      lines.map(({ value }) => value).toSorted((a, b) => b - a),
    );
    for (const { value, interval } of lines) {
      expect(interval![0]).toBeLessThanOrEqual(value);
      expect(interval![1]).toBeGreaterThanOrEqual(value);
    }
  });

  it("applies other weights, without intervals", () => {
    const weights = { coherence: 0, completeness: 1, length: 0, structure: 0, vocabulary: 0 };
    const lines = references(qualityOptionsSchema.parse({ weights }));
    expect(lines.find(({ id }) => id === "keywordStuffing")).toMatchObject({
      value: 1,
      interval: null,
    });
  });

  it("gives no lines for a length ratio without canary scores", () => {
    expect(references(qualityOptionsSchema.parse({ lengthRatio: 5 }))).toEqual([]);
  });
});

describe("a board of chat prompts other than the prompts of the reference lines", () => {
  const samples = chatPrompts.map((prompt, i) => ({ id: `chat-${i}`, prompt, tags: {} }));
  const overallOf = (answers: readonly Answer[]) => {
    const state = answers.reduce((sum, answer, seq) => {
      const score = quality.score(samples[seq]!, answer, defaultOptions);
      const one = { seq, id: samples[seq]!.id, tags: {}, score, call: callOf(answer) };
      return quality.aggregate.add(sum, one);
    }, quality.aggregate.empty(defaultOptions));
    const run = { runId: "chat", options: defaultOptions, prices: null, wallMs: null };
    return quality.aggregate.finish(state, run).metrics["overall"]!;
  };
  const bench = { ...aBench(quality), samples };
  const models = ["sim-large", "sim-medium", "sim-small", "sim-tiny"].map(
    (model) => overallOf(askAll(bench, bench.simulation(1), model)).value!,
  );
  const best = Math.max(...models);
  const worthless = canaries.map(({ label, answer }) => {
    const answers = samples.map((one) => ({ ...emptyAnswer, output: answer(one.prompt) }));
    return { label, overall: overallOf(answers) };
  });

  it.each(worthless)(
    "$label never ranks above the best stock model without a mark",
    ({ overall }) => {
      const isMarked = unbeatenReference(overall, references(defaultOptions)) !== null;
      expect(overall.value! <= best || isMarked).toBe(true);
    },
  );

  it("needs the mark: meaningless text ranks above most stock models", () => {
    const salad = Math.max(...worthless.map(({ overall }) => overall.value!));
    expect(models.filter((model) => model < salad).length).toBeGreaterThan(models.length / 2);
  });
});

describe("unbeatenReference()", () => {
  const [best] = references(defaultOptions);
  const end = best!.interval![1];
  it.each<[string, number | null, [number, number] | null, string | null]>([
    ["above the best line", end + 0.02, [end + 0.01, end + 0.03], null],
    [
      "whose interval overlaps the best line's interval",
      end + 0.02,
      [end, end + 0.04],
      "Connector salad",
    ],
    ["below the best line", 0.6, [0.55, 0.65], "Connector salad"],
    ["without an interval", 0.99, null, "Connector salad"],
    ["that was not measured", null, null, null],
  ])("of an estimate %s", (_, value, interval, label) => {
    expect(unbeatenReference({ value, interval }, references(defaultOptions))?.label ?? null).toBe(
      label,
    );
  });

  it("returns null without lines", () => {
    expect(unbeatenReference({ value: 0.1, interval: [0, 0.2] }, [])).toBeNull();
  });
});
