import { describe, expect, it } from "vitest";
import { samplesJson } from "../../../api/exports/samples.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { exportedRun, ids } from "../support/exported-run.ts";

describe("GET /v1/runs/{id}/samples.jsonl", () => {
  it("gives every sample once and in order, with the suite's details", async () => {
    const { run, get } = await exportedRun(60);
    const response = await get(`/v1/runs/${run}/samples.jsonl`);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const fileName = `assay-${run}-samples.jsonl`;
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${fileName}"`);
    const lines = jsonLines(await response.text());
    expect(lines.map(({ id }) => id)).toEqual(ids(60));
    const sample = await (await get(`/v1/runs/${run}/samples/s3`)).json<Record<string, unknown>>();
    const { latencyMs, inputTokens, outputTokens, attempts } = sample;
    expect(lines[3]).toEqual({
      id: "s3",
      outcome: "scored",
      covered: true,
      score: 1,
      latencyMs,
      inputTokens,
      outputTokens,
      attempts,
      ...(sample["detail"] as object),
    });
  });

  it("reads page by page", async () => {
    const { platform, run } = await exportedRun(7);
    const record = await platform.runs.get(run);
    for (const pageRows of [1, 3, 7]) {
      const stream = await samplesJson(platform, record!, {
        fields: false,
        format: "jsonl",
        pageRows,
      });
      expect(jsonLines(await new Response(stream).text()).map(({ id }) => id)).toEqual(ids(7));
    }
  });

  it("keeps the numbers of rows after raw answers were deleted", async () => {
    const { platform, run, get } = await exportedRun(2);
    await platform.cleanup.markAnswersRemoved(run, platform.now());
    const [line] = jsonLines(await (await get(`/v1/runs/${run}/samples.jsonl`)).text());
    expect(Object.keys(line)).toEqual([
      "id",
      "outcome",
      "covered",
      "score",
      "latencyMs",
      "inputTokens",
      "outputTokens",
      "attempts",
    ]);
    expect(line).toMatchObject({ id: "s0", score: 1 });
  });

  it("answers 304 while nothing has changed", async () => {
    const { run, get } = await exportedRun(2);
    const path = `/v1/runs/${run}/samples.jsonl`;
    const tag = (await get(path)).headers.get("etag") ?? "";
    expect((await get(path, { headers: { "if-none-match": tag } })).status).toBe(304);
  });

  it.each([
    ["/v1/runs/none/samples.jsonl", 404],
    ["/v1/runs/none/samples.jsonl?fields=maybe", 422],
  ])("answers %s with %i", async (path, status) => {
    const response = await (await exportedRun(1)).get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });
});
