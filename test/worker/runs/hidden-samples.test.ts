import { expect, it, vi } from "vitest";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Account } from "../../../api/keys/account.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { readsSamples } from "../../../api/runs/access.ts";
import { submit } from "../../../api/submissions/service.ts";
import { eventData } from "../../../api/webhooks/announce.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import { anAccount, answering, harness } from "../support/harness.ts";

/** Part of every id, text, expected value, answer and failure, and of nothing else. */
const canary = "ZEISIG";

const accounts = {
  owner: anAccount("acme"),
  stranger: anAccount("other"),
};

/** The extraction suite, but scoring one sample fails with an error that quotes it. */
const suite: Suite = {
  ...extraction,
  sweeps: { temperature: "temperature" },
  score: (sample, answer, options) =>
    sample.id.endsWith("broken")
      ? (JSON.parse(sample.text) as never)
      : extraction.score(sample, answer, options),
};

const row = (i: number | string) => ({
  id: `${canary}-${i}`,
  text: `${canary} text ${i}`,
  schema: { type: "object", properties: { name: { type: "string" }, age: { type: "number" } } },
  expected_output: { name: `${canary} ${i}`, age: 7 },
  tags: { kind: "letter" },
});

const lines = (rows: readonly object[]) =>
  new TextEncoder().encode(rows.map((one) => JSON.stringify(one)).join("\n"));

/** Repeats the question: with a wrong type, with an invented field, as plain text and as an error, in turn. */
const parrot = () => {
  let asked = 0;
  return answering(() => {
    const turn = asked++ % 4;
    if (turn === 3) {
      const error = { class: "bad_request" as const, message: `cannot read ${canary}` };
      return { output: null, error };
    }
    const madeUp = `{"name": "${canary}", "${canary} ${asked}": 7}`;
    const outputs = [`{"name": "${canary}", "age": "7"}`, madeUp, canary];
    return { output: outputs[turn] ?? null };
  });
};

interface Operation {
  operationId: string;
  method: string;
  path: string;
}

interface Described {
  operationId: string;
  parameters?: { name: string }[];
}

/** Every operation of the service, with paths that lead to the hidden data. */
async function operations(
  api: ReturnType<typeof serve>,
  ids: { run: string; other: string; submission: string; dataset: string },
): Promise<Operation[]> {
  const { paths } = (await (await api.get("/v1/openapi.json")).json()) as {
    paths: Record<string, Record<string, Described>>;
  };
  const values = {
    suite: suite.id,
    dataset: ids.dataset,
    runs: `${ids.run},${ids.other}`,
    fields: "true",
  };
  const queryOf = ({ parameters = [] }: Described) => {
    const names = parameters.map(({ name }) => name);
    return new URLSearchParams(Object.entries(values).filter(([name]) => names.includes(name)));
  };
  return Object.entries(paths).flatMap(([template, methods]) => {
    const id = template.startsWith("/v1/submissions") ? ids.submission : ids.run;
    const path = template
      .replace("{id}", id)
      .replace("{sampleId}", `${canary}-0`)
      .replace("{owner}", "acme")
      .replace("{model}", "m");
    return Object.entries(methods).map(([method, described]) => ({
      operationId: described.operationId,
      method: method.toUpperCase(),
      path: `${path}?${queryOf(described)}`,
    }));
  });
}

async function repliesWith(
  api: ReturnType<typeof serve>,
  asked: readonly Operation[],
  who: keyof typeof accounts | null,
) {
  const headers = who === null ? {} : { authorization: `Bearer ${who}` };
  const leaks: string[] = [];
  for (const { operationId, method, path } of asked) {
    const reply = await (method === "GET"
      ? api.get(path, headers)
      : method === "DELETE"
        ? api.delete(path, headers)
        : api.post(path, {}, headers));
    const text = [...reply.headers].join("\n") + (await reply.text());
    // A problem repeats the path of the request.
    if (text.replaceAll(`/samples/${canary}-0`, "").includes(canary)) leaks.push(operationId);
  }
  return leaks.sort();
}

async function privateRuns(platform: Platform, deliverAll: () => Promise<void>) {
  const dataset = `acme/hidden-${crypto.randomUUID().slice(0, 8)}`;
  const registered = await registerDataset(platform, {
    suite,
    name: dataset,
    visibility: "private",
    owner: "acme",
    anyOwner: true,

    file: lines([...Array.from({ length: 24 }, (_, i) => row(i)), row("broken"), { id: canary }]),
    allowPartial: true,
  });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const of = async (slugs: readonly string[], options: object = {}) => {
    const request = submissionRequestSchema.parse({
      suite: suite.id,
      dataset,
      visibility: "public",
      options: { maxRetries: 0, ...options },
      models: slugs.map((slug) => ({ name: "M", slug, endpoint })),
    });
    const submitter = { owner: "acme", anyOwner: false, quota: null };
    const created = await submit(platform, request, submitter);
    if (!created.ok) throw new Error(JSON.stringify(created.error));
    await deliverAll();
    const stored = await platform.runs.submission(created.value);
    return { submission: created.value, runs: stored?.runs.map(({ id }) => id) ?? [] };
  };
  const { runs } = await of(["acme/m", "acme/n"]);
  const { submission } = await of(["acme/m"], { sweep: { temperature: [0, 1] } });
  const { runs: few } = await of(["acme/m", "acme/n"], { sample: { n: 2, seed: 1 } });
  const [run = "", other = ""] = runs;
  return { dataset, submission, run, other, few };
}

