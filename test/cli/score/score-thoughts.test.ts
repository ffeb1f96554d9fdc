import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";

const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];

/** Suites with a correct answer and a wrong draft in the same format. */
const thinkers = [
  {
    suite: "extraction",
    metric: "eqs",
    options: {},
    draft: '{"vendor": "Brot", "total": 4150}',
    output: '{"vendor": "Brot & Butter", "total": 41.5}',
    sample: {
      text: "Brot & Butter, 41,50 EUR",
      schema: { properties: { vendor: { type: "string" }, total: { type: "number" } } },
      expected_output: { vendor: "Brot & Butter", total: 41.5 },
    },
  },
  {
    suite: "slots",
    metric: "f1",
    options: { format: "lines" },
    draft: "interests::food::meat\ninterests::sport::chess",
    output: "interests::food::fish",
    sample: {
      user: "ada",
      session: 1,
      turns: [{ role: "user", content: "Fish, no meat." }],
      topics: { interests: ["food", "sport"] },
      expected: { interests: { food: "fish" } },
    },
  },
  {
    suite: "tools",
    metric: "avgF1",
    options: {},
    draft: '[{"name": "get_weather", "arguments": {"city": "?"}}]',
    output: '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    sample: {
      difficulty: "easy",
      messages: [{ role: "user", content: "How warm is it in Oslo?" }],
      tools: [{ type: "function", function: { name: "get_weather", parameters: {} } }],
      expected_calls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
    },
  },
  {
    suite: "quality",
    metric: "overall",
    options: {},
    draft: "They want a sentence. However, which?",
    output:
      "Photosynthesis consequently converts sunlight chemically, ultimately nourishing vegetation, sustaining ecosystems",
    sample: { prompt: "Photosynthesis converts sunlight chemically" },
  },
];

test.each(thinkers)(
  "assay score $suite gives an answer the same score with and without thoughts",
  async ({ suite, metric, options, draft, output, sample }) => {
    const thoughts = `<think>\nFirst: ${draft}\nNo.\n</think>`;
    const outputs = [output, `${thoughts}\n${output}`, `${output}\n\n${thoughts}`];
    const own = folderWith({
      "samples.jsonl": outputs.map((_, i) => ({ id: `s${i}`, ...sample })),
      "answers.jsonl": outputs.map((text, i) => ({
        id: `s${i}`,
        output: text,
        ...(i === 1 && { reasoningTokens: 40 }),
      })),
      "options.json": JSON.stringify(options),
    });
    const asked = ["score", suite, ...files, "--options", "options.json"];
    const { stdout } = await assay(own.path, [...asked, "--json"]);
    const { metrics } = JSON.parse(stdout);
    expect(metrics[metric]).toMatchObject({ value: 1, n: 3 });
    expect(metrics.thoughtsRate).toMatchObject({ value: 2 / 3, n: 3 });
    expect(metrics.reasoningTokens).toMatchObject({ value: 40, n: 1 });
    const table = (await assay(own.path, [...asked, "--all"])).stdout;
    expect(table).toMatch(/^Answers with thoughts +66\.7%/m);
    expect(table).toMatch(/^Reasoning tokens +40 /m);
    own.dispose();
  },
);

test("assay score reports an answer with only thoughts as empty", async () => {
  const [first] = samples;
  const own = folderWith({
    "samples.jsonl": [first],
    "answers.jsonl": [
      { id: first!.id, output: `<think>\n${answers[0]!.output}`, finishReason: "length" },
    ],
  });
  await assay(own.path, ["score", "extraction", ...files, "--samples", "out.jsonl"]);
  const line = JSON.parse(readFileSync(join(own.path, "out.jsonl"), "utf8"));
  expect(line).toMatchObject({ status: "empty", parse: "failed", eqs: 0 });
  own.dispose();
});
