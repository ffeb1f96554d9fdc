import { afterAll, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const schema = {
  type: "object",
  properties: { town: { type: "string" }, mood: { type: "string" } },
};
const towns = Array.from({ length: 30 }, (_, i) => `Town${i}`);
/** Thirty words that differ from sample to sample. */
const story = (town: string, seed: number) =>
  `I travelled to ${town}. ${Array.from({ length: 30 }, (_, i) => `word${seed * 30 + i}`).join(" ")}.`;
const sample = (id: string, text: string, town: string) => ({
  id,
  text,
  schema,
  expected_output: { town, mood: "glad" },
});
const rows = towns.map((town, i) => sample(`s${i}`, story(town, i), town));
const tagged = rows.map((row, i) => ({ ...row, tags: { document_id: `d${i >> 1}` } }));
const long = Array.from({ length: 200 }, (_, i) => `long${i}`);

const folder = folderWith({
  "good.jsonl": rows,
  "tagged.jsonl": tagged,
  // In every tenth of the 2,500 samples, the town is not in the text.
  "many.jsonl": Array.from({ length: 2_500 }, (_, i) =>
    sample(`s${i}`, `I travelled to Town${i}.`, i % 10 === 0 ? "Oslo" : `Town${i}`),
  ),
  "bad.jsonl": [
    ...rows,
    sample("same", `  ${story("Town0", 0).toUpperCase()}`, "Town0"),
    sample("other", story("Town1", 1), "Oslo"),
    sample("near1", `Now ${long.join(" ")} in Faro`, "Faro"),
    sample("near2", `Now ${long.join(" ")} in Kyiv`, "Kyiv"),
    sample("wrong", story("Tartu", 90), "Tallinn"),
  ],
});
afterAll(folder.dispose);

const validate = (...args: string[]) => assay(folder.path, ["dataset", "validate", ...args]);

it("reports nothing when a field's values are always or never in the text", async () => {
  expect(await validate("extraction", "good.jsonl")).toMatchObject({
    code: 0,
    stdout: "30 samples valid, 0 malformed, 0 warnings, 0 findings\n",
  });
});

it("reports duplicates, contradictions, near duplicates and values missing in the text", async () => {
  const { code, stdout } = await validate("extraction", "bad.jsonl", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).findings).toEqual([
    { line: 31, id: "same", reason: 'the same text as sample "s0", and the same gold' },
    {
      line: 32,
      id: "other",
      reason: 'the same text as sample "s1", and other gold: one of the two is wrong',
    },
    {
      line: 32,
      id: "other",
      reason:
        'expected_output.town: "Oslo" is not in the text; in 33 of 35 samples the value of this field is',
    },
    { line: 34, id: "near2", reason: expect.stringMatching(/^nearly the text of sample "near1"/) },
    { line: 35, id: "wrong", reason: expect.stringContaining('"Tallinn" is not in the text') },
  ]);
});

it("counts all values missing in the text", async () => {
  const { stdout } = await validate("extraction", "many.jsonl");
  expect(stdout).toContain("2,500 samples valid, 0 malformed, 0 warnings, 250 findings");
});

it("suggests a tag whose values group the samples", async () => {
  const { stdout } = await validate("extraction", "tagged.jsonl", "--json");
  expect(JSON.parse(stdout).clusters).toContain(
    '30 of 30 samples share a value of the tag "document_id"',
  );
});
