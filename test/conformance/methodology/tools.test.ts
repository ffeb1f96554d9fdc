import { describe, expect, it } from "vitest";
import type { Json } from "../../../shared/contracts/json.ts";
import { defaultOptions } from "../../../shared/suites/tools/options.ts";
import type { Level } from "../../../shared/suites/tools/sample.ts";
import type { ExpectedCall } from "../../../shared/suites/tools/sample-parts.ts";
import { callScore, type PredictedCall } from "../../../shared/suites/tools/score/match-calls.ts";
import {
  levelScore,
  timeScore,
  totalScore,
} from "../../../shared/suites/tools/score/total-score.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const baselineMs = 500;
const { text, examples } = methodologyText("tools");
const [expected, made] = examples as [Json & ExpectedCall[], Json & PredictedCall[]];

describe("the worked example of tools", () => {
  it.each([
    [false, "Precision = 2 / 3, recall = 2 / 2, F1 = 0.8."],
    [true, "precision 1 / 3, recall 1 / 2, F1 = 0.4."],
  ])("has the stated result, with strict arguments %j", (strictArguments, said) => {
    const rules = { ...defaultOptions, strictArguments };
    const { matched, predicted, expected: wanted, f1 } = callScore(expected, made, 0, rules);
    const [precision, recall] = [`${matched} / ${predicted}`, `${matched} / ${wanted}`];
    expect(said.toLowerCase().replaceAll(" =", "")).toBe(
      `precision ${precision}, recall ${recall}, f1 ${shown(f1)}.`,
    );
    expect(text).toContain(said);
  });

  it("has the stated total and level scores", () => {
    const rows = [
      ...text.matchAll(/^\| (easy|medium|hard) \| ([\d.]+) \| (\d+) ms \| (\d+)% \|(.*)\|$/gm),
    ];
    const levels = rows.map(([, level = "", f1, ms, share, formula = ""]) => ({
      level,
      formula,
      means: { f1: Number(f1), slowness: Number(ms) / baselineMs, onDevice: Number(share) / 100 },
    }));
    for (const { means, formula } of levels) {
      const time = shown(timeScore(means.slowness));
      expect(formula.trim()).toBe(
        `0.60 · ${means.f1} + 0.15 · ${time} + 0.25 · ${means.onDevice} = ${shown(levelScore(means))}`,
      );
    }
    const byLevel = Object.fromEntries(levels.map(({ level, means }) => [level, means]));
    const total = totalScore(byLevel as Record<Level, (typeof levels)[number]["means"]>) ?? 0;
    const [easy = "", medium = "", hard = ""] = levels.map(({ means }) => shown(levelScore(means)));
    expect(text).toContain(
      `Total = 0.20 · ${easy} + 0.30 · ${medium} + 0.50 · ${hard} = ${shown(total, 2)}, shown as **${(100 * total).toFixed(1)}%**`,
    );
  });

  it("states the highest scores of a cloud model", () => {
    expect(levelScore({ f1: 1, slowness: 1, onDevice: 0 })).toBeCloseTo(0.6, 12);
    expect(levelScore({ f1: 1, slowness: 0, onDevice: 0 })).toBeCloseTo(0.75, 12);
    expect(text).toContain("takes half a second or more gets 60%, and at most 75% if it is faster");
  });
});
