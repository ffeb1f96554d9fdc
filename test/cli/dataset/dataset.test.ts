import { afterAll, describe, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { samples } from "../support/three-samples.ts";

const at = (version: string, more = {}) => ({
  suite: "extraction",
  name: "acme/invoices",
  version: version.repeat(64),
  samples: 484,
  malformedCount: 1,
  warningCount: 1,
  visibility: "public",
  createdAt: "2026-11-20T10:00:00Z",
  ...more,
});
const withNotes = ({ malformedCount: _, warningCount: __, ...version }: ReturnType<typeof at>) => ({
  ...version,
  malformed: [{ line: 7, id: "x", reason: "text must be a string" }],
  warnings: [{ line: 9, id: null, reason: "an odd $schema" }],
});
const stored = [
  at("b"),
  at("a", { createdAt: "2026-11-01T10:00:00Z" }),
  at("c", { name: "stock" }),
];
const twice = [at("a"), at("b", { suite: "slots" })];
/** A service that lists two datasets per page. */
const service = (datasets: readonly ReturnType<typeof at>[] = stored) =>
  fakeService(({ call }) => {
    const { pathname, searchParams } = new URL(call.split(" ")[1] ?? "", "http://service");
    if (pathname !== "/v1/datasets") {
      const [name, version = ""] = decodeURIComponent(pathname.split("/").at(-1) ?? "").split("@");
      const isNamed = (one: ReturnType<typeof at>) =>
        one.name === name && one.version.startsWith(version);
      const named = datasets.filter(isNamed);
      if (call.startsWith("GET ")) return { body: withNotes(named[0]!) };
      const versions = named.map((one) => one.version);
      if (call.startsWith("PATCH ")) {
        const result = { suite: pathname.split("/")[3], name, versions, from: ["private"] };
        return { body: { ...result, to: "public", shows: ["all 484 samples"], hides: [] } };
      }
      return { body: { suite: pathname.split("/")[3], name, versions } };
    }
    const name = searchParams.get("name");
    const found = datasets.filter((one) => name === null || one.name === name);
    const from = Number(searchParams.get("cursor") ?? 0);
    const nextCursor = from + 2 < found.length ? `${from + 2}` : null;
    return { body: { datasets: found.slice(from, from + 2), nextCursor } };
  });

describe("assay dataset list", () => {
  it("prints a table of all pages, filtered by --suite", async () => {
    await using api = await service();
    const args = ["dataset", "list", "--suite", "extraction", "--server", api.url];
    const { code, stdout } = await assay("/none", args);
    expect([code, stdout.split("\n")]).toEqual([
      0,
      [
        "name           suite       version       samples  malformed  warnings  created",
        "acme/invoices  extraction  bbbbbbbbbbbb      484          1         1  2026-11-20",
        "acme/invoices  extraction  aaaaaaaaaaaa      484          1         1  2026-11-01",
        "stock          extraction  cccccccccccc      484          1         1  2026-11-20",
        "",
      ],
    ]);
    expect(api.asked.map(({ call }) => call)).toEqual([
      "GET /v1/datasets?suite=extraction&limit=200",
      "GET /v1/datasets?suite=extraction&limit=200&cursor=2",
    ]);
  });

  it("prints the datasets of the service with --json", async () => {
    await using api = await service();
    const { stdout } = await assay("/none", ["dataset", "list", "--json", "--server", api.url]);
    expect(JSON.parse(stdout)).toEqual(stored);
  });
});

describe("assay dataset show", () => {
  const show = async (args: readonly string[], datasets = stored) => {
    await using api = await service(datasets);
    return await assay("/none", ["dataset", "show", ...args, "--server", api.url]);
  };

  it("shows the newest version with its notes, then the older versions", async () => {
    const { code, stdout } = await show(["acme/invoices"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`version        ${"b".repeat(64)}\n`);
    expect(stdout).toContain(`other version  ${"a".repeat(64)} of 2026-11-01T10:00:00Z\n`);
    expect(stdout).toContain("\nline 7 x: text must be a string; left out\n");
    expect(stdout).toContain("\nline 9: an odd $schema (warning)\n");
  });

  it("shows an unlisted dataset of the account; without a key, only listed datasets", async () => {
    const unlisted = at("d", { name: "acme/first", visibility: "unlisted" });
    await using api = await fakeService(({ call }) => {
      if (!call.startsWith("GET /v1/datasets?")) return { body: withNotes(unlisted) };
      const datasets = call.includes("mine=true") ? [unlisted] : [];
      return { body: { datasets, nextCursor: null } };
    });
    const found = await assay("/none", ["dataset", "show", "acme/first", "--server", api.url]);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining("unlisted")]);
    await using hosted = await fakeService(({ call }) => {
      if (call.includes("mine=true")) return problemReply(401, "send the key");
      if (call.startsWith("GET /v1/datasets?"))
        return { body: { datasets: [stored[0]], nextCursor: null } };
      return { body: withNotes(stored[0]!) };
    });
    const args = ["dataset", "show", "acme/invoices", "--server", hosted.url];
    expect((await assay("/none", args)).code).toBe(0);
    await assay("/none", ["dataset", "timeline", ...args.slice(2)]);
    expect(hosted.asked.at(-1)?.call).toBe(
      "GET /v1/dataset-timeline?suite=extraction&dataset=acme%2Finvoices",
    );
  });

  it("shows the version in the argument", async () => {
    const { stdout } = await show(["acme/invoices@aaaaaa", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      ...withNotes(stored[1]!),
      otherVersions: ["b".repeat(64)],
    });
  });

  it.each<[args: string[], datasets: typeof stored, message: string]>([
    [[], stored, "<dataset> is required: NAME or NAME@VERSION"],
    [["a", "b"], stored, 'unexpected argument "b"; --help lists the arguments'],
    [["stick"], stored, 'no dataset "stick" of yours, and no public one; did you mean stock?'],
    [["nothing like it"], stored, "no public one; assay dataset list prints them"],
    [["stock@dddddd"], stored, '"stock" has no version dddddd; it has cccccccccccc'],
    [
      ["acme/invoices"],
      twice,
      'suites extraction and slots have a dataset "acme/invoices": choose',
    ],
    [["stock", "--suite", "slot"], stored, 'unknown --suite "slot"; did you mean slots?'],
  ])("refuses %j", async (args, datasets, message) => {
    const { code, stdout, stderr } = await show(args, datasets);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });
});

