import { describe, expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../contracts/answer.ts";
import { givenJudgments } from "../contracts/judging/given-judgments.ts";
import type { TextBlock } from "../contracts/report.ts";
import { callOf } from "../measures/performance/call-totals.ts";
import { sampleBlocks } from "../measures/report/run/sample-blocks.ts";
import { sampleLook } from "../measures/report/show/sample-look.ts";
import { failed, suiteSamples } from "./__fixtures__/suite-samples.ts";
import { suites } from "./registry.ts";

const nonsense: Answer[] = [
  emptyAnswer,
  failed,
  { ...emptyAnswer, refusal: "I can't." },
  ...["", "{}", "[]", "null", "{", "\ud800", "[".repeat(20_000)].map((output) => ({
    ...emptyAnswer,
    output,
  })),
];
/** Invalid judgments, each used for every metric. */
const invalidJudgments: unknown[] = [
  {},
  { judgment: 5 },
  { unjudged: "judge_failed" },
  [null],
  [{}, []],
];

describe.each(suites.map((suite) => [suite.id, suite] as const))("suite %s", (_, suite) => {
  const { rows, perfect, samples, answers, options } = suiteSamples(suite);
  const judgedAs = (judgment: unknown) =>
    givenJudgments(
      Object.fromEntries((suite.judging?.judges ?? []).map((judge) => [judge.id, judgment])),
    );

  test("gives a perfect answer the maximum", () => {
    for (const sample of samples) {
      expect(suite.score(sample, perfect(sample), options)).toMatchObject({
        status: "scored",
        score: 1,
        covered: true,
      });
    }
  });

  test("gives a perfect answer the same score with and without thoughts", () => {
    const thoughts = 'First try: {"name": "Bob"}. However, that is wrong. ';
    for (const sample of samples) {
      const plain = perfect(sample);
      const { output } = plain;
      const earned = suite.score(sample, plain, options);
      const thought = [
        `<think>\n${thoughts}\n</think>\n\n${output ?? ""}`,
        `${thoughts}</think>${output ?? ""}`,
        `[THINK]${thoughts}[/THINK]<answer>${output ?? ""}</answer>`,
        `${output ?? ""}\n\n<reasoning>${thoughts}</reasoning>`,
      ].map((text) => ({ ...plain, output: text }));
      for (const answer of [...thought, { ...plain, thoughts }]) {
        const { detail, ...score } = suite.score(sample, answer, options);
        // The output length is correlated with latency, so it includes thoughts.
        expect({ ...score, detail: { ...detail, outputChars: 0 } }).toEqual({
          ...earned,
          detail: { ...earned.detail, outputChars: 0 },
        });
        expect(callOf(answer).hasThoughts).toBe(true);
        expect(suite.judging?.tasks(sample, answer, options)).toEqual(
          suite.judging?.tasks(sample, plain, options),
        );
      }
    }
  });

  test("gives an answer the same score with and without thoughts in the middle of its text", () => {
    for (const sample of samples) {
      const plain = perfect(sample);
      const output = plain.output ?? "";
      const draft = `First try: ${output}. However, that is wrong.`;
      const scoreOf = (text: string) => {
        const answer = { ...plain, output: text };
        const { detail, ...score } = suite.score(sample, answer, options);
        return { ...score, detail: { ...detail, outputChars: 0 } };
      };
      for (const [text, withoutThoughts] of [
        [`Sure, <think>${draft}</think>\n${output}`, `Sure, \n${output}`],
        [`- <think>\n${draft}\n</think>\n${output}`, `- \n${output}`],
        [`Sure, <think>${draft}</think>\n<answer>${output}</answer>`, `Sure, \n${output}`],
        [`<think>Hm.</think>More: ${draft}\n</think>\n${output}`, output],
        [`${output} <think>${draft}</think>`, output],
      ] as const) {
        // An empty output has no text around the thoughts.
        if (output !== "") expect(scoreOf(text)).toEqual(scoreOf(withoutThoughts));
      }
    }
  });

  test("scores an answer of only thoughts as empty", () => {
    const [sample] = samples;
    const draft = perfect(sample).output ?? "[]";
    const cut = { ...emptyAnswer, finishReason: "length" };
    const { detail, ...empty } = suite.score(sample, cut, options);
    for (const answer of [
      { ...cut, output: `<think>\nIt may be\n${draft}\nor` },
      { ...cut, thoughts: draft },
    ]) {
      const { detail: earnedDetail, ...earned } = suite.score(sample, answer, options);
      expect(earned).toEqual(empty);
      expect({ ...earnedDetail, outputChars: null }).toEqual({ ...detail, outputChars: null });
      expect(suite.judging?.tasks(sample, answer, options) ?? []).toEqual([]);
    }
  });

  const shownOf = (sample: unknown, answer: Answer) => ({
    sample,
    answer,
    score: suite.score(sample, answer, options),
  });

  test("shows samples without charts, in reports and on sample pages", () => {
    for (const sample of samples) {
      for (const answer of [perfect(sample), ...answers, ...nonsense]) {
        for (const isWhole of [false, true]) {
          const blocks = suite.showSample({ ...shownOf(sample, answer), isWhole });
          for (const { kind } of blocks)
            expect(["fields", "note", "table", "text"]).toContain(kind);
        }
      }
    }
  });

  test("lists no error in a perfect answer", () => {
    for (const sample of samples) {
      const { look } = sampleLook(suite, shownOf(sample, perfect(sample)));
      expect(look).toMatchObject({ fault: null, firstError: null });
      expect(look.wrong ?? 0).toBe(0);
    }
  });

  const looks = samples.flatMap((sample) =>
    [...answers, ...nonsense].map((answer) => sampleLook(suite, shownOf(sample, answer))),
  );

  test("lists parts of any answer only with its declared verdicts and patterns", () => {
    const { verdicts = [], patterns = [] } = suite.fieldTable.parts ?? {};
    for (const part of looks.flatMap(({ parts }) => parts)) {
      expect(verdicts).toContain(part.verdict);
      expect(patterns).toEqual(expect.arrayContaining([...part.patterns]));
    }
  });

  test("lists its metrics as 1, 0 or null for a sample, and reports a failed request as fault", () => {
    for (const { look } of looks) {
      expect(Object.keys(look.values)).toEqual(suite.listedMetrics ?? []);
      expect([0, 1, null]).toEqual(expect.arrayContaining(Object.values(look.values)));
    }
    const { look } = sampleLook(suite, shownOf(samples[0], failed));
    expect(look.fault).toBe("failed_request");
  });

  test("shows thoughts in a separate block", () => {
    const [row] = rows;
    const answer = { ...perfect(samples[0]), output: "<think>One moment.</think>Never mind." };
    const { status, score, detail } = suite.score(samples[0], answer, options);
    const { id: name, ...rest } = { id: "sample-0", sample: row, answer, detail, status, score };
    const blocks = sampleBlocks(suite, { suiteVersion: suite.version }, {
      id: name,
      ...rest,
    } as never);
    const shown = blocks.filter((block) => block.kind === "text");
    expect(shown).toContainEqual(
      expect.objectContaining({ title: "Thoughts", text: "One moment.", folded: true }),
    );
    const others = blocks.filter(
      (block) => block !== shown.find(({ title }) => title === "Thoughts"),
    );
    expect(JSON.stringify(others)).not.toContain("One moment.");
    const alone = { ...rest, answer: { ...emptyAnswer, output: "<think>One moment." } };
    expect(
      JSON.stringify(
        sampleBlocks(suite, { suiteVersion: suite.version }, { id: name, ...alone } as never),
      ),
    ).toContain("Thoughts only");
  });

  test("scores any answer without throwing, within 0 and 1", () => {
    const judged = invalidJudgments.flatMap((judgment) =>
      nonsense.map((answer) => ({ ...answer, judgments: judgedAs(judgment) })),
    );
    for (const answer of [...nonsense, ...judged]) {
      const { status, score, covered } = suite.score(samples[0], answer, options);
      expect(covered).toBe(answer.error === null);
      if (suite.judging && status === "unscored") {
        expect(score).toBeNull();
        continue;
      }
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test("returns a field table with every column in every row, empty without a detail", () => {
    const { columns, rows: rowsOf } = suite.fieldTable;
    const ids = columns.map((column) => column.id);
    expect(new Set(ids).size).toBe(ids.length);
    // Every table already has these columns of the sample.
    expect(ids.filter((column) => column === "id" || column === "repeat")).toEqual([]);
    for (const answer of [perfect(samples[0]), ...nonsense]) {
      const score = suite.score(samples[0], answer, options);
      const table = rowsOf({ sample: samples[0], answer, score });
      for (const row of table) expect(Object.keys(row).sort()).toEqual([...ids].sort());
      expect(JSON.parse(JSON.stringify(table))).toEqual(table);
      if (answer.error === null && score.score === 1) expect(table).not.toEqual([]);
      const bare = { ...score, detail: null };
      expect(rowsOf({ sample: samples[0], answer, score: bare })).toEqual([]);
    }
  });

  test("asks only its own judges, and none about a failed request", () => {
    const { judges = [], needed = [], tasks } = suite.judging ?? {};
    expect(judges.map((judge) => judge.id)).toEqual(expect.arrayContaining([...needed]));
    const asked = tasks?.(samples[0], perfect(samples[0]), options) ?? [];
    expect(new Set(asked.map(({ name }) => name)).size).toBe(asked.length);
    expect(judges).toEqual(expect.arrayContaining(asked.map(({ judge }) => judge)));
    expect(tasks?.(samples[0], failed, options) ?? []).toEqual([]);
  });

  test("shows any sample with any answer, with and without a detail", () => {
    for (const sample of samples) {
      for (const answer of [...answers, ...nonsense]) {
        const { covered: _, ...score } = suite.score(sample, answer, options);
        const kept = JSON.parse(JSON.stringify(score)) as typeof score;
        for (const shown of [score, kept, { ...score, detail: null }]) {
          const blocks = suite.showSample({ sample, answer, score: shown });
          expect(JSON.parse(JSON.stringify(blocks))).toEqual(blocks);
          expect(blocks).not.toEqual([]);
          blocks.filter((block) => block.kind === "text").forEach(expectMarksApart);
        }
      }
    }
  });
});

function expectMarksApart({ text, marks }: TextBlock): void {
  let end = 0;
  for (const { from, to } of marks) {
    expect(from).toBeGreaterThanOrEqual(end);
    expect(to).toBeGreaterThan(from);
    end = to;
  }
  expect(end).toBeLessThanOrEqual(text.length);
}
