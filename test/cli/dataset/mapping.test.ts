import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const schema = { type: "object", properties: { total: { type: "number" } } };
const bodies = [
  { key: "a", head: "Bill", body: "Total: 4", label: { total: 4 }, category: "bills", nr: 1 },
  { key: "b", head: "Bill", body: "Total: 5", label: '{"total": 5}', category: "bills", nr: 2 },
];
const folder = folderWith({
  "bodies.jsonl": bodies,
  "schema.json": JSON.stringify(schema),
  "odd.jsonl": '{"key": "a"}\n[1]\n',
});
afterAll(folder.dispose);
const at = (name: string) => join(folder.path, name);
const rowsOf = (name: string) => jsonLines(readFileSync(at(name), "utf8"));

const run = (...args: string[]) => assay(folder.path, ["dataset", "import", ...args]);
const mapped = ["--suite", "extraction", "--schema", "schema.json"];

describe("assay dataset import with a mapping", () => {
  it("maps fields by name or expression, and adds tags and one schema", async () => {
    const map = ["--map", "expected_output=label,id=key", "--map", 'text=head & ", " & body'];
    const tags = ["--tag", "domain=category", "--tag", "nr=nr"];
    const { code, stderr } = await run(
      "bodies.jsonl",
      ...mapped,
      ...map,
      ...tags,
      "--out",
      "mapped.jsonl",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(rowsOf("mapped.jsonl")).toEqual([
      {
        id: "a",
        text: "Bill, Total: 4",
        schema,
        expected_output: { total: 4 },
        tags: { domain: "bills", nr: "1" },
      },
      {
        id: "b",
        text: "Bill, Total: 5",
        schema,
        expected_output: { total: 5 },
        tags: { domain: "bills", nr: "2" },
      },
    ]);
    expect(JSON.parse(readFileSync(at("mapped.jsonl.source.json"), "utf8"))).toMatchObject({
      file: "bodies.jsonl",
      mapping: { map: { id: "key", expected_output: "label" }, tags: { domain: "category" } },
    });
  });

  it("sends the mapping with the upload", async () => {
    await using service = await fakeService(({ call }) =>
      call.startsWith("POST /v1/datasets?")
        ? problemReply(409, "a stop")
        : problemReply(404, "nothing"),
    );
    const map = ["--map", "text=body,expected_output=label,id=key"];
    await run("bodies.jsonl", ...mapped, ...map, "--name", "a", "--server", service.url);
    const [sent] = service.asked;
    const kept = new URLSearchParams(sent?.call.split("?")[1]).get("mapping");
    expect(JSON.parse(kept ?? "")).toEqual({
      map: { text: "body", expected_output: "label", id: "key" },
      tags: {},
      files: {},
    });
  });

  it("reads a mapping file, the files that it names, and CSV with any separator", async () => {
    writeFileSync(
      at("bodies.csv"),
      'key;body;label\na;"Total: 4; paid";"{""total"": 4}"\nb;Total: 5;\n',
    );
    writeFileSync(
      at("map.yaml"),
      "suite: extraction\nmap:\n  id: key\n  text: body\n  expected_output: label\n  schema: $schema\nfiles: { schema: schema.json }\n",
    );
    const args = [at("bodies.csv"), "--mapping", at("map.yaml"), "--out", "csv.jsonl"];
    const { code, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(rowsOf("csv.jsonl")).toEqual([
      { id: "a", text: "Total: 4; paid", schema, expected_output: { total: 4 } },
    ]);
    expect(stderr).toContain('sample "b": expected_output is missing');
  });

  it("keeps JSON nulls, which a schema may require", async () => {
    const nullable = { type: "object", required: ["paid"], properties: { paid: { const: null } } };
    const rows = folderWith({
      "rows.jsonl": [{ body: "Unpaid", label: { paid: null } }],
      "nullable.json": JSON.stringify(nullable),
    });
    const args = ["rows.jsonl", "--map", "text=body,expected_output=label", "--out", "-"];
    const schemaArgs = ["--suite", "extraction", "--schema", "nullable.json"];
    const { code, stdout } = await assay(rows.path, ["dataset", "import", ...args, ...schemaArgs]);
    rows.dispose();
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { id: "rows-0", text: "Unpaid", schema: nullable, expected_output: { paid: null } },
    ]);
  });

  it.each<[what: string, mapping: string, source: string, message: string]>([
    [
      "a file with another number of lines",
      "lines: { a: two.txt }",
      "bodies.csv",
      "two.txt: it has 3 lines, and",
    ],
    [
      "lines outside the folder",
      "lines: { a: ../two.txt }",
      "bodies.csv",
      "must be in its own folder",
    ],
    [
      "a link out of the folder",
      "lines: { a: link.txt }",
      "bodies.csv",
      "own folder, not link.txt",
    ],
    [
      "a file behind a link",
      "files: { a: away/package.json }",
      "bodies.csv",
      "own folder, not away/",
    ],
    ["a missing file", "files: { a: x.json }", "bodies.csv", "x.json"],
    [
      "a folder without matching files",
      "folder: { a: 'x/{id}.txt' }",
      ".",
      "there is no file x/{id}.txt",
    ],
    [
      "files behind a link",
      "folder: { a: 'away/{id}.json' }",
      ".",
      "there is no file away/{id}.json",
    ],
    [
      "a split that gives no objects",
      "split: '[1, 2]'",
      "bodies.csv",
      "row 1: split: the result is not a list",
    ],
    ["missing columns", "columns: [a, b]", "bodies.csv", "not CSV: "],
  ])("refuses %s", async (_, mapping, source, message) => {
    writeFileSync(at("bodies.csv"), "key;body;label\na;x;y\nb;z;w\n");
    writeFileSync(at("two.txt"), "1\n2\n3\n");
    for (const [link, target] of [
      ["link.txt", "package.json"],
      ["away", "."],
    ] as const) {
      rmSync(at(link), { force: true });
      symlinkSync(resolve(target), at(link));
    }
    writeFileSync(at("bad.yaml"), `suite: extraction\n${mapping}\n`);
    const { code, stderr } = await run(at(source), "--mapping", at("bad.yaml"));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("shows the first samples with --preview and writes nothing", async () => {
    const map = ["--map", "text=body,expected_output=label,id=key"];
    const args = ["bodies.jsonl", ...mapped, ...map, "--preview", "--out", "preview.jsonl"];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('  "text": "Total: 4",\n');
    expect(stdout).toContain("Imported 2 samples of suite extraction");
    expect(existsSync(at("preview.jsonl"))).toBe(false);
  });

  it.each([
    [["--map", "text"], '--map must be like text=body, not "text"'],
    [["--map", "text=$sum("], "mapping: text: $sum(: "],
    [["--map", "text=$length(nr)"], "row 1: text: $length(nr): "],
    [["--map", "text=nr"], "no valid sample; the first problem: text must be a string"],
    [
      ["--map", "text=body,id=nothing"],
      "--map id=nothing: no row has nothing; columns are key, head, body, label, category, nr",
    ],
    [
      ["--map", "text=body", "--tag", "dom=categry"],
      "--tag dom=categry: no row has categry; columns are key, head, body, label, category, nr; did you mean category?",
    ],
    [
      ["--map", "text=body", "--tag", "total=label.sum"],
      "--tag total=label.sum: it is undefined in every row; columns are key",
    ],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await run("bodies.jsonl", ...mapped, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("accepts fields that are missing or null in some rows", async () => {
    const [first, second] = bodies;
    const rows = folderWith({
      "rows.jsonl": [
        { ...first, note: null },
        { ...second, day: "Mon" },
      ],
      "schema.json": JSON.stringify(schema),
    });
    const map = ["--map", "text=body,expected_output=label,id=key"];
    const tags = ["--tag", "note=note", "--tag", "day=day"];
    const args = ["rows.jsonl", ...mapped, ...map, ...tags, "--out", "-"];
    const { code, stdout } = await assay(rows.path, ["dataset", "import", ...args]);
    rows.dispose();
    const tagsOf = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).tags);
    expect([code, tagsOf]).toEqual([0, [undefined, { day: "Mon" }]]);
  });

  it("names an expression of a mapping file that has no result", async () => {
    writeFileSync(
      at("typo.yaml"),
      "suite: extraction\nmap: { text: body }\ntags: { dom: categry }\n",
    );
    const { code, stderr } = await run("bodies.jsonl", "--mapping", at("typo.yaml"));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("mapping: tag dom=categry: no row"),
    ]);
    writeFileSync(at("typo.yaml"), "suite: extraction\nsplit: rows\nmap: { text: body }\n");
    const split = await run("bodies.jsonl", "--mapping", at("typo.yaml"));
    expect(split.stderr).toContain("mapping: split: rows: no row has rows; columns are key");
  });

  it("names rows of CSV and JSON arrays by row number, not by line", async () => {
    writeFileSync(at("lines.csv"), 'prompt,system\n"a\n\nb",x\n"",x\n');
    writeFileSync(at("array.json"), '[{"id": "a", "prompt": "a"}, {"id": "b"}, {"id": "c"}]');
    const left = async (name: string) => (await run(name, "--suite", "quality")).stderr;
    expect(await left(at("lines.csv"))).toContain('lines.csv: row 2: sample "lines-1": prompt');
    expect(await left("array.json")).toContain("array.json: row 2: ");
    expect(await left("array.json")).toContain("; the same in row 3");
  });

  it("names the line of a row that is not an object", async () => {
    const { code, stderr } = await run("odd.jsonl", ...mapped, "--map", "id=key");
    expect([code, stderr]).toEqual([2, expect.stringContaining("odd.jsonl:2: the row is not")]);
  });
});
