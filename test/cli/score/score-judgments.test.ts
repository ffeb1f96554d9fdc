import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Estimate } from "../../../shared/contracts/metric.ts";
import { promptHash } from "../../../shared/judges/judge-prompt.ts";
import { aRow, perfect, recorded } from "../../../shared/suites/memory/__fixtures__/build.ts";
import type { MemoryBreakdown } from "../../../shared/suites/memory/sum/breakdown.ts";
import { anAnswer, aSample } from "../../../shared/suites/rubric/__fixtures__/build.ts";
import { rubricOptionsSchema } from "../../../shared/suites/rubric/options.ts";
import { rubric } from "../../../shared/suites/rubric/suite.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const ids = ["a", "b", "c"];
const rows = ids.map((id) => aRow({ id }));
const output =
  "I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest.";
const { safety: _, ...withoutSafety } = recorded;
const answers = [
  { id: "a", output, judgments: perfect },
  { id: "b", output, judgments: recorded },
  { id: "c", output, judgments: withoutSafety },
];
const folder = folderWith({
  "samples.jsonl": rows,
  "samples.json": JSON.stringify(rows, null, 1),
  "answers.jsonl": answers,
});
afterAll(folder.dispose);

for (const { id, ...row } of rows) {
  mkdirSync(join(folder.path, "whole/samples", String(id)), { recursive: true });
  writeFileSync(
    join(folder.path, "whole/samples", String(id), "sample.json"),
    JSON.stringify(row, null, 1),
  );
}

const flaws =
  "/warmth_level: must be one of high, moderate, low, cold; /empathy_score: must be at most 5, not 9";

interface Scored {
  answers: { warnings: object[] };
  metrics: Record<string, Estimate>;
  breakdown: MemoryBreakdown;
}

