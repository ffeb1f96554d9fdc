import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const version = {
  suite: "quality",
  name: "acme/requests",
  version: "c".repeat(64),
  samples: 70,
  malformed: [],
  warnings: [],
  visibility: "unlisted",
  stream: { read: 4300, known: 180, refused: 12, drawn: 20, anchor: 50, keepVersions: 30 },
  createdAt: "2026-11-22T10:00:00Z",
};
const rows = '{"id":"a","prompt":"Hi"}\n{\n\n{"id":"b","prompt":"Ho"}\n';
const folder = folderWith({
  "rows.jsonl": rows,
  "mapping.yaml": "suite: quality\nmap: { id: key, prompt: $uppercase(body) }\n",
  "log.jsonl": '{"key":"a","body":"Hi"}\n{"key":"b","body":[1,2]}\nno JSON\n[]\n',
});
const at = (name: string) => join(folder.path, name);
writeFileSync(at("rows.jsonl.gz"), gzipSync(rows));
writeFileSync(at("broken.jsonl.gz"), "no gzip");

afterAll(folder.dispose);

const stream = async (
  args: readonly string[],
  reply = { status: 201, body: version as object },
) => {
  await using api = await fakeService(() => reply);
  const ended = await assay(folder.path, ["dataset", "stream", ...args, "--server", api.url]);
  return { ...ended, asked: api.asked };
};
const named = ["--name", "acme/requests", "--sample", "20"];
const query = "name=acme%2Frequests&visibility=unlisted";
const draw = "samplesPerVersion=20&anchor=50&keepVersions=30";

describe("assay dataset stream", () => {
  it.each(["rows.jsonl", at("rows.jsonl.gz")])("sends the rows of %s unchanged", async (file) => {
    const { code, stdout, asked } = await stream([file, "--suite", "quality", ...named]);
    expect(asked).toMatchObject([
      {
        call: `POST /v1/dataset-stream?suite=quality&${query}&${draw}`,
        body: '{"id":"a","prompt":"Hi"}\n{\n{"id":"b","prompt":"Ho"}\n',
      },
    ]);
    expect([code, stdout]).toEqual([
      0,
      "acme/requests@cccccccccccc: 70 samples, 50 of them the anchor\nDrew 20 of 4,120 new rows; 4,300 rows read, 180 known, 12 did not fit\n",
    ]);
  });

  it("maps rows locally and lists rows that cannot be mapped", async () => {
    const args = [
      "log.jsonl",
      "--mapping",
      at("mapping.yaml"),
      ...named,
      "--anchor",
      "0",
      "--json",
    ];
    const { code, stdout, stderr, asked } = await stream(args);
    expect([code, asked[0]?.body]).toEqual([0, '{"id":"a","prompt":"HI"}\n']);
    const { searchParams } = new URL(asked[0]?.call.split(" ")[1] ?? "", "http://x");
    expect(JSON.parse(searchParams.get("mapping") ?? "")).toMatchObject({ map: { id: "key" } });
    expect(searchParams.get("anchor")).toBe("0");
    expect(stderr.split("\n").map((line) => line.slice(0, 12))).toMatchObject([
      "log.jsonl:2:",
      "log.jsonl:3:",
      "log.jsonl:4:",
      "",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ leftOut: [{ line: 2 }, { line: 3 }, { line: 4 }] });
  });

  it.each<[args: string[], message: string]>([
    [["rows.jsonl", ...named], "name the suite with --suite"],
    [["rows.jsonl", "--suite", "quality", "--sample", "5"], "--name OWNER/NAME"],
    [["rows.jsonl", "--suite", "quality", "--name", "a"], "--sample N"],
    [["rows.jsonl", "--suite", "quality", ...named, "--anchor", "7"], "--anchor 7: must be 0 or"],
    [
      ["rows.jsonl", "--suite", "quality", "--name", "a", "--sample", "x"],
      "--sample x: must be a whole number",
    ],
    [["rows.jsonl", "--suite", "quality", "--name", "a", "--sample", "0"], "--sample 0: "],
    [["gone.jsonl", "--suite", "quality", ...named], "gone.jsonl"],
    [[at("broken.jsonl.gz"), "--suite", "quality", ...named], "can't be unpacked"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr, asked } = await stream(args);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  it("passes on why the service stored nothing", async () => {
    const reply = problemReply(409, "no version was added: nothing is new");
    const { code, stderr } = await stream(
      ["rows.jsonl", "--suite", "quality", ...named],
      reply as never,
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain("nothing is new");
  });
});

it("assay dataset timeline prints the scores of each model by version", async () => {
  const point = (of: string, value: number, drift: object | null) => ({
    run: `run_${of}`,
    datasetVersion: of.repeat(64),
    scoringVersion: "s",
    headline: { value, interval: [value - 0.03, value + 0.03], n: 70, coverage: 1 },
    finishedAt: "2026-11-22T10:05:00Z",
    drift: drift && {
      run: "",
      reference: "run_a",
      isCovered: true,
      rerun: 1,
      eValue: 0.1,
      isFlagged: false,
      attribution: "dataset",
      againstReference: {
        run: "run_a",
        n: 50,
        difference: 0.01,
        interval: null,
        p: 1,
        wilcoxonP: 1,
      },
      againstPrevious: null,
      parts: [],
      observedAt: "2026-11-22T10:05:00Z",
      traffic: drift,
    },
  });
  const traffic = {
    runs: ["run_a"],
    n: 20,
    difference: -0.2,
    interval: null,
    eValue: 44,
    isFlagged: true,
    cause: "dataset",
  };
  const timeline = {
    suite: "extraction",
    dataset: "acme/requests",
    versions: ["a", "c"].map((of) => ({ ...version, version: of.repeat(64) })),
    histories: [
      { model: "acme/m", metric: "eqs", points: [point("a", 0.8, null), point("c", 0.6, traffic)] },
    ],
  };
  await using api = await fakeService(() => ({ body: timeline }));
  const args = ["dataset", "timeline", "acme/requests", "--suite", "extraction"];
  const { code, stdout } = await assay("/none", [...args, "--server", api.url]);
  expect(api.asked.map(({ call }) => call)).toEqual([
    "GET /v1/dataset-timeline?suite=extraction&dataset=acme%2Frequests",
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^acme\/m, EQS\n/);
  const last = stdout.trim().split("\n").at(-1);
  expect(last).toMatch(/^cccccccccccc +20 of 4,120 .*0\.600.*0\.200 +the traffic changed$/);
});
