import { describe, expect, it, vi } from "vitest";
import type { Problem } from "../../../shared/contracts/problem.ts";
import type { Run, SampleResult } from "../../../shared/contracts/run.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { tools } from "../../../shared/suites/tools/suite.ts";
import { anApp } from "../support/client.ts";
import { fakeJudges, judgedHarness, judgedRun, storedAnswers } from "../support/fake-judges.ts";
import { answering, harness } from "../support/harness.ts";

/** A service with two real suites, whose model answers with `output`. */
function service(output = "{}") {
  const rig = harness({
    suites: {
      all: [extraction, tools],
      byId: (id) => [extraction, tools].find((suite) => suite.id === id),
    },
    ask: answering(() => ({ output })),
  });
  const app = anApp(rig.platform);
  const send = (path: string, body: string, type = "application/json") =>
    app.request(`http://assay.test${path}`, {
      method: "POST",
      body,
      headers: { "content-type": type, authorization: "Bearer a-key" },
    });
  const upload = (suite: string, name: string, rows: string[], more = "") =>
    send(`/v1/datasets?suite=${suite}&name=${name}${more}`, rows.join("\n"), "application/jsonl");
  const read = async <T>(path: string) =>
    (await app.request(`http://assay.test${path}`)).json() as Promise<T>;
  return { ...rig, send, upload, read };
}

const row = (id: string, more = '"expected_output": {"a": 1}') =>
  `{"id": "${id}", "text": "a is 1", "schema": {"type": "object"}, ${more}}`;
const newName = () => `odd-${crypto.randomUUID().slice(0, 8)}`;
const long = "x".repeat(3_000_000);

/** Invalid lines, each with the expected reason. */
const bad: [line: string, reason: RegExp][] = [
  [row("e", '"expected_output": {"a": 1e400}'), /^e: \/expected_output\/a is a number beyond/],
  [row("n", '"expected_output": {"a": [-1E+999]}'), /\/expected_output\/a\/0 is a number beyond/],
  [row("s", '"expected_output": {"a": "\\ud800"}'), /half of a surrogate pair/],
  [row("k", '"expected_output": {"\\udc00": 1}'), /half of a surrogate pair/],
  [row("z\\u0000z"), /\/id holds a control character/],
  [row(long), /\/id is an id of 3000000 characters, but at most 200 are allowed/],
  [row("l", `"expected_output": {"${long}": 1}`), /is a name of 3000000 characters/],
  [
    row("t", `"expected_output": {"a": 1}, "tags": {"${long}": "v"}`),
    /\/tags\/x+….*200 are allowed/,
  ],
  [row("v", `"expected_output": {"a": 1}, "tags": {"t": "${long}"}`), /\/tags\/t has a text of/],
  [row("d", `"expected_output": ${"[".repeat(1_000)}${"]".repeat(1_000)}`), /nests arrays/],
];

describe("a row of a dataset", () => {
  it.each(bad)("is refused with line and reason if it is invalid: %#", async (line, reason) => {
    const { upload } = service();
    const response = await upload("extraction", newName(), [row("good"), line]);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text.length).toBeLessThan(5_000);
    const [error] = (JSON.parse(text) as Problem).errors ?? [];
    expect(error?.line).toBe(2);
    expect(error?.detail).toMatch(reason);
  });

  it("is stored if it is valid; notes on the others are short", async () => {
    const { upload } = service();
    const odd = [
      row("minus zero", '"expected_output": {"a": -0}'),
      row("large", '"expected_output": {"a": 90071992547409931}'),
      row("prototype", '"expected_output": {"__proto__": {"a": 1}, "constructor": 2}'),
      row("nul", '"expected_output": {"a": "\\u0000"}, "tags": {"__proto__": "x"}'),
    ];
    const rows = [...odd, ...bad.map(([line]) => line)];
    const response = await upload("extraction", newName(), rows, "&allowPartial=true");
    expect(response.status).toBe(201);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ samples: odd.length });
    expect(text.length).toBeLessThan(10_000);
  });
});

