import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { fakeHub, newest } from "../support/fake-hub.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith, jsonl } from "../support/folder-with.ts";
import { samples } from "../support/three-samples.ts";

/** The columns of paraloq/json_data_extraction. */
const columns = samples.map(({ id, text, schema, expected_output }) => ({
  title: "A title",
  topic: "simple",
  item_id: `item-${id}`,
  medium: "letter",
  text,
  schema: JSON.stringify(schema),
  item: JSON.stringify(expected_output),
  __index_level_0__: 7,
}));
const many = Array.from({ length: 205 }, (_, i) => ({ ...columns[i % 3]!, text: `Text ${i}` }));
const TOKEN = `hf_${"x".repeat(20)}`;
const name = "hf:paraloq/json_data_extraction";

let folder: ReturnType<typeof folderWith>;
beforeEach(() => {
  vi.stubEnv("HF_TOKEN", TOKEN);
  folder = folderWith({
    "samples.jsonl": samples,
    "array.json": JSON.stringify(samples),
    "mixed.jsonl": [samples[0]!, { id: "bad", text: "x" }],
    "bad.jsonl": [{ id: "bad", text: "x" }],
    "empty.jsonl": "\n",
    "latin1.jsonl": Buffer.from('{"id": "é"}\n', "latin1"),
  });
});
afterEach(() => {
  folder.dispose();
});

const from = async (hub: { url: string }, ...args: string[]) => {
  vi.stubEnv("ASSAY_HF_URL", hub.url);
  const cache = join(folder.path, "cache");
  return assay(folder.path, ["dataset", "import", name, "--cache-dir", cache, ...args]);
};
const written = (file: string) => jsonLines(readFileSync(join(folder.path, file), "utf8"));
const busy = (more: Reply = {}): Reply => ({
  status: 500,
  body: { error: "The response is not ready yet." },
  headers: { "x-error-code": "ResponseNotReady", "retry-after": "0" },
  ...more,
});

