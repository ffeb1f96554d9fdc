import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { saveParquet } from "../../../cli/export/save-parquet.ts";
import { parquetRows } from "../../../cli/files/read-parquet.ts";
import { rubricSchema } from "../../../shared/suites/rubric/rubric.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";
import { type ZipEntry, zipFile } from "../support/zip-file.ts";

const folder = folderWith({});
afterAll(folder.dispose);
const at = (name: string) => join(folder.path, name);
const write = (name: string, content: string | Buffer) => writeFileSync(at(name), content);

const run = (...args: string[]) => assay(folder.path, ["import", ...args]);
const answersOf = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--out", "-");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Imported ")]);
  return jsonLines(stdout);
};

const said = (content: unknown) => ({
  time: 1.5,
  usage: { input_tokens: 30, output_tokens: 9 },
  choices: [{ message: { role: "assistant", content }, stop_reason: "stop" }],
});
const sample = (id: string, epoch: number, content: unknown, more: object = {}): ZipEntry => ({
  name: `samples/${id}_epoch_${epoch}.json`,
  text: JSON.stringify({ id, epoch, output: said(content), ...more }),
});
const header: ZipEntry = {
  name: "header.json",
  text: '{"version":2,"status":"success","eval":{}}',
};

describe("assay import inspect of .eval logs", () => {
  const log = (name: string, entries: readonly ZipEntry[]) => write(name, zipFile(entries));

  it("reads stored, deflated and zstd samples in the order of epochs", async () => {
    log("a.eval", [
      { name: "_journal/start.json", text: "{}" },
      sample("fee", 2, "again"),
      { ...sample("fee", 1, "once"), method: "deflate" },
      { ...sample("a/../b", 1, "é"), method: "stored" },
      { name: "summaries.json", text: "[]" },
      header,
    ]);
    expect(await answersOf("inspect", at("a.eval"))).toEqual([
      {
        id: "fee",
        output: "once",
        finishReason: "stop",
        latencyMs: 1500,
        inputTokens: 30,
        outputTokens: 9,
      },
      expect.objectContaining({ id: "a/../b", output: "é" }),
      expect.objectContaining({ id: "fee", output: "again" }),
    ]);
  });

  it("takes the last entry of a sample, and reads unfinished logs", async () => {
    log("b.eval", [
      { name: "_journal/start.json", text: "{}" },
      sample("fee", 1, "old"),
      sample("fee", 1, "new", { input: "Q", target: "T" }),
    ]);
    expect(await answersOf("inspect", at("b.eval"))).toMatchObject([{ output: "new" }]);
    const { stderr } = await run("inspect", at("b.eval"), "--samples", "b.jsonl");
    expect(stderr).toContain("status started: the log may lack some samples of its dataset\n");
  });

  it("joins chunked samples with their metadata and attachments", async () => {
    const prefix = "samples/fee_epoch_1";
    const says = (role: string) => ({ role, content: `says ${role}` });
    const system = { role: "system", content: "attachment://1" };
    log("c.eval", [
      header,
      { name: `${prefix}/events/0.json`, text: "[]" },
      { name: `${prefix}/attachments/0.json`, text: '["zero","one"]' },
      { name: `${prefix}/attachments/2.json`, text: '["two"]' },
      { name: `${prefix}/metadata.json`, text: '{"case":"f-1"}' },
      {
        name: `${prefix}/sample.json`,
        text: JSON.stringify({
          id: "fee",
          epoch: 1,
          output: said("attachment://2"),
          input: "Q",
          message_refs: [
            [0, 1],
            [2, 99],
          ],
        }),
      },
      { name: `${prefix}/messages/0.json`, text: JSON.stringify([system, says("tool")]) },
      {
        name: `${prefix}/messages/2.json`,
        text: JSON.stringify([says("user"), says("assistant")]),
      },
    ]);
    expect(await answersOf("inspect", at("c.eval"), "--id-field", "case")).toMatchObject([
      { id: "f-1", output: "two" },
    ]);
    expect((await run("inspect", at("c.eval"), "--samples", "c.jsonl")).code).toBe(0);
    const [sample] = jsonLines(readFileSync(at("c.jsonl"), "utf8"));
    expect(sample).toMatchObject({ system: "one", query: "says user" });
  });

  it.each<[what: string, entries: readonly ZipEntry[], message: RegExp]>([
    ["no log", [sample("fee", 1, "x")], /not a log of Inspect: it has neither header\.json nor/],
    ["no samples", [header], /the log has no samples, so it has no answers/],
    [
      "a method",
      [header, { ...sample("fee", 1, "x"), method: 12 }],
      /fee_epoch_1\.json: it is compressed by method 12/,
    ],
    [
      "a checksum",
      [header, { ...sample("fee", 1, "x"), checksum: 1 }],
      /it is damaged: its size or checksum is wrong/,
    ],
    // Unpacks to more than the entry claims, as in a zip bomb.
    [
      "a bomb",
      [header, { ...sample("fee", 1, "x".repeat(99_999)), size: 100 }],
      /it is damaged: .*larger than/,
    ],
    ["a claim", [header, { ...sample("fee", 1, "x"), size: 2 ** 31 }], /it is larger than 200 MB/],
    [
      "no JSON",
      [header, { name: "samples/fee_epoch_1.json", text: "{" }],
      /fee_epoch_1\.json: not JSON/,
    ],
  ])("refuses %s", async (_, entries, message) => {
    log("bad.eval", entries);
    const { code, stderr } = await run("inspect", at("bad.eval"));
    expect([code, stderr.trimEnd()]).toEqual([2, expect.stringMatching(message)]);
  });

  it("refuses a truncated archive", async () => {
    write("cut.eval", zipFile([header, sample("fee", 1, "x")]).subarray(0, 90));
    const { code, stderr } = await run("inspect", at("cut.eval"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("not a complete zip archive")]);
  });
});

