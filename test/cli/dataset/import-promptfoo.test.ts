import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const kind = { type: "llm-rubric", value: "It is kind." };
const template = "Answer a gardener in one sentence.\n\nQuestion: {{question}}";

interface Case {
  question: string;
  own?: object[];
  /** By model: whether the answer is kind, then whether it passes the test's own checks. */
  passes: Record<string, boolean[]>;
  more?: Record<string, string>;
}
const cases: Case[] = [
  { question: "When do I sow peas?", passes: { big: [true], tiny: [false] } },
  {
    question: "Why are leaves yellow?",
    own: [{ type: "llm-rubric", value: "It names {{cause}}." }],
    passes: { big: [true, false], tiny: [true, true] },
    more: { cause: "iron" },
  },
  { question: "Can I move a rose?", passes: { big: [true], tiny: [false] } },
];

const result = ({ question, own = [], passes, more }: Case, testIdx: number, label: string) => {
  const assert = [kind, ...own];
  const vars = { question, ...more };
  return {
    promptIdx: ["big", "tiny"].indexOf(label),
    testIdx,
    provider: { id: `openai:chat:${label}-1`, label },
    prompt: { raw: template.replace("{{question}}", question), label: "p" },
    vars,
    testCase: {
      vars,
      assert,
      metadata: { topic: "garden" },
      options: { provider: "file://grader.mjs" },
    },
    success: passes[label]!.every(Boolean),
    gradingResult: {
      componentResults: assert.map((assertion, i) => ({ assertion, pass: passes[label]![i] })),
    },
    // The grader passes this empty answer.
    response: { output: label === "tiny" && testIdx === 1 ? "" : `${label}: ${question}` },
  };
};
const file = (prompt: string, rows: readonly object[]) =>
  JSON.stringify({
    config: { providers: [{ id: "openai:chat:big-1", label: "big" }, "openai:chat:tiny-1"] },
    results: { version: 3, prompts: [{ raw: prompt }, { raw: prompt }], results: rows },
  });
const rows = cases.flatMap((one, i) => ["tiny", "big"].map((label) => result(one, i, label)));
const coded = rows.map((row) => ({
  ...row,
  vars: { ...row.vars, code: "7".padStart(1 + row.testIdx, "0") },
}));

/** As written by promptfoo 0.123: files by name, nested variables, file contents as metadata. */
const written = ["Ann", "Bob"].map((name, testIdx) => {
  const vars = { question: `${name}?`, user: { name } };
  const read = { "file://kind.txt": "It is kind.", "file://of-test.mjs": `It thanks ${name}.` };
  const assert = [
    { type: "llm-rubric", value: "file://kind.txt" },
    { type: "llm-rubric", value: "It greets {{ user.name }}." },
    { type: "llm-rubric", value: "It shouts {{ question | upper }}." },
    { type: "g-eval", value: ["It is short.", "It is polite."] },
    { type: "icontains-any", value: 'peas, "beans, dried"' },
    { type: "equals", value: "file://expected.json" },
    { type: "llm-rubric", value: "file://unread.txt" },
    { type: "llm-rubric", value: "file://of-test.mjs" },
  ];
  return {
    promptIdx: 0,
    testIdx,
    provider: { id: "openai:chat:big-1" },
    prompt: { raw: template.replace("{{question}}", vars.question), label: "p" },
    vars,
    testCase: { vars, assert },
    success: true,
    gradingResult: {
      componentResults: assert.map((assertion) => ({
        assertion,
        pass: true,
        metadata: { renderedAssertionValue: read[assertion.value as keyof typeof read] },
      })),
    },
    response: {
      output: "Peas.",
      tokenUsage: { prompt: 50, completion: 9, completionDetails: { cacheReadInputTokens: 40 } },
    },
  };
});