describe("assay dataset import hf:", () => {
  it("converts columns to samples of the suite and states the commit", async () => {
    await using hub = await fakeHub({ rows: columns });
    const { code, stdout, stderr } = await from(hub, "--out", "out.jsonl");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Imported 3 samples of suite extraction\nFrom paraloq.*default\/train/);
    expect(stdout).toContain(`at commit ${newest}`);
    expect(written("out.jsonl")).toEqual(
      samples.map(({ id: _, ...sample }, i) => ({
        id: `train-${i}`,
        ...sample,
        tags: { topic: "simple", medium: "letter" },
      })),
    );
    const source = JSON.parse(readFileSync(join(folder.path, "out.jsonl.source.json"), "utf8"));
    expect(source).toMatchObject({
      dataset: "paraloq/json_data_extraction",
      config: "default",
      split: "train",
      revision: newest,
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("reads pages of 100 rows and caches them by commit", async () => {
    await using hub = await fakeHub({ rows: many });
    const { stdout } = await from(hub, "--out", "out.jsonl");
    expect(stdout).toContain("Imported 205 samples");
    const pages = hub.asked.filter(({ call }) => call.includes("/rows?"));
    expect(pages.map(({ call }) => /offset=(\d+)&length=(\d+)/.exec(call)?.slice(1))).toEqual([
      ["0", "100"],
      ["100", "100"],
      ["200", "100"],
    ]);
    hub.asked.length = 0;
    const again = await from(hub, "--revision", newest, "--out", "again.jsonl");
    expect([again.code, hub.asked]).toEqual([0, []]);
    expect(written("again.jsonl")).toEqual(written("out.jsonl"));
    const cached = join(
      folder.path,
      "cache/paraloq/json_data_extraction",
      newest,
      "default/train/0.json",
    );
    expect(statSync(cached).mode & 0o077).toBe(0);
  });

  it("does not cache a reply that it refused", async () => {
    let isWhole = false;
    await using hub = await fakeHub({
      rows: columns,
      page: (page) => (isWhole ? page : { ...page, rows: page.rows.slice(1) }),
    });
    const codes = [(await from(hub)).code];
    isWhole = true;
    expect([...codes, (await from(hub)).code]).toEqual([2, 0]);
  });

  it("sends the token and never prints it", async () => {
    const refusal = { status: 401, body: { error: `no access with ${TOKEN}` } };
    await using hub = await fakeHub({ rows: columns, first: { "/splits": [refusal] } });
    const { code, stdout, stderr } = await from(hub);
    expect(hub.asked.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
      `Bearer ${TOKEN}`,
    ]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("answers 401: no access with …; is the name right, and may the token");
    expect(stderr).not.toContain(TOKEN);
  });

  it("follows redirects on the same origin only", async () => {
    await using stranger = await fakeHub({ rows: columns });
    const path = "/api/datasets/paraloq/json_data_extraction";
    const sentTo = (location: string) => ({ status: 307, headers: { location } });
    await using renamed = await fakeHub({ rows: columns, first: { [path]: [sentTo(path)] } });
    expect((await from(renamed)).code).toBe(0);
    for (const location of [`${stranger.url}${path}`, `//${new URL(stranger.url).host}${path}`]) {
      await using hub = await fakeHub({ rows: columns, first: { [path]: [sentTo(location)] } });
      const { code, stderr } = await from(hub);
      expect([code, stderr]).toEqual([
        2,
        `${hub.url} redirects ${path} elsewhere, which is not followed\n`,
      ]);
    }
    expect(stranger.asked).toEqual([]);
  });

  it("retries while the viewer is not ready, rate-limited or down", async () => {
    await using hub = await fakeHub({
      rows: columns,
      first: { "/rows": [busy(), busy({ status: 429 }), busy({ status: 503, body: "<html>" })] },
    });
    const { code } = await from(hub, "--out", "out.jsonl");
    expect([code, written("out.jsonl").length]).toEqual([0, 3]);
    expect(hub.asked.filter(({ call }) => call.includes("/rows?"))).toHaveLength(4);
  });

  it("waits for the time in Retry-After", async () => {
    const wait = busy({ status: 429, headers: { "retry-after": "1" } });
    await using hub = await fakeHub({ rows: columns, first: { "/splits": [wait] } });
    await from(hub);
    const [one, other] = hub.asked.filter(({ call }) => call.includes("/splits"));
    expect(other!.atMs - one!.atMs).toBeGreaterThan(950);
  });

  it.each<[what: string, play: Partial<Parameters<typeof fakeHub>[0]>, message: RegExp]>([
    [
      "a viewer that stays busy",
      { first: { "/rows": Array(6).fill(busy()) } },
      /not ready yet\.; tried 6 times/,
    ],
    [
      "a Retry-After that is too long",
      { first: { "/rows": [busy({ headers: { "retry-after": "3600" }, status: 429 })] } },
      /requests a wait of 3600 s/,
    ],
    [
      "a dataset that the viewer can't read",
      {
        first: {
          "/rows": [
            {
              status: 500,
              headers: { "x-error-code": "DatasetGenerationError" },
              body: { error: "The dataset can't be read." },
            },
          ],
        },
      },
      /answers 500: The dataset can't be read\.\n$/,
    ],
    [
      "an unknown dataset",
      { first: { "/api/datasets/paraloq/json_data_extraction": [{ status: 404, body: {} }] } },
      /answers 404; is the name right/,
    ],
    [
      "a truncated cell",
      {
        page: (page) => ({
          ...page,
          rows: page.rows.map((row, i) => ({ ...row, truncated_cells: i === 1 ? ["text"] : [] })),
        }),
      },
      /row 1: the dataset viewer cut off text: download its files/,
    ],
    [
      "a partial dataset",
      { page: (page) => ({ ...page, partial: true }) },
      /only the first 3 rows/,
    ],
    [
      "missing rows",
      { page: (page) => ({ ...page, rows: page.rows.slice(1) }) },
      /left out rows from 0 on/,
    ],
    [
      "a reply in another format",
      { page: () => ({ some: "thing" }) },
      /in a form that is not in its documentation/,
    ],
    ["no JSON", { first: { "/rows": [{ body: "<html>" }] } }, /something other than JSON/],
    ["an empty split", { rows: [] }, /the split has no row/],
    [
      "rows of another commit",
      { viewed: "b".repeat(40) },
      /the dataset viewer serves rows of commit b{40}, not of a{40}/,
    ],
    [
      "rows without a usable sample",
      { rows: [{ a: 1 }] },
      /its first rows are not samples of .*; name the suite, as in --suite/,
    ],
    [
      "several splits",
      {
        splits: [
          ["default", "train"],
          ["default", "test"],
        ],
      },
      /choose one with --split: train, test/,
    ],
    [
      "several configs",
      {
        splits: [
          ["en", "train"],
          ["de", "train"],
        ],
      },
      /choose one with --config: en, de/,
    ],
  ])("refuses %s", async (_, play, message) => {
    await using hub = await fakeHub({ rows: columns, ...play });
    const { code, stdout, stderr } = await from(hub, "--out", "out.jsonl");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(join(folder.path, "out.jsonl"))).toBe(false);
  });

  it.each([
    [["--revision", "b".repeat(40)], /Hugging Face serves rows of commit a{40}, not of b{40}/],
    [["--revision", "bbbbbbb"], /serves rows of commit a{40}, not of bbbbbbb/],
    [["--revision", "main"], /--revision must be a commit's SHA.*not "main"/],
    [["--split", "tran"], /there is no split "tran"; did you mean train\?/],
    [["--suite", "extracton"], /unknown (--)?suite "extracton"; did you mean extraction\?/],
    [["--out", "-", "--json"], /both print to standard output/],
    [["--visibility", "public"], /--visibility applies only to uploads: add --name/],
    [["--name", "a b"], /--name must be letters/],
    [["--license", "MIT"], /--license applies only to uploads: add --name/],
    [
      ["--name", "a", "--license", "M\u200bIT"],
      /--license must be at most 100 visible characters, not /,
    ],
    [["--corrects", "3f9a1c"], /--corrects applies only to uploads: add --name/],
    [["--name", "a", "--corrects", "3f9a1c"], /^give both --corrects and --correction, or neither/],
    [["--name", "a", "--correction", "why"], /^give both --corrects and --correction, or neither/],
    [["--name", "a", "--corrects", "v1", "--correction", "why"], /hex digits .*, not "v1"/],
    [
      ["--name", "a", "--corrects", "3f9a1c", "--correction", " "],
      /--correction needs a value: TEXT is empty/,
    ],
    [
      ["--name", "a", "--visibility", "hidden"],
      /unknown --visibility "hidden"; choose public, unlisted, private/,
    ],
  ])("refuses %j", async (args, message) => {
    await using hub = await fakeHub({ rows: columns });
    const { code, stderr } = await from(hub, ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("accepts the first characters of the newest commit", async () => {
    await using hub = await fakeHub({ rows: columns });
    const { code, stdout } = await from(hub, "--revision", newest.slice(0, 7), "--json");
    expect([code, JSON.parse(stdout).source.revision]).toEqual([0, newest]);
  });

  it("does not send the token over http to another machine", async () => {
    const { code, stderr } = await from({ url: "http://hub.example" });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^HF_TOKEN could be read in transit/),
    ]);
  });
});

describe("assay dataset import FILE", () => {
  const stored = {
    suite: "extraction",
    name: "acme/three",
    version: "c".repeat(64),
    samples: 3,
    malformed: [],
    warnings: [],
    visibility: "unlisted",
    createdAt: "2026-11-20T00:00:00Z",
  };
  const run = (...args: string[]) => assay(folder.path, ["dataset", "import", ...args]);

  it("checks the file and uploads the valid samples", async () => {
    vi.stubEnv("ASSAY_API_KEY", "secret");
    await using service = await fakeService(() => ({ status: 201, body: stored }));
    const upload = ["--name", "acme/three", "--visibility", "unlisted", "--server", service.url];
    const { code, stdout, stderr } = await run("samples.jsonl", ...upload);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Name at the service: acme/three@${"c".repeat(12)}`);
    expect(service.asked[0]!.call).toBe(
      "POST /v1/datasets?suite=extraction&name=acme%2Fthree&visibility=unlisted",
    );
    expect(service.asked[0]!.headers).toMatchObject({
      "content-type": "application/jsonl",
      authorization: "Bearer secret",
    });
    expect(service.asked[0]!.body).toBe(jsonl(samples));
  });

  it("sends the corrected version and the reason", async () => {
    await using service = await fakeService(() => ({ status: 201, body: stored }));
    const correction = ["--corrects", "3f9a1c", "--correction", "two totals were wrong"];
    const upload = ["--name", "acme/three", ...correction, "--server", service.url];
    expect((await run("samples.jsonl", ...upload)).code).toBe(0);
    expect(service.asked[0]!.call).toMatch(
      /name=acme%2Fthree&corrects=3f9a1c&correction=two\+totals\+were\+wrong$/,
    );
  });

  it("passes on why the service refuses, and redacts the key", async () => {
    vi.stubEnv("ASSAY_API_KEY", "secret");
    await using service = await fakeService(() => problemReply(403, "secret is no good"));
    const { code, stderr } = await run("samples.jsonl", "--name", "a", "--server", service.url);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("[redacted] is no good; set ASSAY_API_KEY"),
    ]);
  });

  it("skips malformed samples with a warning, and reads a JSON array", async () => {
    const { code, stdout, stderr } = await run("mixed.jsonl", "--out", "-");
    expect([code, JSON.parse(stdout)]).toEqual([0, samples[0]]);
    expect(stderr).toMatch(/^mixed.jsonl:2: sample "bad": schema .*; left out\nImported 1 sample/);
    expect(stderr).toContain(", 1 malformed left out");
    const array = await run("array.json", "--json");
    expect(JSON.parse(array.stdout)).toMatchObject({
      suite: "extraction",
      samples: 3,
      source: null,
    });
  });

  it.each([
    [[], "<source> is required: hf:OWNER/NAME"],
    [["a.jsonl", "b"], 'unexpected argument "b"; --help lists the arguments'],
    [["none.jsonl"], "none.jsonl: there is no such file"],
    [["empty.jsonl", "--suite", "extraction"], "empty.jsonl: no samples found"],
    [
      ["bad.jsonl", "--suite", "extraction"],
      /^bad.jsonl:1: no valid sample; the first problem: schema.*; --map FIELD=COLUMN takes rows/,
    ],
    [["latin1.jsonl", "--suite", "extraction"], /the line is not UTF-8 text: save .* in UTF-8$/],
    [["samples.jsonl", "--revision", newest], "--revision applies only to hf:OWNER/NAME"],
    [["samples.jsonl", "--out", "samples.jsonl"], /is one of the input files/],
    [["hf:../x"], "hf:../x: name the dataset as hf:OWNER/NAME"],
    [["hf:a/b/c"], "hf:a/b/c: name the dataset as hf:OWNER/NAME"],
    [["samples.jsonl", "--reversion", "x"], "unknown flag --reversion; did you mean --revision?"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd()).toMatch(message);
  });
});