const item = (id: number, source: object, output: object[], more: object = {}) => ({
  object: "eval.run.output_item",
  id: `item_${id}`,
  status: "pass",
  datasource_item_id: id,
  datasource_item: source,
  results: [{ name: "Tone", type: "label_model", passed: true, score: 1 }],
  sample: {
    model: "gpt-5-2026-01-01",
    input: [{ role: "user", content: "Extract" }],
    output,
    finish_reason: "length",
    usage: { prompt_tokens: 10, completion_tokens: 4, cached_tokens: 2, total_tokens: 14 },
    ...more,
  },
});
const items = [
  item(1, { id: "fee" }, [{ role: "assistant", content: "120" }]),
  item(2, {}, [], { error: { code: "500", message: "server error" } }),
];
const message = (content: unknown) => [{ role: "user", content }];
const anEval = {
  object: "eval",
  name: "Invoices",
  testing_criteria: [
    {
      type: "label_model",
      name: "Tone",
      model: "gpt-5",
      input: [
        { role: "developer", content: "Label the tone." },
        ...message("{{ sample.output_text }} / {{item.text}}"),
      ],
      labels: ["kind", "neutral", "rude"],
      passing_labels: ["kind", "neutral"],
    },
    {
      type: "score_model",
      name: "1. Ton",
      model: "gpt-5",
      input: message({ type: "input_text", text: "How complete is it?" }),
      range: [0, 10],
    },
    { type: "score_model", name: "Percent", model: "m", input: message("?"), range: [0, 100] },
    { type: "string_check", name: "Exact", operation: "eq", input: "a", reference: "b" },
    { type: "python", name: "Code", source: "def grade(): pass" },
  ],
};