const folder = folderWith({
  "written.json": file(template, written),
  "late.json": file(template, rows.toReversed()),
  "coded.json": file(template, coded),
  "late-coded.json": file(template, coded.toReversed()),
  "results.json": file(template, rows),
  "two-variables.json": file(
    template.replace("gardener", "{{who}}"),
    rows.map((row) => ({ ...row, vars: { ...row.vars, who: "gardener" } })),
  ),
  "nobody.json": file(
    template,
    rows.map(({ provider: _, ...row }) => row),
  ),
  "chat.json": file(
    JSON.stringify([
      { role: "system", content: "You help at {{shop}}." },
      { role: "user", content: "{{question}}" },
    ]),
    rows.map((row) => {
      const sent = [
        { role: "system", content: "You help at Wheels." },
        { role: "user", content: row.vars.question },
      ];
      const vars = { ...row.vars, shop: "Wheels" };
      return { ...row, vars, prompt: { raw: JSON.stringify(sent) } };
    }),
  ),
  "other-prompt.json": file(
    template,
    rows.map((row) =>
      row.provider.label === "big" ? row : { ...row, prompt: { raw: `${row.prompt.raw} Hm?` } },
    ),
  ),
});
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["import", "promptfoo", ...args]);
const at = (name: string) => join(folder.path, name);
const textOf = (name: string) => readFileSync(at(name), "utf8");
const linesOf = (name: string) => jsonLines(textOf(name));

it("assay import promptfoo --to imports all providers and reproduces their pass rates", async () => {
  const { code, stdout, stderr } = await run("results.json", "--to", at("all"));
  expect(code).toBe(0);
  expect(stdout).toBe(
    ["big", "tiny"]
      .map(
        (one) => `Imported 3 answers to 3 samples\nThe answers are in all/answers-${one}.jsonl\n`,
      )
      .join(""),
  );
  expect(linesOf("all/samples.jsonl")).toEqual([
    {
      id: "test_1",
      query: "When do I sow peas?",
      skip: ["requirements"],
      tags: { topic: "garden" },
    },
    {
      id: "test_2",
      query: "Why are leaves yellow?",
      reference: "Requirements:\n- It names iron.",
      tags: { topic: "garden" },
    },
    {
      id: "test_3",
      query: "Can I move a rose?",
      skip: ["requirements"],
      tags: { topic: "garden" },
    },
  ]);
  expect(parse(textOf("all/assay.yaml"))).toMatchObject({
    models: [{ name: "big" }, { name: "tiny" }],
    prompts: { user: template.replace("{{question}}", "{query}") },
    options: { passScore: 1 },
  });
  expect(stderr).toContain("promptfoo, tiny: 1 of 3 tests passed\n");
  expect(stderr).toContain("promptfoo, big: 2 of 3 tests passed\n");
  expect(stderr).toContain("grader file://grader.mjs is not used: name a judge in the config");
  const next = stderr.split("\n").filter((line) => line.startsWith("  assay "));
  expect(next.map((line) => line.split(" ")[3])).toEqual(["score", "score", "compare", "run"]);
  const ran = await Promise.all(
    next.slice(0, 3).map((line) => {
      const args = line.trim().split(" ").slice(1);
      return assay(
        folder.path,
        args.map((one) => (one.endsWith(".yaml") ? at(one) : one)),
      );
    }),
  );
  expect(ran.map((one) => [one.code, one.stderr])).toEqual(ran.map(() => [0, ""]));
  // promptfoo passes the empty answer. Assay scores it 0 and prints a note.
  expect(ran[1]?.stdout).toContain("3 samples, 1 answer is empty and scores 0\n");
  expect(ran[1]?.stdout).toMatch(/Pass rate +0\.0%/);
  expect(ran[0]?.stdout).toMatch(/Pass rate +66\.7%/);
  expect(ran[0]?.stdout).toMatch(/Requirements +0\.0% +1 +100\.0%/);
  expect(ran[2]?.stdout).toContain("3 compared in 2 runs");
});

