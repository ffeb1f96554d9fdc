import { expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { scoredRun } from "../../../shared/suites/__fixtures__/scored-run.ts";
import { defaultOptions } from "../../../shared/suites/pairs/options.ts";
import { checkSample } from "../../../shared/suites/pairs/sample.ts";
import { pairs } from "../../../shared/suites/pairs/suite.ts";
import type { PairsBreakdown } from "../../../shared/suites/pairs/sum/breakdown.ts";
import { methodologyText, shown } from "./methodology-text.ts";

const { text } = methodologyText("pairs");
const rows = [...text.matchAll(/^\| (\d) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \| ([\d.]+) \|$/gm)];

it("the worked example of pairs has the stated verdicts and metrics", () => {
  expect(rows).toHaveLength(4);
  const models = { a: "x", b: "y" };
  const answered = rows.map(([, id = "", label = "", given, swapped]) => {
    const checked = checkSample({ id, query: "?", a: "Yes.", b: "No!", label, models });
    if (!checked.ok) throw new Error(checked.error);
    const output = JSON.stringify({ given: { verdict: given }, swapped: { verdict: swapped } });
    return [checked.value.sample, { ...emptyAnswer, output }] as const;
  });
  const { scored, summary } = scoredRun(pairs, answered, defaultOptions);
  const verdicts = scored.map(({ score }) => [score.detail as { verdict: string }, score.score]);
  expect(verdicts).toEqual(
    rows.map(([, , , , , verdict, accuracy]) => [
      expect.objectContaining({ verdict }),
      Number(accuracy),
    ]),
  );
  const value = (id: string) => shown(summary.metrics[id]!.value!);
  expect(text).toContain(`/ 4 = **${value("accuracy")}**`);
  expect(text).toContain(`Right in both orders: 3/4 = ${value("bothRight")}; consistency the same`);
  expect(value("consistency")).toBe(value("bothRight"));
  expect(text).toContain(`in 5 of 8 verdicts, ${value("firstShare")}`);
  const [x, y] = (summary.breakdown as unknown as PairsBreakdown).models;
  expect([x?.model, (x?.winRate ?? 0) * 4]).toEqual(["x", 2.5]);
  expect(text).toContain(
    `½ · ln(3 / 2) = **${shown(x!.score)}**, and that of y −${shown(-y!.score)}`,
  );
});
