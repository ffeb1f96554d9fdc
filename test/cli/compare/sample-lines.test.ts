import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSampleLines, scoreOfLine } from "../../../cli/report/sampled-report.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { suiteFor } from "../../../shared/contracts/boards/ranking.ts";
import { sampleLine } from "../../../shared/contracts/submissions/sample-line.ts";
import { examples } from "../../../shared/suites/__fixtures__/examples.ts";
import { suites } from "../../../shared/suites/registry.ts";
import { folderWith } from "../support/folder-with.ts";

it.each(suites.map((suite) => [suite.id, suite] as const))(
  "scoreOfLine() restores every comparable value of a line of %s",
  (id, known) => {
    const { rows, perfect } = examples[id]!;
    const options = known.optionsSchema.parse({});
    const suite = suiteFor(known, options);
    const failed = { ...emptyAnswer, error: { class: "timeout" as const, message: "" } };
    const scores = rows.flatMap((row) => {
      const checked = suite.checkSample(row);
      if (!checked.ok) throw new Error(checked.error);
      const { sample } = checked.value;
      return [perfect(sample), failed].map((call) => ({
        call,
        score: suite.score(sample, call, options),
      }));
    });
    const lines = scores.map(({ call, score }, i) =>
      sampleLine(
        {
          id: `s${i}`,
          repeat: 0,
          repeats: 1,
          cluster: "c",
          errorClass: call.error?.class ?? null,
          score,
          call,
        },
        { fields: false },
      ),
    );
    const { path, dispose } = folderWith({ "samples.jsonl": `${lines.join("\n")}\n` });
    onTestFinished(dispose);
    const read = [...readSampleLines(join(path, "samples.jsonl"))];
    expect(read.map(({ cluster }) => cluster)).toEqual(lines.map(() => "c"));
    expect(read.map((line) => suite.sampleValues(scoreOfLine(line).score))).toEqual(
      scores.map(({ score }) => suite.sampleValues(score)),
    );
  },
);