describe("an answer made elsewhere", () => {
  it.each([
    ['{"id": "a", "output": "{}", "latencyMs": 1e400}', "/models/0/answers/0/latencyMs"],
    ['{"id": "a", "output": "{}", "inputTokens": 1e400}', "/models/0/answers/0/inputTokens"],
    ['{"id": "a", "output": "{}", "confidence": 1e400}', "/models/0/answers/0/confidence"],
    ['{"id": "a", "output": "{}", "logprobs": [-1e400]}', "/models/0/answers/0/logprobs"],
    [
      '{"id": "a", "toolCalls": [{"name": "f", "arguments": {"x": 1e400}}]}',
      "/models/0/answers/0/toolCalls/0/arguments",
    ],
    [
      `{"id": "a", "toolCalls": [{"name": "f", "arguments": {"${long}": 1}}]}`,
      "/models/0/answers/0/toolCalls/0/arguments",
    ],
    [
      `{"id": "a", "toolCalls": [{"name": "${long}", "arguments": {}}]}`,
      "/models/0/answers/0/toolCalls/0/name",
    ],
    [`{"id": "${long}", "output": "{}"}`, "/models/0/answers/0/id"],
    [`{"id": "a", "output": "{}", "source": "${long}"}`, "/models/0/answers/0/source"],
    [`{"id": "a", "output": "{}", "finishReason": "${long}"}`, "/models/0/answers/0/finishReason"],
    [`{"id": "a", "error": "${long}"}`, "/models/0/answers/0/error"],
  ])("is refused with a pointer: %#", async (answer, pointer) => {
    const { send } = service();
    const body = `{"suite": "tools", "dataset": "none", "models": [{"name": "M", "answers": [${answer}]}]}`;
    const response = await send("/v1/submissions", body);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text.length).toBeLessThan(5_000);
    const pointers = (JSON.parse(text) as Problem).errors?.map((error) => error.pointer);
    expect(pointers).toEqual([pointer]);
  });

  it("is refused with a short reply if an unknown field has a long name", async () => {
    const { send } = service();
    const body = `{"suite": "tools", "dataset": "none", "${long}": 1, "models": [{"name": "M", "${long}": 1, "answers": [{"id": "a", "output": ""}]}]}`;
    const response = await send("/v1/submissions", body);
    expect([response.status, (await response.text()).length < 5_000]).toEqual([422, true]);
  });
});

describe("a model's answer", () => {
  it.each([
    '{"a": 1e400, "b": -1e400}',
    `{"${long}": 1}`,
    '{"a": "\\ud800", "\\udc00": "\\u0000"}',
    '{"__proto__": {"a": 1}, "constructor": {"prototype": 1}}',
    `{"a": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  ])("is scored, shown and counted whatever it contains: %#", async (output) => {
    const errors = vi.spyOn(console, "error");
    const { upload, send, read, deliverAll } = service(output);
    const dataset = newName();
    expect((await upload("extraction", dataset, [row("a")])).status).toBe(201);
    const request = {
      suite: "extraction",
      dataset,
      models: [
        {
          name: "Odd",
          slug: `acme/${dataset}`,
          endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" },
        },
      ],
      options: { repeats: 2 },
    };
    const created = await send("/v1/submissions", JSON.stringify(request));
    const { runs } = (await created.json()) as { runs: { id: string }[] };
    const id = runs[0]?.id ?? "";
    await deliverAll();
    const run = await read<Run>(`/v1/runs/${id}`);
    expect(run).toMatchObject({ status: "finished", progress: { failed: 0, done: 2 } });
    expect(JSON.stringify(run).length).toBeLessThan(200_000);
    const sample = await read<SampleResult>(`/v1/runs/${id}/samples/a`);
    expect(JSON.stringify(sample.detail).length).toBeLessThan(20_000);
    for (const path of ["report", "samples/a/report"]) {
      const report = await read<unknown>(`/v1/runs/${id}/${path}`);
      expect(JSON.stringify(report).length).toBeLessThan(300_000);
    }
    expect(errors).not.toHaveBeenCalled();
  });
});

describe("a judge's reply", () => {
  it.each([
    '{"politeness_score": 1e400}',
    `{"politeness_score": 0.5, "reasoning": "${long}"}`,
    `{"politeness_score": 0.5, "${long}": 1}`,
  ])("is recorded as invalid if it is out of bounds: %#", async (output) => {
    const rig = judgedHarness(
      fakeJudges([], ({ metric }) => (metric === "politeness" ? { output } : null)),
    );
    const { run } = await judgedRun(rig, {}, undefined, 1);
    expect((await rig.platform.runs.get(run))?.status).toBe("finished");
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["politeness"]?.[0]?.unjudged?.reason).toBe("invalid_judgment");
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
  });
});