it("samples of a private dataset appear in no route, log line, event or snapshot, except for their owner", {
  timeout: 60_000,
}, async () => {
  const logged = (["log", "info", "debug", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const rig = harness({
    ask: parrot(),
    suites: { all: [suite], byId: (id) => (id === suite.id ? suite : undefined) },
  });
  const platform = {
    ...rig.platform,
    settings: { ...rig.platform.settings, requireApiKey: true },
  };
  const ids = await privateRuns(rig.platform, rig.deliverAll);
  const api = serve(platform, accounts);
  const [one = "", another = ""] = ids.few;
  const asked = [
    ...(await operations(api, ids)),
    ...(await operations(api, { ...ids, run: one, other: another })),
  ];
  expect(await platform.runs.get(ids.run)).toMatchObject({
    status: "finished",
    visibility: "public",
  });

  expect(await repliesWith(api, asked, null)).toEqual([]);
  expect(await repliesWith(api, asked, "stranger")).toEqual([]);
  const snapshot = JSON.stringify(await latestSnapshot(platform));
  expect(snapshot).toContain(ids.run);
  expect(snapshot).not.toContain(canary);
  const event = { type: "run.finished", subject: ids.run } as Parameters<typeof eventData>[1];
  expect(JSON.stringify(await eventData(platform, event))).not.toContain(canary);
  const lines = logged.flatMap(({ mock }) => mock.calls.flat().map(String));
  expect(lines.some((line) => line.includes("unit-failed"))).toBe(true);
  expect(lines.filter((line) => line.includes(canary))).toEqual([]);

  const readable = (await operations(api, ids)).filter(({ method }) => method === "GET");
  expect(await repliesWith(api, readable, "owner")).toEqual([
    "compareRuns",
    "exportAggregatesCsv",
    "exportAggregatesJson",
    "exportAggregatesJsonl",
    "exportAnswersJsonl",
    "exportDatasetJsonl",
    "exportFieldsCsv",
    "exportFieldsJson",
    "exportFieldsJsonl",
    "exportInstanceRecords",
    "exportReportMarkdown",
    "exportSamplesCsv",
    "exportSamplesJson",
    "exportSamplesJsonl",
    "exportScoresJson",
    "getHighlights",
    "getReport",
    "getRun",
    "getSample",
    "getSampleReport",
    "listSamples",
  ]);
});

it("a service without keys shows the builder of its site only public data", async () => {
  const rig = harness({
    ask: parrot(),
    suites: { all: [suite], byId: (id) => (id === suite.id ? suite : undefined) },
  });
  const { run } = await privateRuns(rig.platform, rig.deliverAll);
  const api = serve(rig.platform);
  const shown = async (headers: Record<string, string>) =>
    (await api.get(`/v1/runs/${run}`, headers)).text();
  expect(await shown({})).toContain(canary);
  expect(await shown({ "x-assay-public": "1" })).not.toContain(canary);
});

it("only the owner can submit to a private dataset, and its board is marked", async () => {
  const rig = harness({
    ask: parrot(),
    suites: { all: [suite], byId: (id) => (id === suite.id ? suite : undefined) },
  });
  const platform = {
    ...rig.platform,
    settings: { ...rig.platform.settings, requireApiKey: true },
  };
  const { dataset, run } = await privateRuns(rig.platform, rig.deliverAll);
  const api = serve(platform, accounts);
  const stored = await platform.datasets.find(suite.id, dataset, null);
  const models = [
    { name: "M", slug: "other/m", endpoint: { baseUrl: "http://x.test/v1", model: "m" } },
  ];
  for (const named of [dataset, `${dataset}@${stored?.version}`]) {
    const body = { suite: suite.id, dataset: named, models };
    const refused = await api.post("/v1/submissions", body, { authorization: "Bearer stranger" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("has no dataset");
  }
  const query = `suite=${suite.id}&dataset=${dataset}`;
  const board = (await (await api.get(`/v1/leaderboard?${query}`)).json()) as Leaderboard;
  expect(board).toMatchObject({ hiddenSamples: true, dataset: { name: dataset, samples: 25 } });
  expect(board.entries.map(({ model }) => model.slug).sort()).toEqual(["acme/m", "acme/n"]);
  const rows = await api.get(`/v1/dataset.jsonl?${query}`);
  expect([rows.status, await rows.text()]).toEqual([404, expect.stringContaining("is private")]);
  const samples = await api.get(`/v1/runs/${run}/samples`);
  expect([samples.status, await samples.text()]).toEqual([
    403,
    expect.stringContaining("use a key of its owner's account"),
  ]);
  const shown = (await (await api.get(`/v1/runs/${run}`)).json()) as Run;
  expect(shown).toMatchObject({ hiddenSamples: true, points: { points: [], picks: [] } });
  expect(shown.points?.latency).not.toEqual([]);
});

const holder: Account = {
  owner: "guest",
  scopes: [],
  keyId: null,
  dailySamples: null,
  shared: ["run_1"],
};

it.each<[string, string | null, boolean]>([
  ["of a public dataset", null, true],
  ["of the private dataset of the run's owner", "acme", true],
  ["of another account's private dataset", "bigcorp", false],
])("a share link opens samples %s: %s, %s", (_, samplesOwner, isOpen) => {
  expect(readsSamples({ id: "run_1", owner: "acme", samplesOwner }, holder)).toBe(isOpen);
});
