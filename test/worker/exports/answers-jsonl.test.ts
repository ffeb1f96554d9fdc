import { describe, expect, it } from "vitest";
import { answersJsonl } from "../../../api/exports/sample-routes.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { exportedRun } from "../support/exported-run.ts";

describe("GET /v1/runs/{id}/answers.jsonl", () => {
  it("gives answers that can be submitted unchanged and get the same scores", async () => {
    const { platform, run, get, deliverAll } = await exportedRun(60);
    const response = await get(`/v1/runs/${run}/answers.jsonl`);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const answers = jsonLines(await response.text());
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => `s${i}`));
    const record = (await platform.runs.get(run))!;
    const body = JSON.stringify({
      suite: record.suite,
      dataset: `${record.datasetName}@${record.datasetVersion}`,
      visibility: "public",
      models: [{ name: "Elsewhere", answers, promptHash: record.promptHash }],
    });
    const headers = { "content-type": "application/json" };
    const created = await get("/v1/submissions", { method: "POST", headers, body });
    expect(created.status).toBe(202);
    await deliverAll();
    const [again] = (await created.json<Submission>()).runs;
    const scored = (await platform.runs.get(again!.id))!;
    expect(scored).toMatchObject({ status: "finished", boardId: record.boardId, endpoint: null });
    const values = ({ metrics }: typeof record) =>
      Object.entries(metrics ?? {}).map(([id, { value, n, coverage }]) => [id, value, n, coverage]);
    expect(values(scored)).toEqual(values(record));
  });

  it("reads page by page", async () => {
    const { platform, run } = await exportedRun(7);
    const record = (await platform.runs.get(run))!;
    const suite = platform.suites.byId(record.suite)!;
    for (const pageRows of [1, 3, 7]) {
      const text = await new Response(answersJsonl(platform, record, suite, { pageRows })).text();
      expect(jsonLines(text)).toHaveLength(7);
    }
  });

  it("answers 409 if answers were deleted, and 404 for an unknown run", async () => {
    const { platform, run, get } = await exportedRun(2);
    await platform.cleanup.markAnswersRemoved(run, platform.now());
    const gone = await get(`/v1/runs/${run}/answers.jsonl`);
    expect([gone.status, (await gone.json<{ detail: string }>()).detail]).toEqual([
      409,
      `the raw answers of run "${run}" were deleted because of their age; its metrics and sample rows are kept`,
    ]);
    expect((await get("/v1/runs/none/answers.jsonl")).status).toBe(404);
  });
});

describe("GET /v1/dataset.jsonl", () => {
  it("gives rows that make the same version when they are uploaded", async () => {
    const { dataset, platform, run, get } = await exportedRun(230);
    const { suite, datasetVersion } = (await platform.runs.get(run))!;
    const query = new URLSearchParams({ suite, dataset: String(dataset) });
    const response = await get(`/v1/dataset.jsonl?${query}`);
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(jsonLines(body)).toHaveLength(230);
    const upload = new URLSearchParams({ suite, name: "copied" });
    const headers = { "content-type": "application/jsonl" };
    const copied = await get(`/v1/datasets?${upload}`, { method: "POST", headers, body });
    expect(await copied.json()).toMatchObject({ version: datasetVersion, samples: 230 });
  });

  it("answers 404 for an unknown dataset, and 422 for an invalid name", async () => {
    const { get } = await exportedRun(1);
    expect((await get("/v1/dataset.jsonl?suite=relay&dataset=none")).status).toBe(404);
    expect((await get("/v1/dataset.jsonl?suite=relay&dataset=a%20b")).status).toBe(422);
  });
});