it("assay dataset list --mine lists the datasets of the account", async () => {
  await using api = await service();
  await assay("/none", ["dataset", "list", "--mine", "--server", api.url]);
  expect(api.asked[0]?.call).toBe("GET /v1/datasets?mine=true&limit=200");
});

it("assay dataset visibility states the effect and changes nothing without --yes", async () => {
  await using api = await service();
  const call = (...args: string[]) =>
    assay("/none", ["dataset", "visibility", "acme/invoices", ...args, "--server", api.url]);
  const { code, stdout } = await call("public");
  expect([code, stdout]).toEqual([
    0,
    "acme/invoices is private. Made public, it\n  shows all 484 samples\nNothing was changed: add --yes\n",
  ]);
  expect((await call("public", "--yes", "--suite", "extraction")).stdout).toBe(
    "acme/invoices is public\n",
  );
  expect((await call("secret")).stderr).toMatch(/must be public, unlisted, private/);
  const path = "PATCH /v1/datasets/extraction/acme%2Finvoices";
  expect(api.asked.slice(-2).map((one) => one.call)).toEqual([`${path}?dryRun=true`, path]);
});

describe("assay dataset delete", () => {
  const remove = async (args: readonly string[], datasets = stored) => {
    await using api = await service(datasets);
    const ended = await assay("/none", ["dataset", "delete", ...args, "--server", api.url]);
    return { ...ended, calls: api.asked.map(({ call }) => call) };
  };

  it("deletes one version or all versions, in the suite that has the name", async () => {
    const all = await remove(["acme/invoices", "--yes"]);
    expect([all.code, all.stdout]).toEqual([
      0,
      "acme/invoices@bbbbbbbbbbbb deleted\nacme/invoices@aaaaaaaaaaaa deleted\n",
    ]);
    expect(all.calls).toEqual([
      "GET /v1/datasets?name=acme%2Finvoices&mine=true&limit=200",
      "DELETE /v1/datasets/extraction/acme%2Finvoices",
    ]);
    const one = await remove(["acme/invoices@aaaaaa", "--suite", "extraction", "--yes", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ versions: ["a".repeat(64)], deleted: true });
    expect(one.calls).toEqual(["DELETE /v1/datasets/extraction/acme%2Finvoices%40aaaaaa"]);
  });

  it("only lists what would be deleted without --yes", async () => {
    const all = await remove(["acme/invoices"]);
    expect([all.code, all.stdout]).toEqual([
      0,
      "acme/invoices@bbbbbbbbbbbb would be deleted: 484 samples, public\nacme/invoices@aaaaaaaaaaaa would be deleted: 484 samples, public\nRuns on it would be kept. Nothing was deleted: add --yes\n",
    ]);
    const one = await remove(["acme/invoices@aaaaaa", "--suite", "extraction", "--json"]);
    expect(JSON.parse(one.stdout)).toEqual({
      suite: "extraction",
      name: "acme/invoices",
      versions: ["a".repeat(64)],
      deleted: false,
    });
    expect([...all.calls, ...one.calls].filter((call) => !call.startsWith("GET "))).toEqual([]);
  });

  it.each<[args: string[], datasets: typeof stored, message: string]>([
    [[], stored, "<dataset> is required: NAME or NAME@VERSION"],
    [["a", "b"], stored, 'unexpected argument "b"; --help lists the arguments'],
    [["nothing"], stored, 'you have no dataset "nothing"'],
    [["nothing", "--yes"], stored, 'you have no dataset "nothing"'],
    [["stock@dddddd"], stored, '"stock" has no version dddddd; it has cccccccccccc'],
    [["acme/invoices"], twice, 'suites extraction and slots have a dataset "acme/invoices"'],
  ])("refuses %j", async (args, datasets, message) => {
    const { code, stdout, stderr } = await remove(args, datasets);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });
});

