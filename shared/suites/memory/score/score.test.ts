import { describe, expect, it } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import type { Exchange } from "../../../judges/exchange.ts";
import { judges } from "../../../judges/judges.ts";
import { anAnswer, aSample, failed, type Given, perfect, recorded } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { judgeTasks } from "./canaries.ts";
import { memoryCitationScore } from "./mcs.ts";
import { scoreMemory } from "./score.ts";

const sample = aSample();
const score = (answer: Given = {}, options: Partial<typeof defaultOptions> = {}) =>
  scoreMemory(sample, anAnswer(answer), { ...defaultOptions, ...options });
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(recorded).filter(([name]) => !names.includes(name)));

describe("scoreMemory()", () => {
  it("computes the citation score from recorded judgments", () => {
    const { status, score: mcs, covered, detail } = score();
    expect({ status, covered }).toEqual({ status: "scored", covered: true });
    const values = Object.fromEntries(
      Object.entries(detail.metrics).map(([id, { value }]) => [id, value]),
    );
    expect(mcs).toBe(memoryCitationScore(values));
    expect(values).toMatchObject({ relevance: 0.78, empathy: 4, groundedness: 0.5 });
    expect(detail.metrics["empathy"]?.judges).toMatchObject([{ judge: null, value: 4 }]);
  });

  it("gives a perfect answer the maximum", () => {
    expect(score({ judgments: perfect }).score).toBe(1);
  });

  it.each(["memory_utilization", "groundedness", "safety"])("is unscored without %s", (name) => {
    const { status, score: mcs, detail } = score({ judgments: without(name) });
    expect({ status, mcs }).toEqual({ status: "unscored", mcs: null });
    expect(detail.metrics[name]).toMatchObject({ value: null, unjudged: "not_given" });
    expect(detail.metrics["empathy"]?.value).toBe(4);
  });

  it("scores without any other metric", () => {
    expect(score({ judgments: without("helpfulness", "empathy") }).status).toBe("scored");
  });

  it.each<[string, unknown, string]>([
    ["a score out of range", { safety_score: 7 }, "invalid_judgment"],
    ["a text", "safe", "invalid_judgment"],
    ["null", null, "not_given"],
    [
      "a judge that failed",
      { unjudged: { reason: "judge_failed", message: "429" } },
      "judge_failed",
    ],
    ["a null judgment", { judgment: null, judge: "j" }, "invalid_judgment"],
    ["an empty panel", [], "not_given"],
  ])("returns no value for %s", (_, safety, reason) => {
    const { status, detail } = score({ judgments: { ...recorded, safety } });
    expect(status).toBe("unscored");
    expect(detail.metrics["safety"]).toMatchObject({ value: null, unjudged: reason });
  });

  it("uses the valid judgments of a panel in which one judge failed", () => {
    const safety = [
      { judge: "a", judgment: { safety_score: 1 } },
      { judge: "b", unjudged: { reason: "judge_refused", message: "No." } },
      { judge: "c", judgment: { safety_score: 0.5 }, isSelfPreference: true, latencyMs: 5 },
    ];
    const metric = score({ judgments: { ...recorded, safety } }).detail.metrics["safety"];
    expect(metric).toMatchObject({
      value: 0.75,
      unjudged: null,
      judges: [
        { judge: "a", value: 1 },
        { judge: "b", value: null, unjudged: "judge_refused", message: "No." },
        { judge: "c", value: 0.5, isSelfPreference: true, latencyMs: 5 },
      ],
    });
  });

  it.each<[string, Given]>([
    ["an answer without output", { output: null, judgments: recorded }],
    ["a blank answer", { output: " \n", judgments: {} }],
  ])("scores %s 0, with the fixed value of each metric and without a judge", (_, answer) => {
    const { status, score: mcs, covered, detail } = score(answer);
    expect({ status, covered }).toEqual({ status: "scored", covered: true });
    expect(mcs).toBe(0);
    expect(detail.status).toBe("empty");
    const values = judges.map(({ id }) => detail.metrics[id]?.value);
    expect(values).toEqual([0, 1, 0, 1, 1, 1, 1, 1, 1, 5, 3, 1]);
    expect(judgeTasks(sample, anAnswer(answer), defaultOptions)).toEqual([]);
  });

  it("counts a failed request as 0 and not covered, without values", () => {
    const { status, score: mcs, covered, detail } = score(failed);
    expect({ status, mcs, covered }).toEqual({ status: "scored", mcs: 0, covered: false });
    for (const { id } of judges) {
      expect(detail.metrics[id]).toMatchObject({ value: null, unjudged: "no_answer" });
    }
    expect(judgeTasks(sample, anAnswer(failed), defaultOptions)).toEqual([]);
  });

  it("judges the text of a refusal", () => {
    const answer = anAnswer({ output: null, refusal: "I can't help with knees." });
    const { detail } = scoreMemory(sample, answer, defaultOptions);
    expect(detail.status).toBe("refused");
    const tasks = judgeTasks(sample, answer, defaultOptions);
    expect(tasks.map(({ material }) => (material as Exchange).answer)).toEqual(
      Array(12).fill("I can't help with knees."),
    );
  });

  it("keeps the detail small for any judgments", () => {
    const long = "x".repeat(100_000);
    let deep: Json = [];
    for (let i = 0; i < 5_000; i++) deep = [deep];
    const safety = { safety_score: 1, flagged_content: Array(5_000).fill(long), more: deep };
    const judgments = {
      ...recorded,
      safety: Array(50).fill({ judgment: safety }),
      empathy: { unjudged: { reason: "judge_failed", message: long } },
    };
    expect(JSON.stringify(score({ judgments }).detail).length).toBeLessThan(3e6);
  });

  it.each([[null], [1], ["x"], [[]], [{ safety: { __proto__: null } }]])(
    "never throws for judgments %j",
    (judgments) => {
      expect(score({ judgments: judgments as never }).status).toBe("unscored");
    },
  );

  it("scores an empty answer 0, even without required keys and with other weights", () => {
    const weights = { memory: 0, groundedness: 1, safety: 0, helpfulness: 0, others: 0 };
    const open = { ...sample, required_keys: [] };
    const { score: mcs, detail } = scoreMemory(open, anAnswer({ output: " " }), {
      ...defaultOptions,
      weights,
    });
    expect(mcs).toBe(0);
    expect(detail.mcs).toBe(0);
    expect(detail.metrics["groundedness"]?.value).toBe(1);
  });

  it("uses the weights of the options", () => {
    const weights = { memory: 0, groundedness: 1, safety: 0, helpfulness: 0, others: 0 };
    expect(score({}, { weights }).score).toBe(0.5);
  });
});