describe("assay import openai-evals", () => {
  it("reads output items as JSON Lines and as a page of the API", async () => {
    write("items.jsonl", jsonl(items));
    write("page.json", JSON.stringify({ object: "list", data: items, has_more: false }, null, 2));
    const expected = [
      {
        id: "fee",
        output: "120",
        finishReason: "length",
        servedModel: "gpt-5-2026-01-01",
        inputTokens: 10,
        outputTokens: 4,
        cachedTokens: 2,
      },
      { id: "2", error: "server error" },
    ];
    expect(await answersOf("openai-evals", "items.jsonl")).toEqual(expected);
    expect(await answersOf("openai-evals", "page.json")).toEqual(expected);
  });

  it("converts model graders to criteria and lists the other graders", async () => {
    write("items.jsonl", jsonl(items));
    write("eval.json", JSON.stringify(anEval));
    const rubric = at("rubric.yaml");
    const { code, stderr } = await run(
      "openai-evals",
      "items.jsonl",
      "--eval",
      "eval.json",
      "--rubric",
      rubric,
    );
    expect(code).toBe(0);
    expect(stderr.split("\n").map((line) => line.split(": ").slice(0, 2).join(": "))).toEqual([
      'grader "Tone" (label_model): criterion tone_1',
      'grader "1. Ton" (score_model): criterion ton_2',
      'grader "Percent" (score_model): not mapped',
      'grader "Exact" (string_check): not mapped',
      'grader "Code" (python): not mapped',
      `The rubric is in ${rubric.replace(`${folder.path}/`, "")}`,
      "",
    ]);
    expect(rubricSchema.parse(parse(readFileSync(rubric, "utf8")))).toMatchObject({
      name: "Invoices",
      criteria: [
        {
          id: "tone_1",
          question: "Label the tone.\n\n[the answer] / [text of the sample]",
          levels: [
            { score: 1, means: "The label is kind or neutral." },
            { score: 0, means: "The label is rude." },
          ],
        },
        { id: "ton_2", question: "How complete is it?", scale: { min: 0, max: 10 } },
      ],
    });
  });

  it.each<[string, string, string[], string]>([
    ["other.jsonl", '{"id":"a"}\n', [], 'there is no "data", and no lines with "object"'],
    [
      "mixed.jsonl",
      jsonl([items[0], { id: "a" }]),
      [],
      "mixed.jsonl:2: no output item of an eval run",
    ],
    ["more.json", '{"data":[],"has_more":true}', [], "it is one page of several"],
    [
      "items.jsonl",
      jsonl(items),
      ["--id-field", "key"],
      "items.jsonl:1: it has no datasource_item.key",
    ],
    [
      "items.jsonl",
      jsonl(items),
      ["--rubric", "r.yaml"],
      "--rubric needs the graders: add --eval FILE",
    ],
  ])("fails on %s with a reason", async (name, content, args, message) => {
    write(name, content);
    const { code, stderr } = await run("openai-evals", name, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("Parquet", () => {
  it("keeps rows unchanged from JSON Lines to Parquet and back", async () => {
    const rows = [
      { id: "a", n: 1, share: 0.5, ok: true, mixed: 1, list: [1, { b: null }], late: null },
      { id: "é\u2028", n: -(2 ** 40), share: 2, ok: null, mixed: "x", list: [], late: "t" },
    ];
    expect(await saveParquet(Readable.from(jsonl(rows)), at("rows.parquet"))).toBe(2);
    const read = await Array.fromAsync(parquetRows(at("rows.parquet")));
    const withoutNull = rows.map((row) =>
      Object.entries(row).filter(([, value]) => value !== null),
    );
    expect(read.map((row) => Object.entries(row).filter(([, value]) => value !== null))).toEqual(
      withoutNull,
    );
  });

  it("is read as answers, with column names from flags", async () => {
    const rows = answers.map(({ output, ...rest }) => ({ ...rest, response: output, other: 1 }));
    await saveParquet(Readable.from(jsonl(rows)), at("answers.parquet"));
    const imported = await answersOf(
      "parquet",
      at("answers.parquet"),
      "--output-field",
      "response",
    );
    expect(imported).toEqual(answers);
    const { code, stderr } = await run("parquet", at("answers.parquet"));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('row 1: it has no "output"; name the column'),
    ]);
  });

  it("is imported as a dataset whose suite is recognized from the columns", async () => {
    const rows = samples.map(({ id, ...rest }, i) => (i === 0 ? rest : { id, ...rest }));
    await saveParquet(Readable.from(jsonl(rows)), at("three.parquet"));
    const { code, stdout } = await assay(
      folder.path,
      `dataset import ${at("three.parquet")} --out -`,
    );
    expect(code).toBe(0);
    const lines = jsonLines(stdout);
    expect(lines).toEqual([{ ...samples[0], id: "three-0" }, samples[1], samples[2]]);
  });

  it.each<[what: string, file: Buffer | (() => void), message: string]>([
    ["bytes", () => bytesFile("bad.parquet"), 'row 1: "image" contains bytes'],
    ["another file", Buffer.from("PAR1 but not really"), "it can't be read as Parquet"],
    ["text", Buffer.from("id,output\n"), "it can't be read as Parquet"],
  ])("refuses %s", async (_, file, message) => {
    if (typeof file === "function") file();
    else write("bad.parquet", file);
    const { code, stderr } = await run("parquet", at("bad.parquet"));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("is refused with more rows than a submission may have", async () => {
    const ids = Array.from({ length: 100_001 }, () => "a");
    parquetWriteFile({
      filename: at("long.parquet"),
      columnData: [{ name: "id", data: ids, type: "STRING" }],
    });
    const { code, stderr } = await run("parquet", at("long.parquet"));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("it has 100001 rows; at most 100000 are read"),
    ]);
  });
});

function bytesFile(name: string): void {
  const columnData = [
    { name: "id", data: ["a"], type: "STRING" as const },
    { name: "image", data: [new Uint8Array([0xff, 0xd8])], type: "BYTE_ARRAY" as const },
  ];
  parquetWriteFile({ filename: at(name), columnData });
}