const folder = folderWith({
  "good.jsonl": samples.map((sample, i) => ({
    ...sample,
    tags: { kind: i === 0 ? "fee" : "a\u001b[31m" },
  })),
  "mixed.jsonl": `${JSON.stringify(samples[0])}\n{"id": "cut", "te\n${JSON.stringify(samples[0])}\n${JSON.stringify({ ...samples[1], schema: { ...samples[1]!.schema, $schema: "x:y" } })}\n`,
  "many.jsonl": Array.from({ length: 600 }, (_, i) => ({ id: `bad-${i}` })),
  "empty.jsonl": "",
  "array.json": JSON.stringify([samples[0], 5]),
});
afterAll(folder.dispose);

describe("assay dataset stats", () => {
  const stats = (...args: string[]) => assay(folder.path, ["dataset", "stats", ...args]);

  it("counts samples, fields and tags, and states text lengths and schema complexity", async () => {
    const { code, stdout } = await stats("good.jsonl");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^suite +extraction\nsamples +3\nmalformed +0\nwarnings +0\nversion +\w{64}\n/,
    );
    expect(stdout).toMatch(/\nFields\nfield +samples\nid +3\n/);
    expect(stdout).toMatch(/\nfield +least +median +mean +most\ntext +26 +30 +28\.7 +30\n/);
    expect(stdout).toMatch(/\nschemaFields +1 +2 +1\.7 +2\n/);
    expect(stdout).toMatch(/\ncomplexity +simple +3\n/);
    expect(stdout).not.toContain("\u001b");
  });

  it("prints JSON and leaves malformed samples out", async () => {
    const { code, stdout, stderr } = await stats("mixed.jsonl", "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({
        suite: "extraction",
        samples: 2,
        malformed: 2,
        warnings: 1,
        fields: { id: 2, text: 2, schema: 2, expected_output: 2 },
        tags: {},
        figures: expect.objectContaining({
          schemaDepth: { least: 0, median: 0, mean: 0, most: 0 },
        }),
      }),
    ]);
    expect(stderr).toContain('mixed.jsonl:3: sample "fee": duplicate id "fee"; left out\n');
  });

  it.each([
    [[], "<file> is required: JSON Lines"],
    [["a", "b"], 'unexpected argument "b"; --help lists the arguments'],
    [["none.jsonl"], "none.jsonl: there is no such file"],
    [["many.jsonl"], "name the suite, as in --suite extraction"],
    [["empty.jsonl", "--suite", "slots"], "empty.jsonl: no samples found"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await stats(...args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });
});

