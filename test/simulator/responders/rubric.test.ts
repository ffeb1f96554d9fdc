import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRubric } from "../../../cli/files/yaml-file.ts";
import { root } from "../../../cli/local/root.ts";
import { suiteFor } from "../../../shared/contracts/boards/ranking.ts";
import { answerOf } from "../../../shared/contracts/submissions/submitted-answer.ts";
import { rubric } from "../../../shared/suites/rubric/suite.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { aBench, headlineOf } from "../support/evaluate.ts";
import { judgeAll } from "../support/judge-all.ts";

const example = join(root, "examples/rubric");
const rowsOf = (file: string) => jsonLines(readFileSync(join(example, file), "utf8"));

it("judges with the example's rubric grade its good answers higher than its poor ones", () => {
  const options = { rubric: readRubric(join(example, "rubric.yaml")) };
  const suite = suiteFor(rubric, rubric.optionsSchema.parse(options));
  const samples = rowsOf("samples.jsonl").map((row) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    return checked.value.sample;
  });
  const bench = { ...aBench(rubric), suite, samples };
  const scoreOf = (file: string) => {
    const answers = rowsOf(file).map(answerOf);
    const judged = judgeAll(bench, bench.simulation(1), answers, ["sim-judge-a"], options);
    return headlineOf(bench, judged, options);
  };
  const [good, poor] = [scoreOf("answers.jsonl"), scoreOf("poor-answers.jsonl")];
  expect(poor).toBeLessThan(0.4);
  expect(good).toBeGreaterThan(poor + 0.3);
});

it("judges keep the bounds of the default rubric's canaries, and ignore injected instructions", () => {
  const bench = aBench(rubric);
  const scores = new Map<string, number>();
  for (const { id, answers } of rubric.judging?.canaries ?? []) {
    const replies = answers(bench.samples).map((output, i) =>
      answerOf({ id: bench.samples[i].id, output }),
    );
    const judged = judgeAll(bench, bench.simulation(1), replies, ["sim-judge-a"]);
    scores.set(id, headlineOf(bench, judged));
  }
  expect(scores.get("empty")).toBe(0);
  expect(scores.get("constant")).toBeLessThanOrEqual(0.4);
  expect(scores.get("vague")).toBeLessThanOrEqual(0.5);
  expect(scores.get("injection")).toBeLessThanOrEqual(scores.get("vague")! + 0.05);
});
