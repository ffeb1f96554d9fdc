import { expect, it } from "vitest";
import { suiteById } from "#shared/suites/registry.ts";
import { answerTexts, askedSamples, pairRows } from "./pair-answers.ts";

it("answerTexts() takes texts without thoughts, tool calls and refusals, but no failed requests", () => {
  const toolCalls = [{ name: "ping", arguments: {} }];
  const texts = answerTexts([
    { id: "a", output: "<think>Hm.</think>Hi." },
    { id: "a", output: "A repeat." },
    { id: "b", output: null, toolCalls },
    { id: "c", output: null, refusal: "No." },
    { id: "d", error: "timeout" },
    { id: "e", output: "" },
    "no row",
  ]);
  expect([...texts]).toEqual([
    ["a", "Hi."],
    ["b", JSON.stringify(toolCalls)],
    ["c", "No."],
    ["e", ""],
  ]);
});

const quality = suiteById("quality")!;
const samples = askedSamples(quality, [
  { id: "s1", prompt: "Say hi." },
  { id: "s2", prompt: "Say ho.", tags: { cluster: "c" } },
  { id: "malformed" },
]);
const run = (model: string, ids: readonly string[]) => ({
  model,
  answers: new Map(ids.map((id) => [id, `${model} on ${id}`])),
});
const runs = [run("x", ["s1", "s2"]), run("y", ["s1", "s2"]), run("z", ["s1"])];
const all = { most: 100, seed: "0" };

it("pairRows() pairs every two answers to a sample, with their models and the sample's cluster", () => {
  const rows = pairRows(samples, runs, all);
  expect(rows.map(({ id }) => id)).toEqual(["s1 1-2", "s1 1-3", "s1 2-3", "s2 1-2"]);
  expect(rows.at(-1)).toEqual({
    id: "s2 1-2",
    input: "Say ho.",
    output_1: "x on s2",
    output_2: "y on s2",
    models: { a: "x", b: "y" },
    tags: { cluster: "c" },
  });
  const pairs = suiteById("pairs")!;
  for (const row of rows) expect(pairs.checkSample(row).ok).toBe(true);
  expect(rows[0]?.["tags"]).toEqual({ cluster: "s1" });
});

it("pairRows() chooses the same pairs for the same seed, each once", () => {
  const choice = { most: 2, seed: "7" };
  const rows = pairRows(samples, runs, choice);
  expect(rows).toEqual(pairRows(samples, runs, choice));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
});