async function scoring(
  given: readonly unknown[] | null,
  dataset = "samples.jsonl",
  ...more: string[]
) {
  if (given !== null) {
    writeFileSync(
      join(folder.path, "given.jsonl"),
      given.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
  }
  const file = given === null ? "answers.jsonl" : "given.jsonl";
  const args = ["score", "memory", "--dataset", dataset, "--answers", file, ...more];
  return assay(folder.path, args);
}

async function scored(given: readonly unknown[] | null, dataset?: string): Promise<Scored> {
  const { code, stdout, stderr } = await scoring(given, dataset, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const judgeOf = (breakdown: MemoryBreakdown, metric: string) =>
  breakdown.judges.filter((row) => row.metric === metric);

describe("assay score memory", () => {
  test("reads recorded judgments and leaves unjudged answers unscored", async () => {
    const { metrics, breakdown, answers: counted } = await scored(null);
    expect(counted).toEqual({
      wanted: 3,
      missing: 0,
      unscored: 1,
      warnings: [],
      warningsCount: 0,
    });
    expect(metrics["mcs"]).toMatchObject({ n: 2, coverage: 2 / 3 });
    expect(metrics["safety"]).toMatchObject({ value: 0.75, n: 2, coverage: 2 / 3 });
    expect(metrics["empathy"]).toMatchObject({ n: 3, coverage: 1 });
    expect(breakdown.unjudged).toEqual([
      { metric: "safety", reason: "not_given", count: 1, share: 1 / 3 },
    ]);
  });

  test("leaves unknown requests, cost and time of judges null", async () => {
    const { metrics } = await scored(null);
    for (const id of ["judgeRequests", "judgeCostUsd", "evaluationTime", "evaluationTimeMean"]) {
      expect([id, metrics[id]?.value]).toEqual([id, null]);
    }
  });

  test("prints unscored answers, missing judgments and the scale of grades in its summary", async () => {
    const { stdout } = await scoring(null, "samples.jsonl", "--all");
    expect(stdout).toContain("3 samples, 1 answer could not be scored");
    expect(stdout).toMatch(/^Safety +0\.750 .* 2 +66\.7%$/m);
    expect(stdout).toMatch(/^Empathy +4\.33\/5 +4\.00\/5 – 5\.00\/5 +3 +100\.0%$/m);
    expect(stdout).toMatch(/^Safety +No judgment was given +1 +33\.3%$/m);
  });

  test.each([
    ["one array", "samples.json"],
    ["a folder", "whole/"],
    ["its folder of samples", "whole/samples/"],
  ])("reads a dataset that is %s", async (_, dataset) => {
    const { metrics } = await scored(null, dataset);
    expect(metrics).toEqual((await scored(null)).metrics);
  });

  test("reads answers from one JSON array", async () => {
    writeFileSync(join(folder.path, "array.json"), JSON.stringify(answers, null, 1));
    const args = ["score", "memory", "--dataset", "samples.jsonl", "--answers", "array.json"];
    const { code, stdout } = await assay(folder.path, [...args, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).metrics).toEqual((await scored(null)).metrics);
  });

  test("reads panels and judge records with their metadata", async () => {
    const panel = [4, 5, 3].map((empathy_score, i) => ({
      judge: `judge-${i}`,
      provider: "openai",
      latencyMs: 100,
      requests: 1,
      judgment: { empathy_score, warmth_level: "high", validation_present: true },
    }));
    const refused = { judge: "judge-0", unjudged: { reason: "judge_refused", message: "No." } };
    const { metrics, breakdown } = await scored([
      { id: "a", output, judgments: { ...perfect, empathy: panel, helpfulness: refused } },
      ...answers.slice(1),
    ]);
    expect(breakdown.panels).toMatchObject([{ metric: "empathy", answers: 1, ratings: 3 }]);
    expect(judgeOf(breakdown, "empathy").map(({ judge }) => judge)).toContain("judge-2");
    expect(breakdown.unjudged).toContainEqual({
      metric: "helpfulness",
      reason: "judge_refused",
      count: 1,
      share: 1 / 3,
    });
    expect(metrics["empathy"]?.value).toBeCloseTo(4);
    expect(metrics["judgeRequests"]?.value).toBe(3);
  });

  test("warns of invalid judgments; lists the first and counts the others", async () => {
    const wrong = { empathy_score: 9, validation_present: true };
    const right = { empathy_score: 4, warmth_level: "high", validation_present: true };
    const panel = [
      { judge: "one", judgment: right },
      { judge: "two", judgment: wrong },
    ];
    const scoreless = { relevance: {}, coherence: {}, safety: {}, politeness: {} };
    const given = [
      { id: "c", output, judgments: { ...recorded, ...scoreless, empathy: wrong } },
      { id: "b", output, judgments: { ...recorded, empathy: panel } },
      // A blank answer is scored without its judgments.
      { id: "a", output: " ", judgments: { empathy: wrong } },
    ];
    const { code, stdout, stderr } = await scoring(given);
    const left = 'sample "c": the judgment of';
    expect([code, stderr.trimEnd().split("\n")]).toEqual([
      0,
      [
        `given.jsonl:2: sample "b": the judgment of empathy by two is left out: ${flaws} (warning)`,
        ...Object.keys(scoreless).map((metric) =>
          expect.stringContaining(`given.jsonl:1: ${left} ${metric} is left out: /${metric}`),
        ),
        "given.jsonl: 1 more warnings; --json lists them",
      ],
    ]);
    expect(stdout).toContain("3 samples, 6 warnings");
    const listed = (await scored(given)).answers.warnings;
    expect(listed).toHaveLength(6);
    expect(listed[5]).toEqual({
      line: 1,
      id: "c",
      reason: `the judgment of empathy is left out: ${flaws}`,
    });
  });

  test("prints the agreement of the judges only if there is a panel", async () => {
    const panels = [
      [5, 4],
      [2, 2],
      [4, 3],
    ];
    const given = answers.map((row, i) => {
      const empathy = panels[i]!.map((empathy_score, k) => ({
        judge: `judge-${k}`,
        judgment: { empathy_score, warmth_level: "high", validation_present: true },
      }));
      return { ...row, judgments: { ...row.judgments, empathy } };
    });
    const { stdout } = await scoring(given, "samples.jsonl", "--all");
    expect(stdout).toMatch(
      /^Agreement of the panel\nmetric +krippendorff's alpha +95% interval +answers +judgments\nEmpathy +0\.773 +\u22120\.667 to 0\.906 +3 +6$/m,
    );
    const alone = await scoring(null, "samples.jsonl", "--all");
    expect(alone.stdout).not.toContain("Agreement of the panel");
  });

  test("gives the same scores for the lines of --samples with outputs added", async () => {
    const lines = jsonLines((await scoring(null, "samples.jsonl", "--samples", "-")).stdout);
    const asTheyAre = await scoring(lines);
    expect([asTheyAre.code, asTheyAre.stderr]).toEqual([2, expect.stringContaining("give output")]);
    const wanted = await scored(null);
    const fromScores = lines.map(({ id, metrics }) => ({ id, output, judgments: metrics }));
    expect((await scored(fromScores)).metrics).toEqual(wanted.metrics);
    const exported = lines.map((line, i) => ({
      ...line,
      output,
      judgments: answers[i]!.judgments,
    }));
    expect((await scored(exported)).metrics).toEqual(wanted.metrics);
    const failed = { ...lines[0], outcome: "scored", errorClass: "timeout" };
    const { metrics } = await scored([failed, ...exported.slice(1)]);
    expect(metrics["timeoutRate"]?.value).toBeCloseTo(1 / 3);
  });

  test.each<[string, unknown, string]>([
    [
      "an unknown metric",
      { kindness: {} },
      "/judgments/kindness: unknown metric; choose memory_utilization, ",
    ],
    [
      "a number",
      { relevance: 0.78 },
      "/judgments/relevance: must be a judgment, an object by its fields",
    ],
    ["a list of numbers", { empathy: [4, 5] }, "/judgments/empathy: must be a judgment"],
    [
      "a panel that is too large",
      { empathy: Array(17).fill({}) },
      "/judgments/empathy: must have at most 16",
    ],
    ["a list", [], "/judgments: must be an object of judgments by metric"],
  ])("refuses judgments with %s", async (_, judgments, message) => {
    const { code, stdout, stderr } = await scoring([{ id: "a", output, judgments }]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`given.jsonl:1: ${message}`);
  });

  test("refuses a line of scores without an output", async () => {
    const { code, stderr } = await scoring([{ id: "a", outcome: "scored", score: 1 }]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("give output")]);
  });
});

test("assay score rubric leaves out judgments by another rubric with a warning", async () => {
  const criterion = { id: "kind", question: "Is it kind?", scale: { min: 1, max: 5 } };
  const options = rubricOptionsSchema.parse({ rubric: { name: "Support", criteria: [criterion] } });
  const { judge } = rubric.judging!.tasks(aSample(), anAnswer({}), options)[0]!;
  const given = (hash: string) => ({
    id: "a",
    output,
    judgments: { kind: { judge: "j", promptHash: hash, judgment: { score: 4 } } },
  });
  const args = ["--rubric", "rubric.json", "--dataset", "queries.jsonl", "--answers"];
  const score = (hash: string) => {
    writeFileSync(join(folder.path, "given.jsonl"), `${JSON.stringify(given(hash))}\n`);
    return assay(folder.path, ["score", "rubric", ...args, "given.jsonl", "--json"]);
  };
  writeFileSync(join(folder.path, "queries.jsonl"), '{"id": "a", "query": "How?"}\n');
  const own = { name: "Support", criteria: [criterion] };
  writeFileSync(join(folder.path, "rubric.json"), JSON.stringify(own));
  const kept = JSON.parse((await score(promptHash(judge))).stdout);
  expect([kept.metrics.rubricScore.value, kept.answers.warnings]).toEqual([0.75, []]);
  writeFileSync(
    join(folder.path, "given.jsonl"),
    JSON.stringify({
      ...given(promptHash(judge)),
      judgments: { kind: { score: 4 }, gone: { score: 1 } },
    }),
  );
  const smaller = await assay(folder.path, ["score", "rubric", ...args, "given.jsonl", "--json"]);
  expect(JSON.parse(smaller.stdout).answers.warnings).toEqual([
    {
      line: 1,
      id: "a",
      reason: "the judgment of gone is left out: the rubric has no such criterion",
    },
  ]);
  const other = JSON.parse((await score("of another rubric")).stdout);
  expect(other.metrics.rubricScore.value).toBeNull();
  expect(other.answers.warnings).toEqual([
    {
      line: 1,
      id: "a",
      reason:
        "the judgment of kind by j is left out: it was made by another rubric: have the answers judged again",
    },
  ]);
});

test.each([
  ["a broken array", '[{"id": "a"}', "the array is not JSON"],
  ["an array of another encoding", Buffer.from('[{"id": "a"}]', "utf16le"), "it is UTF-16 text"],
])("assay score refuses %s", async (_, bytes, message) => {
  writeFileSync(join(folder.path, "broken.json"), bytes);
  const { code, stderr } = await scoring(null, "broken.json");
  expect([code, stderr]).toEqual([2, expect.stringContaining(`broken.json: ${message}`)]);
});

test("assay score refuses a folder without samples", async () => {
  mkdirSync(join(folder.path, "bare"));
  const { code, stderr } = await scoring(null, "bare/");
  const reason = "the folder has no samples/<id>/sample.json";
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test("assay score refuses judgments for a suite without judges", async () => {
  writeFileSync(join(folder.path, "given.jsonl"), '{"id": "a", "output": "", "judgments": {}}\n');
  const files = ["--dataset", "samples.jsonl", "--answers", "given.jsonl"];
  const { code, stderr } = await assay(folder.path, ["score", "quality", ...files]);
  const reason = "given.jsonl:1: /judgments: suite quality is not judged, and reads no judgments";
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