describe("assay dataset validate", () => {
  const validate = (...args: string[]) => assay(folder.path, ["dataset", "validate", ...args]);

  it("passes when every sample is valid", async () => {
    const { code, stdout, stderr } = await validate("extraction", "good.jsonl");
    expect([code, stdout, stderr]).toEqual([
      0,
      "3 samples valid, 0 malformed, 0 warnings, 0 findings\n",
      "",
    ]);
  });

  it("recognizes the suite from the first rows", async () => {
    const { code, stdout } = await validate("good.jsonl", "--json");
    expect([code, JSON.parse(stdout).suite]).toEqual([0, "extraction"]);
  });

  it("prints each finding with its line, and exits with 1 for malformed samples", async () => {
    const { code, stdout, stderr } = await validate("extraction", "mixed.jsonl");
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^mixed.jsonl:2: sample "cut": the line is not JSON: /),
      'mixed.jsonl:3: sample "fee": duplicate id "fee"',
      expect.stringMatching(/^mixed.jsonl:4: sample "trip": .*x:y.* \(warning\)$/),
      "2 samples valid, 2 malformed, 1 warning, 0 findings",
    ]);
    expect(stderr).toBe("mixed.jsonl: 2 of 4 samples are malformed\n");
  });

  it("lists all malformed samples in its JSON and exits with 1", async () => {
    const { code, stdout } = await validate("extraction", "many.jsonl", "--json");
    const listing = JSON.parse(stdout);
    expect([code, listing.samples, listing.malformed.length, listing.warnings]).toEqual([
      1,
      0,
      600,
      [],
    ]);
  });

  it("names rows of a JSON array by number", async () => {
    const { stdout } = await validate("extraction", "array.json");
    expect(stdout).toMatch(/^array.json: row 2: the row is not a JSON object\n/);
  });

  it.each([
    [[], "<file> is required: JSON Lines"],
    [["none.jsonl"], "none.jsonl: there is no such file"],
    [["extracton", "good.jsonl"], 'unknown suite "extracton"; did you mean extraction?'],
    [["extraction"], "<file> is required after the suite"],
    [["extraction", "a", "b"], 'unexpected argument "b"; --help lists the arguments'],
    [["extraction", "none.jsonl"], "none.jsonl: there is no such file"],
    [["extraction", "empty.jsonl"], "empty.jsonl: no samples found"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await validate(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd()).toMatch(message);
  });
});

it.each([
  [["dataset", "list"], "Lists the public datasets"],
  [["dataset", "show"], "Shows a dataset of a service"],
  [["dataset", "stats"], "Describes the samples of a dataset"],
  [["dataset", "validate"], "Every sample is valid"],
  [["dataset", "import"], "a dataset of Hugging Face"],
  [["import", "lm-eval"], "--log_samples"],
  [["import", "inspect"], "in the format .eval"],
  [["import", "openai-evals"], "closes on 2026-11-30"],
  [["import", "parquet"], "--output-field"],
  [["import", "promptfoo"], "--output results.json"],
])("assay %j --help describes the command in lines of at most 110 columns", async (args, said) => {
  const { code, stdout } = await assay("/none", [...args, "--help"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(said)]);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
});
