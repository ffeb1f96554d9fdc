import { describe, expect, it } from "vitest";
import { samplesCsv } from "../../../api/exports/samples.ts";
import { exportedRun } from "../support/exported-run.ts";

const formula = '=HYPERLINK("https://evil.example";"x"), @';

describe("GET /v1/leaderboard.csv", () => {
  it("gives one record per model, and escapes formulas", async () => {
    const { dataset, run, slug, get } = await exportedRun(4, { name: formula });
    const response = await get(`/v1/leaderboard.csv?suite=relay&dataset=${dataset}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="assay-relay-${dataset}.csv"`,
    );
    const [header, record, ...rest] = (await response.text()).split("\r\n");
    expect(header).toMatch(
      /^rank,rankLow,rankHigh,best,tieGroup,model,name,.*,passed,passedLow,passedHigh,passedN,passedCoverage,passedGrade,n,coverage,/,
    );
    const name = '"\'=HYPERLINK(""https://evil.example"";""x""), @"';
    expect(record).toContain(
      `1,1,1,1,1,${slug},${name},false,called,models.example.com,,,1,,,4,1,,4,1,1,1,0,0,0,0,0,0,${run},`,
    );
    expect(rest).toEqual([""]);
  });

  it("answers 404 as a problem if there is no board", async () => {
    const { get } = await exportedRun(1);
    const response = await get("/v1/leaderboard.csv?suite=relay&dataset=none");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });
});

function expectSamples(csv: string, count: number): void {
  const [header, ...records] = csv.trimEnd().split("\r\n");
  expect(header).toMatch(/^seq,id,outcome,covered,score,/);
  expect(records.map((record) => record.split(",").slice(0, 5).join())).toEqual(
    Array.from({ length: count }, (_, i) => `${i},s${i},scored,true,1`),
  );
}

describe("GET /v1/runs/{id}/samples.csv", () => {
  it("gives every sample once and in order", async () => {
    const { run, get } = await exportedRun(60);
    const response = await get(`/v1/runs/${run}/samples.csv`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const fileName = `assay-${run}-samples.csv`;
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${fileName}"`);
    expectSamples(await response.text(), 60);
  });

  it.each([1, 2, 6, 7])("reads ten pages at a time, here of %i rows", async (pageRows) => {
    const { platform, run } = await exportedRun(60);
    const pages: number[] = [];
    const { runs } = platform;
    const samples: typeof runs.samples = (id, after, limit) => {
      pages.push(limit);
      return runs.samples(id, after, limit);
    };
    const record = await runs.get(run);
    const counted = { ...platform, runs: { ...runs, samples } };
    const csv = await samplesCsv(counted, record!, pageRows);
    expectSamples(await new Response(csv).text(), 60);
    const ten = 10 * pageRows;
    expect(pages).toEqual(Array.from({ length: Math.floor(60 / ten) + 1 }, () => ten));
  });

  it("answers 304 if the client has the file", async () => {
    const { run, get } = await exportedRun(2);
    const tag = (await get(`/v1/runs/${run}/samples.csv`)).headers.get("etag") ?? "";
    const again = await get(`/v1/runs/${run}/samples.csv`, { headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
  });

  it("answers 404 as a problem for an unknown run", async () => {
    const { get } = await exportedRun(1);
    const response = await get("/v1/runs/none/samples.csv");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });
});
