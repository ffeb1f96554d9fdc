import { afterAll, describe, expect, test } from "vitest";
import { assay } from "../support/assay.ts";
import { good, poor, samples } from "../support/compared-rows.ts";
import { folderWith } from "../support/folder-with.ts";

const folder = folderWith({
  "samples.jsonl": samples,
  "good.jsonl": good,
  "poor.jsonl": poor,
  "without-s2.jsonl": poor.filter(({ id }) => id !== "s2"),
  "only-s1.jsonl": good.slice(0, 1),
  "only-s2.jsonl": good.slice(1, 2),
});
afterAll(folder.dispose);

const files = (...names: string[]) => names.flatMap((name) => ["--answers", `${name}.jsonl`]);

describe("assay compare refuses", () => {
  // biome-ignore-start format: a table
  test.each<[what: string, args: string[], message: string | RegExp]>([
    [
      "no dataset",
      ["compare", ...files("good", "poor")],
      "give two runs or result folders, or --dataset FILE with --answers",
    ],
    [
      "no answers",
      ["compare", "--dataset", "samples.jsonl"],
      "give --answers FILE 2 to 20 times, not 0",
    ],
    [
      "one file",
      ["compare", "--dataset", "samples.jsonl", ...files("good")],
      "give --answers FILE 2 to 20 times, not 1",
    ],
    [
      "too many files",
      ["compare", "--dataset", "samples.jsonl", ...files(...Array(21).fill("good"))],
      "give --answers FILE 2 to 20 times, not 21",
    ],
    [
      "the same file twice",
      ["compare", "--dataset", "samples.jsonl", ...files("good", "poor", "good")],
      "--answers good.jsonl: the same file is given twice",
    ],
    [
      "standard input twice",
      ["compare", "--dataset", "samples.jsonl", "--answers", "-", "--answers", "-"],
      "--answers -: the same file is given twice",
    ],
    [
      "an unknown suite",
      ["compare", "extrction", "--dataset", "samples.jsonl", ...files("good", "poor")],
      'unknown suite "extrction"; did you mean extraction?',
    ],
    [
      "a file without its flag",
      ["compare", "--dataset", "samples.jsonl", "good.jsonl", "poor.jsonl"],
      "good.jsonl is a file, not a result folder: give files of answers with --answers",
    ],
    [
      "an unknown flag",
      ["compare", "--answer", "good.jsonl"],
      "unknown flag --answer; did you mean --answers?",
    ],
    [
      "a missing file",
      ["compare", "--dataset", "samples.jsonl", ...files("good", "nobody")],
      "nobody.jsonl: there is no such file",
    ],
    [
      "a missing dataset",
      ["compare", "--dataset", "none.jsonl", ...files("good", "poor")],
      "none.jsonl: there is no such file",
    ],
    [
      "a dataset that can be read only once",
      ["compare", "--dataset", "/dev/null", ...files("good", "poor")],
      "/dev/null: a pipe or device cannot be read once for each file of answers: use a file",
    ],
    [
      "a dataset in place of answers",
      ["compare", "--dataset", "samples.jsonl", ...files("good", "samples")],
      /^samples\.jsonl:1: the row: unknown field "text"/,
    ],
    [
      "files that share no sample",
      ["compare", "--dataset", "samples.jsonl", ...files("only-s1", "only-s2")],
      "no sample has a scored answer in every file: leave out the file with different samples",
    ],
    [
      "only one of the two prices",
      ["compare", "--dataset", "samples.jsonl", ...files("good", "poor"), "--price-in", "1"],
      "give both --price-in and --price-out; 0 if free",
    ],
    [
      "prices for only some files",
      [
        "compare",
        "--dataset",
        "samples.jsonl",
        ...files("good", "poor", "without-s2"),
        "--price-in",
        "1",
        "--price-in",
        "1",
        "--price-out",
        "1",
      ],
      "give --price-in and --price-out once or 3 times, like --answers, not 2 times",
    ],
  ])("%s", async (_, args, message) => {
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    if (typeof message === "string") expect(stderr).toBe(`${message}\n`);
    else expect(stderr).toMatch(message);
  });
  // biome-ignore-end format: a table
});
