import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../cli/local/root.ts";
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
const rowsOf = (name: string) =>
  readFileSync(at(name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const run = (...args: string[]) => assay(folder.path, ["dataset", "import", ...args]);
const mapped = ["--suite", "extraction", "--schema", "schema.json"];

describe("assay dataset import of rows of another shape", () => {
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

  it("keeps the mapping with an upload", async () => {
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

  it("takes a mapping file, its files, and CSV with any separator", async () => {
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

  it("shows the first samples of a preview, and writes nothing", async () => {
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
    [["--map", "text=nothing"], "no valid sample; the first problem: text must be a string"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await run("bodies.jsonl", ...mapped, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("names the line of a row that is no object", async () => {
    const { code, stderr } = await run("odd.jsonl", ...mapped, "--map", "id=key");
    expect([code, stderr]).toEqual([2, expect.stringContaining("odd.jsonl:2: the row is not")]);
  });
});

/** Rows of our own with the shape of the data that a recipe is for, and the data where it is there. */
const recipes = {
  edgejson: {
    file: "rows.jsonl",
    samples: 629,
    rows: [
      {
        id: "n1",
        schema_id: "note",
        complexity: "simple",
        prompt: "Total: 4",
        expected_output: { total: 4 },
      },
    ],
    other: { name: "schemas.json", text: JSON.stringify({ note: schema }) },
    first: { id: "n1", text: "Total: 4", schema, tags: { complexity: "simple", schema: "note" } },
  },
  sgd: {
    file: "dialogues.jsonl",
    samples: 98,
    rows: [
      {
        id: "d1",
        services: ["Trains_1"],
        turns: [
          { speaker: "user", text: "A seat to Bergen at half past 7." },
          { speaker: "system", text: "Booked." },
        ],
        final_state: { Trains_1: { to: ["Bergen"], time: ["half past 7", "7:30"] } },
      },
    ],
    other: {
      name: "schema.json",
      text: JSON.stringify({
        Trains_1: { slots: [{ name: "to" }, { name: "time" }, { name: "class" }] },
      }),
    },
    first: {
      turns: [{ role: "user" }, { role: "assistant", content: "Booked." }],
      topics: { Trains_1: ["to", "time", "class"] },
      expected: { Trains_1: { to: "Bergen", time: "half past 7" } },
    },
  },
  snips: {
    file: "rows.jsonl",
    samples: 416,
    rows: [
      {
        id: "u1",
        intent: "RateBook",
        text: "Give Ulysses a 4",
        slots: { rating_value: ["4"], object_name: ["Ulysses"] },
      },
    ],
    other: null,
    first: {
      turns: [{ role: "user", content: "Give Ulysses a 4" }],
      topics: { RateBook: expect.arrayContaining(["rating_value", "best_rating"]) },
      expected: { RateBook: { rating_value: ["4"], object_name: ["Ulysses"] } },
    },
  },
  "mt-bench": {
    file: "rows.jsonl",
    samples: 0,
    rows: [{ prompt_id: 81, category: "writing", prompt: ["Write a letter.", "Shorter."] }],
    other: null,
    first: { id: "mt-bench-81", prompt: "Write a letter.", tags: { category: "writing" } },
  },
} as const;

describe.each(Object.entries(recipes))("the recipe of %s", (name, recipe) => {
  const shared = join(root, "../shared/data", name);
  const own = folderWith({
    [recipe.file]: recipe.rows,
    ...(recipe.other && { [recipe.other.name]: recipe.other.text }),
  });
  copyFileSync(join(root, `examples/datasets/${name}.yaml`), join(own.path, "recipe.yaml"));
  afterAll(own.dispose);
  const imported = (...args: string[]) =>
    assay(own.path, [
      "dataset",
      "import",
      recipe.file,
      "--mapping",
      join(own.path, "recipe.yaml"),
      ...args,
    ]);

  it("reads rows of its shape", async () => {
    const { code, stderr } = await imported("--out", "out.jsonl");
    expect([code, stderr]).toEqual([0, ""]);
    const [first] = readFileSync(join(own.path, "out.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject(recipe.first);
  });

  it.skipIf(!existsSync(shared))("reads all of the data", async () => {
    copyFileSync(join(shared, recipe.file), join(own.path, recipe.file));
    if (recipe.other)
      copyFileSync(join(shared, recipe.other.name), join(own.path, recipe.other.name));
    const { code, stdout } = await imported("--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ samples: recipe.samples, malformed: { count: 0 } });
  });
});