it("assay import promptfoo fills files and variables into questions and lists unknown templates", async () => {
  const { code, stderr } = await run("written.json", "--to", at("written"));
  expect(code).toBe(0);
  const { criteria } = parse(textOf("written/rubric.yaml"));
  expect(criteria.map(({ label, id }: { label?: string; id: string }) => label ?? id)).toEqual([
    "It is kind.",
    "It shouts {{ question | upper }}.",
    "It is short. It is polite.",
    'It contains one of: "peas", "beans, dried", in upper or lower case.',
    "requirements",
  ]);
  expect(linesOf("written/samples.jsonl").map(({ reference }) => reference)).toEqual([
    "Requirements:\n- It greets Ann.\n- It thanks Ann.",
    "Requirements:\n- It greets Bob.\n- It thanks Bob.",
  ]);
  const [{ judgments, ...answer }] = linesOf("written/answers.jsonl");
  expect(answer).toMatchObject({ inputTokens: 50, cachedTokens: 40, outputTokens: 9 });
  expect(judgments).toMatchObject({
    criterion_1: { judgment: { score: 1 } },
    requirements: { judgment: { score: 2 } },
  });
  expect(stderr).toContain("but a template in it is not filled in: edit the question (2 checks)");
  const unread = "not mapped: its text is in a file that the results lack";
  expect(stderr).toContain(`equals: ${unread}`);
  expect(stderr).toContain(`llm-rubric: ${unread}`);
});

it.each([
  ["results", "late", []],
  ["coded", "late-coded", ["--id-field", "code", "--text-field", "question"]],
])(
  "assay import promptfoo writes the same files for any order of results: %s, %s",
  async (...names) => {
    const [one, other, fields] = names;
    const [early, late] = await Promise.all(
      [one, other].map(async (name) => {
        await run(`${name}.json`, ...fields, "--to", at(`order-${name}`));
        const files = ["samples.jsonl", "rubric.yaml", "assay.yaml", "answers-big.jsonl"];
        return files.map((its) => textOf(`order-${name}/${its}`));
      }),
    );
    expect(late).toEqual(early);
  },
);

it("assay import promptfoo selects a provider by label and lists labels in errors", async () => {
  const { code, stdout } = await run("results.json", "--provider", "big", "--to", at("one"));
  expect([code, stdout]).toEqual([0, expect.stringContaining("in one/answers.jsonl")]);
  const several = await run("results.json", "--out", "-");
  expect(several.stderr).toContain("choose one with --provider: tiny, big\n");
  const json = await run("results.json", "--to", at("json"), "--json");
  expect([json.code, json.stderr]).toEqual([2, expect.stringContaining("--provider")]);
});

it("assay import promptfoo takes the whole prompt as query unless --text-field names the input", async () => {
  const whole = await run("two-variables.json", "--provider", "big", "--to", at("whole"));
  expect(whole.stderr).toContain("prompt with who, question: each query is the whole prompt");
  expect(parse(textOf("whole/assay.yaml")).prompts).toBeUndefined();
  expect(linesOf("whole/samples.jsonl")[0].query).toBe(
    "Answer a gardener in one sentence.\n\nQuestion: When do I sow peas?",
  );
  const field = ["--text-field", "question", "--provider", "big"];
  const { stderr } = await run("two-variables.json", ...field, "--to", at("named"));
  expect(stderr).not.toContain("whole prompt");
  expect(parse(textOf("named/assay.yaml")).prompts.user).toMatch(/^Answer a gardener .*{query}$/s);
  expect(linesOf("named/samples.jsonl")[0].query).toBe("When do I sow peas?");
});

it("assay import promptfoo ignores variables in the system message when it looks for the input", async () => {
  const { stderr } = await run("chat.json", "--provider", "big", "--to", at("chat"));
  expect(stderr).not.toContain("each query is the whole prompt");
  expect(parse(textOf("chat/assay.yaml")).prompts).toEqual({ system: "You help at Wheels." });
  expect(linesOf("chat/samples.jsonl")[0].query).toBe("When do I sow peas?");
});

it.each<[args: string[], message: string]>([
  [
    ["results.json", "--text-field", "text"],
    'its test has no variable "text"; its prompt has question',
  ],
  [
    ["results.json", "--id-field", "topic"],
    "which has another input: --id-field must name a field",
  ],
  [["nobody.json"], 'no result has a "provider": write them again'],
  [["other-prompt.json"], "which has another prompt: choose one with --provider"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await run(...args, "--to", at("refused"));
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
